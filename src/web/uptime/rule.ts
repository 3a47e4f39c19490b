import type { VNode } from 'preact';
import { channelTypeNames } from '../../../schemas/alert-channel-types.ts';
import {
  levels,
  mayOpenIncidents,
  type RuleEvent,
  type RuleFilter,
  type RuleSubject,
  relationWords,
  ruleEvents,
  ruleKinds,
} from '../../core/page-models/monitoring/kinds.ts';
import type { RuleModel } from '../../core/page-models/monitoring/rules.ts';
import { hourMs, minuteMs } from '../../core/parsing/durations.ts';
import { sparkline } from '../charts/sparkline.ts';
import { actionForm, field, submitButton } from '../components/controls.ts';
import { pageHead } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { shortTime } from '../components/time.ts';
import { type Content, el, html } from '../el.ts';
import { counted } from '../formatters/numbers.ts';
import { span } from '../formatters/times.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { channelMark } from './channels.ts';
import { shortDay, shortUntrustedName, shortUntrustedText, untrustedText } from './labels.ts';

type Choices = ReadonlyArray<readonly [value: string, word: string]>;

const subjectNames: Readonly<Record<RuleSubject, string>> = {
  issue: 'an issue',
  release: 'a release',
  deploy: 'a deploy',
  test_run: 'a test run',
  monitor: 'a monitor',
  feedback: 'a bug report',
  maintenance: 'maintenance',
  expiry: 'a domain, certificate or key',
  losses: 'discarded events',
};

const eventNames: Readonly<Record<RuleEvent, string>> = {
  is_new: 'is new',
  came_back: 'regressed',
  reopened: 'was reopened',
  seen_more_than: 'occurs more than',
  first_of_release: 'is new in a release',
  crash_free_under: 'has a crash-free rate below',
  failed: 'failed',
  down: 'is down',
  up: 'recovers',
  resolved: 'is resolved',
  assigned: 'is assigned',
  commented: 'has a new comment',
  mentioned: 'has a comment that mentions a member',
  created: 'arrives',
  scheduled: 'is scheduled',
  started: 'starts',
  ended: 'ends',
  slow: 'is degraded',
  ends_within: 'expires within',
  more_than: 'are more than',
};

const units: Readonly<Partial<Record<RuleEvent, readonly string[]>>> = {
  seen_more_than: ['events', 'users'],
  ends_within: ['days'],
};

function unitChoices(event: RuleEvent): Choices {
  return (units[event] ?? ['percent']).map((unit) => [unit, unit]);
}

const fieldNames: Readonly<Record<RuleFilter['field'], string>> = {
  project: 'project',
  environment: 'environment',
  level: 'level',
  release: 'release',
  tag: 'tag',
  assignee: 'assignee',
  mentioned: 'mentioned',
};

const offered = [5, 10, 30, 60, 6 * 60, 24 * 60].map((minutes) => minutes * minuteMs);

function subjectChoices(): Choices {
  const all = Object.entries(subjectNames);
  return all.filter(([subject]) => ruleKinds.some((kind) => kind.startsWith(`${subject}.`)));
}

function eventChoices(subject: RuleSubject): Choices {
  const known = (event: RuleEvent): boolean => ruleKinds.some((kind) => kind === `${subject}.${event}`);
  return ruleEvents[subject].filter(known).map((event) => [event, eventNames[event]]);
}

/** Offered durations, with the rule's current one. */
function lengthChoices(ms: number): Choices {
  return [...new Set([...offered, ms])]
    .toSorted((one, other) => one - other)
    .map((each) => [String(each), span(each)]);
}

/** Time windows; discarded events are counted per hour, so only whole hours are offered for them. */
function withinChoices(event: RuleEvent, ms: number): Choices {
  return lengthChoices(ms).filter(([each]) => event !== 'more_than' || Number(each) % hourMs === 0);
}

const openingChoices: Choices = [
  ['none', 'no incident'],
  ['minor', 'a minor incident'],
  ['critical', 'a critical incident'],
];

export function rulePage(model: RuleModel, context: PageContext): PageContent {
  const mayManage = context.visitor?.canManage === true;
  const form = html`<div class="cols">
    <div class="col stack">${sentences(model, context, !mayManage)}</div>
    ${side(model, context)}
  </div>`;
  return {
    title: shortUntrustedName(model.name),
    crumbs: [
      { name: 'Alert channels', path: '/alert-channels' },
      { name: 'Rules', path: '/alert-channels/rules' },
    ],
    main: [
      pageHead({ above: 'Rule', title: shortUntrustedText(model.name, 400) }),
      mayManage ? actionForm(context, `/alert-channels/rules/${model.rule_id}`, null, form) : form,
    ],
  };
}

