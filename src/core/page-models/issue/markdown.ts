// Issues and events as Markdown. Event data is in fences longer than any run of backticks in it.
import type { EventView } from '../../events/views.ts';
import type { StoredEvent } from '../../store/events.ts';
import type { RequestContext } from '../request-context.ts';
import { buildCurlCommand } from './curl.ts';
import { viewEventOfIssue, viewNewestEvent } from './event.ts';
import { type IssueHeadModel, issueHeadModel, type TagView } from './head.ts';
import {
  displayValue,
  messageTextOf,
  type ParsedException,
  type ParsedFrame,
  parseBreadcrumbs,
  parseExceptions,
} from './parse-event.ts';

const breadcrumbsShown = 20;
const tagsShown = 14;
const valuesShown = 4;

type Facts = ReadonlyArray<readonly [name: string, value: unknown]>;

/** `before` are parts between the tags and the latest event. */
export function issueToMarkdown(
  { issue }: Pick<IssueHeadModel, 'issue'>,
  tags: readonly TagView[],
  newest: EventView | null,
  address: string,
  before: readonly string[] = [],
): string {
  const state = issue.substatus === null ? issue.status : `${issue.status}, ${issue.substatus}`;
  const values = tags.slice(0, tagsShown).map(({ tag, values: all }) => {
    const topValues = all
      .slice(0, valuesShown)
      .map(({ value, events }) => `${displayValue(value)} (${events})`);
    return `${tag}: ${topValues.join(', ')}${all.length > valuesShown ? ', …' : ''}`;
  });
  return [
    fenceCodeBlock(issue.title),
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
    ...(values.length === 0 ? [] : ['## Tags', fenceCodeBlock(values.join('\n'))]),
    ...before,
    ...(newest === null
      ? []
      : ['# Latest event', factsBlock(factsOf(newest)), ...sectionsOf(newest as Payload)]),
    '',
  ].join('\n\n');
}

export function eventToMarkdown(event: EventView, address: string): string {
  const [id, ...others] = factsOf(event);
  return [
    fenceCodeBlock(event.title),
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
  const filled = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return fenceCodeBlock(filled.map(([name, value]) => `${name}: ${String(value)}`).join('\n'));
}

function sectionsOf(payload: Payload): string[] {
  const exceptions = parseExceptions(payload);
  const curl = buildCurlCommand(payload);
  const message = messageTextOf(payload);
  return [
    ...(message === '' ? [] : ['## Message', fenceCodeBlock(message)]),
    ...exceptions.flatMap(exceptionLines),
    ...breadcrumbLines(payload),
    ...(curl === null ? [] : ['## Request', fenceCodeBlock(curl)]),
    ...tagLines(payload),
  ];
}

/** Nested exceptions get deeper headings, up to six levels. */
function exceptionLines({ relation, depth, type, value, frames }: ParsedException): string[] {
  const level = '#'.repeat(Math.min(2 + depth, 6));
  const head = [type, value].filter((part) => part !== '').join(': ');
  return [
    `${level} ${relation.replace(/:? $/, '') || 'Exception'}`,
    fenceCodeBlock(`${head}\n${frames.map(frameLine).join('\n')}`.trimEnd()),
  ];
}

function frameLine(frame: ParsedFrame): string {
  const location = [frame.file, frame.line, frame.column]
    .filter((part) => part !== null && part !== '')
    .join(':');
  const line = `    at ${frame.function === '' ? '(anonymous)' : frame.function} (${location})`;
  return frame.inApp === false ? `${line} [library]` : line;
}

function breadcrumbLines(payload: Readonly<Record<string, unknown>>): string[] {
  const breadcrumbs = parseBreadcrumbs(payload).slice(-breadcrumbsShown);
  if (breadcrumbs.length === 0) return [];
  const lines = breadcrumbs.map(({ atMs, kind, message, data }) => {
    const at = atMs === null ? '' : new Date(atMs).toISOString();
    return [at, kind, message, data === undefined ? '' : displayValue(data)]
      .filter((part) => part !== '')
      .join('  ');
  });
  return ['## Breadcrumbs', fenceCodeBlock(lines.join('\n'))];
}

function tagLines({ tags }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(tags) || tags.length === 0) return [];
  const lines = tags.map((tag) =>
    Array.isArray(tag) ? tag.map(displayValue).join(': ') : displayValue(tag),
  );
  return ['## Tags', fenceCodeBlock(lines.join('\n'))];
}

export function fenceCodeBlock(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((max, run) => Math.max(max, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

// An issue and an event as text: "Copy as Markdown", and the files with `.md` of pages and API.

/** Of the issue of the path, with its newest event. Throws a page's 404. */
export async function issueMarkdown(context: RequestContext) {
  const { head, found, tags } = await issueHeadModel(context);
  const newest = await viewNewestEvent(context, found, head.stored);
  const issueId = head.issue.issue_id;
  return { issueId, text: issueToMarkdown(head, tags, newest, `${context.pagesUrl}/issues/${issueId}`) };
}

export function eventMarkdown(context: RequestContext, event: StoredEvent): string {
  const view = viewEventOfIssue(context, event);
  return eventToMarkdown(view, `${context.pagesUrl}/issues/${view.issue_id}/events/${view.event_id}`);
}
