// An event as Markdown, to be pasted into a ticket. What came from outside stands in fences longer than any
// run of backticks in it, so that nothing of it is markup.
import type { EventView } from '../../events/views.ts';
import { curlOf } from './curl.ts';
import {
  crumbsOf,
  type ExceptionRead,
  exceptionsOf,
  type FrameRead,
  messageOf,
  shownValue,
} from './payload.ts';

const crumbsShown = 20;

/** The event whole enough to be understood elsewhere; `address` is where its page is. */
export function eventMarkdown(event: EventView, address: string): string {
  const payload = event as Readonly<Record<string, unknown>>;
  const exceptions = exceptionsOf(payload);
  const curl = curlOf(payload);
  const facts: ReadonlyArray<readonly [string, unknown]> = [
    ['event', event.event_id],
    ['issue', event.issue_id],
    ['page', address],
    ['received', event.received],
    ['level', event.level],
    ['platform', event.platform],
    ['release', event.release],
    ['environment', event.environment],
    ['place', event.culprit],
  ];
  const said = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const message = messageOf(payload);
  return [
    fenced(event.title),
    fenced(said.map(([name, value]) => `${name}: ${String(value)}`).join('\n')),
    ...(message === '' ? [] : ['## Message', fenced(message)]),
    ...exceptions.flatMap((exception, at) => exceptionLines(exception, at)),
    ...crumbLines(payload),
    ...(curl === null ? [] : ['## Request', fenced(curl)]),
    ...tagLines(payload),
    '',
  ].join('\n\n');
}

function exceptionLines(exception: ExceptionRead, at: number): string[] {
  const stack = exception.frames.map(frameLine).join('\n');
  const head = [exception.type, exception.value].filter((part) => part !== '').join(': ');
  return [at === 0 ? '## Exception' : '## Caused by', fenced(`${head}\n${stack}`.trimEnd())];
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
  return ['## Before it happened', fenced(lines.join('\n'))];
}

function tagLines({ tags }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(tags) || tags.length === 0) return [];
  const lines = tags.map((tag) => (Array.isArray(tag) ? tag.map(shownValue).join(': ') : shownValue(tag)));
  return ['## Tags', fenced(lines.join('\n'))];
}

/** A block that nothing in it can end. */
export function fenced(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