function sentences(model: RuleModel, frame: PageContext, isLocked: boolean): Content[] {
  return [
    field(
      { id: 'r-name', label: 'Name' },
      { name: 'name', value: model.name, required: true, maxlength: 200, disabled: isLocked },
    ),
    part('r-when', 'When', html`<div class="sentence"><p>${when(model, isLocked)}</p></div>`),
    part('r-only', 'Only if', html`<div class="sentence">${onlyIf(model, frame, isLocked)}</div>`),
    part('r-tell', 'Notify', channels(model, isLocked)),
    ...incidentFields(model, isLocked),
    part(
      'r-often',
      'How often',
      html`<div class="sentence"><p>${frequencyFields(model, isLocked)}</p></div>`,
    ),
    isLocked
      ? html`<p class="hint">Only an admin can change this.</p>`
      : html`<p class="acts saveline">
        ${submitButton('Save', { class: 'btn primary', name: 'do', value: 'save' })}
        ${submitButton('Send test notification', { name: 'do', value: 'test' })}
        ${submitButton('Delete…', { class: 'btn danger', name: 'do', value: 'delete' })}
      </p>`,
  ];
}

function when({ subject, event, limit }: RuleModel, isLocked: boolean): Content[] {
  const words: Content[] = [
    selectWord('subject', 'Field', subjectChoices(), subject, isLocked),
    ' ',
    selectWord('event', 'Event', eventChoices(subject), event, isLocked),
  ];
  if (limit === null) return words;
  words.push(
    ' ',
    // The limit belongs to this kind of rule; if another kind is selected, the limit is not taken over.
    html`<input type="hidden" name="limit_of" value="${subject}.${event}" />`,
    inputWord('count', 'Threshold', String(limit.count), 5, isLocked),
    ' ',
    selectWord('unit', 'Unit', unitChoices(event), limit.unit, isLocked),
  );
  if (limit.within_ms === null) return words;
  const within = withinChoices(event, limit.within_ms);
  return [...words, ' within ', selectWord('within', 'Time', within, String(limit.within_ms), isLocked)];
}

function onlyIf({ filters }: RuleModel, frame: PageContext, isLocked: boolean): VNode[] {
  const lines = filters.map((filter, at) => {
    const { field: name, name: tag, is, value } = filter;
    const known = knownValues(name, frame);
    const label = `${fieldNames[name]} ${at + 1}`;
    return el(
      'p',
      null,
      at === 0 ? '' : 'and ',
      selectWord(`field_${at}`, `Field ${at + 1}`, Object.entries(fieldNames), name, isLocked),
      name === 'tag' ? [' ', inputWord(`tag_${at}`, `Tag ${at + 1}`, tag, 8, isLocked)] : null,
      ' ',
      selectWord(`is_${at}`, `Comparison ${at + 1}`, Object.entries(relationWords), is, isLocked),
      ' ',
      known === null
        ? inputWord(`value_${at}`, label, value, 10, isLocked)
        : selectWord(`value_${at}`, label, withValue(known, value), value, isLocked),
      isLocked
        ? null
        : [
            ' ',
            submitButton('Remove', {
              class: 'btn small',
              name: 'do',
              value: `drop-${at}`,
              'aria-label': `Remove condition ${at + 1}`,
            }),
          ],
    );
  });
  const more = submitButton('And…', { class: 'btn small', name: 'do', value: 'more' });
  return [
    ...(lines.length === 0 ? [html`<p class="soft">No conditions: applies to all projects.</p>`] : lines),
    ...(isLocked ? [] : [html`<p>${more}</p>`]),
  ];
}

function knownValues(name: RuleModel['filters'][number]['field'], frame: PageContext): string[] | null {
  if (name === 'project') return frame.projects.map((each) => each.name);
  return name === 'level' ? [...levels] : null;
}

/** A deleted value is listed first, so that it stays visible. */
function withValue(known: readonly string[], value: string): Array<readonly [string, string]> {
  const all = known.includes(value) ? known : [value, ...known];
  return all.map((each) => [each, shortUntrustedName(each)] as const);
}

