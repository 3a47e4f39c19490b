// Issues and events as Markdown for tickets. Event data is put into fences longer than any run of backticks
// in it, so that none of it is taken as markup.
import type { EventView } from '../../events/views.ts';
import { curlOf } from './curl.ts';
import type { IssueHeadModel } from './head.ts';
import {
  crumbsOf,
  type ExceptionRead,
  exceptionsOf,
  type FrameRead,
  messageOf,
  shownValue,
} from './payload.ts';
import type { TagView } from './tag-counts.ts';

const crumbsShown = 20;
const tagsShown = 12;
const valuesShown = 4;

type Facts = ReadonlyArray<readonly [name: string, value: unknown]>;

export function issueMarkdown(
  { issue }: Pick<IssueHeadModel, 'issue'>,
  tags: readonly TagView[],
  newest: EventView | null,
  address: string,
): string {
  const state = issue.substatus === null ? issue.status : `${issue.status}, ${issue.substatus}`;
  const values = tags.slice(0, tagsShown).map(({ tag, values: all }) => {
    const most = all.slice(0, valuesShown).map(({ value, events }) => `${shownValue(value)} (${events})`);
    return `${tag}: ${most.join(', ')}${all.length > valuesShown ? ', …' : ''}`;
  });
  return [
    fenced(issue.title),
    factsBlock([
      ['issue', issue.issue_id],
      ['page', address],
      ['project', issue.project.name],
      ['state', state],
      ['assigned to', issue.assigned_to?.name],
      ['level', issue.level],
      ['platform', issue.platform],
      ['place', issue.culprit],
      ['events', issue.events],
      ['users', `${issue.users}${issue.users_capped ? ' or more' : ''}`],
      ['first seen', issue.first_seen],
      ['last seen', issue.last_seen],
      ['first release', issue.first_release],
      ['last release', issue.last_release],
    ]),
    ...(values.length === 0 ? [] : ['## Tags', fenced(values.join('\n'))]),
    ...(newest === null
      ? []
      : ['# Latest event', factsBlock(factsOf(newest)), ...sectionsOf(newest as Payload)]),
    '',
  ].join('\n\n');
}

export function eventMarkdown(event: EventView, address: string): string {
  const [id, ...others] = factsOf(event);
  return [
    fenced(event.title),
    factsBlock([id, ['issue', event.issue_id], ['page', address], ...others]),
    ...sectionsOf(event as Payload),
    '',
  ].join('\n\n');
}

type Payload = Readonly<Record<string, unknown>>;

function factsOf(event: EventView): readonly [Facts[number], ...Facts] {
  return [
    ['event', event.event_id],
    ['received', event.received],
    ['level', event.level],
    ['platform', event.platform],
    ['release', event.release],
    ['environment', event.environment],
    ['place', event.culprit],
  ];
}

function factsBlock(facts: Facts): string {
  const said = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return fenced(said.map(([name, value]) => `${name}: ${String(value)}`).join('\n'));
}

function sectionsOf(payload: Payload): string[] {
  const exceptions = exceptionsOf(payload);
  const curl = curlOf(payload);
  const message = messageOf(payload);
  return [
    ...(message === '' ? [] : ['## Message', fenced(message)]),
    ...exceptions.flatMap(exceptionLines),
    ...crumbLines(payload),
    ...(curl === null ? [] : ['## Request', fenced(curl)]),
    ...tagLines(payload),
  ];
}

/** Nested exceptions get deeper headings, up to six levels. */
function exceptionLines({ relation, depth, type, value, frames }: ExceptionRead): string[] {
  const level = '#'.repeat(Math.min(2 + depth, 6));
  const head = [type, value].filter((part) => part !== '').join(': ');
  return [
    `${level} ${relation.replace(/:? $/, '') || 'Exception'}`,
    fenced(`${head}\n${frames.map(frameLine).join('\n')}`.trimEnd()),
  ];
}

function frameLine(frame: FrameRead): string {
  const place = [frame.file, frame.line, frame.column]
    .filter((part) => part !== null && part !== '')
    .join(':');
  const line = `    at ${frame.function === '' ? '(anonymous)' : frame.function} (${place})`;
  return frame.inApp === false ? `${line} [library]` : line;
}

function crumbLines(payload: Readonly<Record<string, unknown>>): string[] {
  const crumbs = crumbsOf(payload).slice(-crumbsShown);
  if (crumbs.length === 0) return [];
  const lines = crumbs.map(({ atMs, kind, message, data }) => {
    const at = atMs === null ? '' : new Date(atMs).toISOString();
    return [at, kind, message, data === undefined ? '' : shownValue(data)]
      .filter((part) => part !== '')
      .join('  ');
  });
  return ['## Breadcrumbs', fenced(lines.join('\n'))];
}

function tagLines({ tags }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(tags) || tags.length === 0) return [];
  const lines = tags.map((tag) => (Array.isArray(tag) ? tag.map(shownValue).join(': ') : shownValue(tag)));
  return ['## Tags', fenced(lines.join('\n'))];
}

/** A code block that its content cannot close. */
export function fenced(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
