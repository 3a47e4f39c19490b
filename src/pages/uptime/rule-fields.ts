// The words of a rule's sentence: what each may be, and the fields that they stand in.
import type { VNode } from 'preact';
import { hourMs, minuteMs } from '../../core/reading/spans.ts';
import {
  type RuleEvent,
  type RuleFilter,
  type RuleSubject,
  ruleEvents,
  ruleKinds,
} from '../../core/workspace/uptime/kinds.ts';
import { html } from '../el.ts';
import { span } from '../words/times.ts';

type Choices = ReadonlyArray<readonly [value: string, word: string]>;

const subjectNames: Readonly<Record<RuleSubject, string>> = {
  issue: 'an issue',
  release: 'a release',
  deploy: 'a deploy',
  test_run: 'a test run',
  monitor: 'a monitor',
  expiry: 'a domain, certificate or key',
  losses: 'lost events',
};

const eventNames: Readonly<Record<RuleEvent, string>> = {
  is_new: 'is new',
  came_back: 'came back',
  reopened: 'was reopened',
  seen_more_than: 'is seen more than',
  first_of_release: 'is new in a release',
  crash_free_under: 'is crash-free under',
  failed: 'failed',
  down: 'is down',
  up: 'is up again',
  slow: 'is slow',
  ends_within: 'ends within',
  more_than: 'are more than',
};

const units: Readonly<Partial<Record<RuleEvent, readonly string[]>>> = {
  seen_more_than: ['events', 'users'],
  ends_within: ['days'],
};

/** Of what there is to be so much, by what happens. */
export function unitChoices(event: RuleEvent): Choices {
  return (units[event] ?? ['percent']).map((unit) => [unit, unit]);
}

export const fieldNames: Readonly<Record<RuleFilter['field'], string>> = {
  project: 'project',
  environment: 'environment',
  level: 'level',
  release: 'release',
  tag: 'tag',
};

const offered = [5, 10, 30, 60, 6 * 60, 24 * 60].map((minutes) => minutes * minuteMs);

/** What rules can be of. */
export function subjectChoices(): Choices {
  const all = Object.entries(subjectNames);
  return all.filter(([subject]) => ruleKinds.some((kind) => kind.startsWith(`${subject}.`)));
}

/** What may happen to a subject, likewise. */
export function eventChoices(subject: RuleSubject): Choices {
  const known = (event: RuleEvent): boolean => ruleKinds.some((kind) => kind === `${subject}.${event}`);
  return ruleEvents[subject].filter(known).map((event) => [event, eventNames[event]]);
}

/** Lengths of time that are offered; the one that a rule has already is among them. */
export function lengthChoices(ms: number): Choices {
  return [...new Set([...offered, ms])]
    .toSorted((one, other) => one - other)
    .map((each) => [String(each), span(each)]);
}

/** Times within which there is to be so much: what is lost is counted by the hour. */
export function withinChoices(event: RuleEvent, ms: number): Choices {
  return lengthChoices(ms).filter(([each]) => event !== 'more_than' || Number(each) % hourMs === 0);
}

/** What a rule may open. */
export const openingChoices: Choices = [
  ['none', 'no incident'],
  ['minor', 'a minor incident'],
  ['critical', 'a critical incident'],
];

/** A word of the sentence that is chosen. */
export function chosen(
  name: string,
  label: string,
  choices: Choices,
  value: string,
  isLocked: boolean,
): VNode {
  const options = choices.map(
    ([each, word]) => html`<option value=${each} selected=${each === value}>${word}</option>`,
  );
  return html`<select name=${name} aria-label=${label} disabled=${isLocked}>${options}</select>`;
}

/** A word of the sentence that is written. */
export function written(name: string, label: string, value: string, size: number, isLocked: boolean): VNode {
  return html`<input
    type="text" name=${name} value=${value} size=${size} maxlength="200" aria-label=${label}
    disabled=${isLocked}
  />`;
}