function channels({ channels: all }: RuleModel, isLocked: boolean): VNode {
  const lines = all.map(
    ({ channel_id: id, name, type, state, quiet_hours: quiet, is_told: isTold }) =>
      html`<label>
        <input type="checkbox" name="channels[]" value=${id} checked=${isTold} />
        <span>
          ${shortUntrustedText(name)}${state === 'on' ? null : [' ', channelMark(state, state)]}
          <small class="soft">${channelTypeNames[type]}${quiet === '' ? null : [', quiet ', shortUntrustedText(quiet)]}</small>
        </span>
      </label>`,
  );
  return html`<fieldset class="choose ruled-top" disabled=${isLocked}>
    <legend class="vh">Channels</legend>
    ${lines.length === 0 ? [html`<p class="soft">No alert channels yet.</p>`] : lines}
  </fieldset>`;
}

/** Not offered for kinds that open incidents by themselves. */
function incidentFields({ subject, event, opens_incident: opens }: RuleModel, isLocked: boolean): VNode[] {
  const kind = ruleKinds.find((each) => each === `${subject}.${event}`);
  if (kind === undefined || !mayOpenIncidents(kind)) return [];
  const choice = selectWord('incident', 'Incident', openingChoices, opens ?? 'none', isLocked);
  return [part('r-opens', 'Also open', html`<div class="sentence"><p>${choice}</p></div>`)];
}

function frequencyFields({ every_ms: every, fold_over: fold }: RuleModel, isLocked: boolean): Content[] {
  const once =
    every === 0
      ? ['More than ']
      : [
          'At most once in ',
          selectWord('every', 'Once in', lengthChoices(every), String(every), isLocked),
          ' per issue or monitor, and more than ',
        ];
  return [
    ...once,
    inputWord('fold', 'Group above', String(fold), 3, isLocked),
    ' per minute are grouped into one message.',
  ];
}

function side(model: RuleModel, frame: PageContext): VNode {
  const { sentence, days, sent, messages, sample } = model;
  const most = days.toSorted((one, other) => other.sent - one.sent)[0];
  const lines = messages.map(({ at, subject, channel_id: channel, delivery_id: id }) =>
    el(
      'li',
      null,
      shortTime(at, frame.nowMs),
      el(
        'p',
        null,
        pageLink(
          frame,
          { path: `/alert-channels/${channel}`, query: { delivery: id } },
          null,
          shortUntrustedText(subject),
        ),
      ),
    ),
  );
  return el(
    'aside',
    { class: 'aside', 'aria-label': 'What this rule does' },
    part('r-reads', 'In words', html`<div class="why"><p>${shortUntrustedText(sentence, 1_000)}.</p></div>`),
    part(
      'r-sent',
      'The last 14 days',
      el(
        'div',
        { class: 'why' },
        html`<p>
          It sent <b>${sent === 0 ? 'nothing' : counted(sent, 'message')}</b>
          ${sent === 0 || most === undefined ? '.' : `, most on ${shortDay(most.date)}.`}
        </p>`,
        sparkline({
          values: days.map((day) => day.sent),
          name: `Notifications per day, last 14 days, ${counted(sent, 'message')} in all`,
          stepPx: 20,
          heightPx: 40,
        }),
      ),
      lines.length === 0 ? null : html`<ol class="log">${lines}</ol>`,
    ),
    sample === null
      ? null
      : part(
          'r-message',
          'Message',
          html`<pre class="snip" tabindex="0" role="group" aria-label="What it sent last">
            <code>${untrustedText(sample)}</code>
          </pre>`,
        ),
  );
}

function part(id: string, title: string, ...content: Content[]): VNode {
  return html`<section aria-labelledby=${id}><h2 id=${id}>${title}</h2>${content}</section>`;
}

function selectWord(name: string, label: string, choices: Choices, value: string, isLocked: boolean): VNode {
  const options = choices.map(
    ([each, word]) => html`<option value=${each} selected=${each === value}>${word}</option>`,
  );
  return html`<select name=${name} aria-label=${label} disabled=${isLocked}>${options}</select>`;
}

function inputWord(name: string, label: string, value: string, size: number, isLocked: boolean): VNode {
  return html`<input
    type="text" name=${name} value=${value} size=${size} maxlength="200" aria-label=${label}
    disabled=${isLocked}
  />`;
}
