// An event on its issue's page, with links to the previous and next event.
import type { VNode } from 'preact';
import { addressOf, curlOf } from '../../core/workspace/issue/curl.ts';
import type { EventShown, IssueEventModel } from '../../core/workspace/issue/event.ts';
import {
  type ExceptionRead,
  exceptionsOf,
  type FrameRead,
  type MessageRead,
  messageRead,
  type Pairs,
  type Payload,
  pairsIn,
  recordOf,
  restOf,
  type ThreadRead,
  textOf,
  threadsOf,
} from '../../core/workspace/issue/payload.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { copyButton } from '../parts/controls.ts';
import { empty, pairs, section } from '../parts/layout.ts';
import { deadLink, hashLink, pageLink } from '../parts/link.ts';
import { fullTime } from '../parts/time.ts';
import { count, counted } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { crumbsPart } from './crumbs.ts';
import { frameList } from './frames.ts';
import { columnPart } from './part.ts';
import { type Room, roomOf, takes, thatFit } from './room.ts';
import { code, members, message, said, value } from './said.ts';
import { morePart, sidePart } from './side.ts';
import { whyPart } from './why.ts';

const exceptionsShown = 10;
const threadsShown = 20;
/** Maximum nesting of exception groups; deeper ones are shown at this level. */
const depthMax = 5;

const plain = ['url', 'method', 'query_string', 'headers', 'data', 'cookies', 'env', 'fragment'];

/** `split` and `log` are parts of the issue's page. */
export function eventPart(
  model: IssueEventModel,
  frame: Frame,
  { split, log }: { readonly split: Content; readonly log: Content },
): Content[] {
  const { shown } = model;
  if (shown === null) return [goneEvent(model, frame), log];
  const payload = shown.event as Payload;
  const room = roomOf(frame.query.get('show') === 'all');
  // The order in which parts use the budget.
  const stack = stackPart(payload, frame, room);
  const side = sidePart(shown, frame, room);
  const rest = [
    crumbsPart(payload, shown.event.title, frame, room),
    requestPart(payload, room),
    ...morePart(shown, model.issue.issue_id, frame, room),
  ];
  return [
    bar(model, shown, frame),
    room.isShort ? shortNote(frame) : null,
    html`<div class="cols event">
      ${stack}${whyPart(shown, split)}
      <div class="rest">${rest}${log}</div>
      ${side}
    </div>`,
  ];
}

function shortNote(frame: Frame): VNode {
  const query = { ...Object.fromEntries(frame.query), show: 'all', notice: null };
  return el(
    'p',
    { class: 'note' },
    'This event is large and is not shown in full. ',
    pageLink(frame, { path: frame.path, query }, null, 'Show all'),
  );
}

function bar(model: IssueEventModel, { event }: EventShown, frame: Frame): VNode {
  const { stored, issue } = model;
  const base = `/issues/${issue.issue_id}/events`;
  const path = `${base}/${event.event_id}`;
  const exports = [
    pageLink(frame, { path: `${path}/download` }, { download: true }, 'JSON'),
    ' ',
    pageLink(frame, { path: `${path}.md` }, { download: true }, 'Markdown'),
    ' ',
    'request' in event ? hashLink('curl', null, 'curl') : null,
  ];
  const step = (name: string, to: string | null, rel: string | null): VNode =>
    to === null
      ? deadLink({ class: 'btn small' }, name)
      : pageLink(frame, { path: `${base}/${to}` }, { class: 'btn small', rel }, name);
  const { older_event_id: older, newer_event_id: newer } = event;
  return el(
    'div',
    { class: 'evbar' },
    el(
      'p',
      null,
      html`<strong>${fullTime(event.received)}</strong>`,
      ' ',
      html`<span class="dim">event <code>${event.event_id.slice(0, 8)}</code>${placeWords(model)}</span>`,
    ),
    html`<p class="acts">
      <span class="small exp">${exports}</span>
      <span class="joined">
        ${step('Oldest', older === null ? null : (stored.oldest_event_id ?? 'oldest'), null)}
        ${step('Older', older, 'prev')}${step('Newer', newer, 'next')}
        ${step('Latest', newer === null ? null : 'latest', null)}
      </span>
    </p>`,
  );
}

function placeWords({ stored, shown }: IssueEventModel): string {
  const id = shown?.event.event_id;
  const all = `${count(stored.events)}${stored.capped ? ' or more' : ''}`;
  if (stored.events === 1) return ', the only one stored';
  if (id === stored.newest_event_id) return `, newest of ${all}`;
  return id === stored.oldest_event_id ? `, oldest of ${all}` : `, one of ${all}`;
}

/** The event was removed by retention or never existed. */
function goneEvent({ issue, stored }: IssueEventModel, frame: Frame): VNode {
  const path = `/issues/${issue.issue_id}/events/latest`;
  const hasOthers = stored.events > 0;
  return empty(
    hasOthers ? 'This event is no longer stored' : 'No events of this issue are stored any more',
    hasOthers
      ? 'Events are deleted after the retention period, while counts are kept. This one was deleted, or it belongs to another issue.'
      : 'Events are deleted after the retention period, while counts are kept. The next event is shown here.',
    hasOthers ? pageLink(frame, { path }, null, 'Latest event') : null,
  );
}

function requestPart(payload: Payload, room: Room): VNode | null {
  const request = recordOf(payload['request']);
  if (request === null) return null;
  const curl = curlOf(payload);
  const headers = named(request['headers'], room);
  const address = addressOf(request);
  const method = textOf(request['method']);
  const others = restOf(request, plain);
  const query = request['query_string'];
  // If the URL has a query, `query_string` is shown separately.
  const isInAddress =
    address !== null && (!textOf(request['url']).includes('?') || address.endsWith(`?${textOf(query)}`));
  return section(
    { id: 's-req', title: 'Request' },
    pairs([
      ['URL', address === null ? null : code(`${method} ${address}`.trim())],
      ['Method', address === null && method !== '' ? code(method) : null],
      ['Query', isInAddress || query === undefined ? null : value(query, room)],
      ['Fragment', request['fragment'] === undefined ? null : value(request['fragment'], room)],
      ...headers,
      ['Cookies', request['cookies'] === undefined ? null : value(request['cookies'], room)],
      ['Body', request['data'] === undefined ? null : value(request['data'], room)],
      ['Environment', request['env'] === undefined ? null : value(request['env'], room)],
      ...others.map(([name, each]) => [said(name), value(each, room)] as const),
    ]),
    curl === null || !takes(room, curl.length) ? null : curlLine(curl),
  );
}

function named(sent: unknown, room: Room): ReadonlyArray<readonly [Content, Content]> {
  if (typeof sent === 'string') return [['Headers', value(sent, room)]];
  return thatFit(pairsIn(sent), room, ([name]) => name.length).map(
    ([name, each]) => [said(name), value(each, room)] as const,
  );
}

function curlLine(curl: string): VNode {
  return html`<details id="curl">
    <summary>As a curl command</summary>
    <pre class="snip" id="curl-line">${visible(curl)}</pre>
    <p>${copyButton('curl-line', 'the curl command')}</p>
  </details>`;
}

function stackPart(payload: Payload, frame: Frame, room: Room): VNode {
  const exceptions = exceptionsOf(payload);
  const threads = threadsOf(payload).filter(
    ({ frames, name, rest }) => frames.length > 0 || name !== '' || rest.length > 0,
  );
  const isMapped = [...exceptions, ...threads].some(({ rawFrames }) => rawFrames !== null);
  const raw = frame.query.get('stack') === 'raw';
  const parts =
    exceptions.length > 0
      ? [...treeOf(exceptions, raw, room), beside(payload, exceptions, room)]
      : spoken(payload, room);
  return columnPart(
    {
      name: 'stackpart',
      id: 's-stack',
      title: exceptions.length > 0 ? 'Exception' : 'Message',
      beside: isMapped ? choice(frame, raw) : null,
    },
    ...parts,
    threads.length === 0 ? null : threadsPart(threads, raw, room),
  );
}

function choice(frame: Frame, raw: boolean): VNode {
  const kept = Object.fromEntries(frame.query);
  const to = (stack: string | null) => ({ path: frame.path, query: { ...kept, stack, notice: null } });
  const current = (is: boolean) => ({ class: 'btn small', 'aria-current': is ? 'true' : null });
  return html`<p class="acts">
    <span class="joined">
      ${pageLink(frame, to(null), current(!raw), 'Source-mapped')}${pageLink(frame, to('raw'), current(raw), 'Raw')}
    </span>
  </p>`;
}

function treeOf(exceptions: readonly ExceptionRead[], raw: boolean, room: Room): Content[] {
  const most = room.frames === Number.POSITIVE_INFINITY ? exceptions.length : exceptionsShown;
  const shown = exceptions.slice(0, most);
  const left = exceptions.length - shown.length;
  if (left > 0) room.isShort = true;
  return [
    ...branch(shown, 0, (exception) => exceptionPart(exception, raw, room)),
    left === 0 ? null : html`<p class="hint">${counted(left, 'more exception')} not shown.</p>`,
  ];
}

/** Exceptions from one depth on; deeper ones become nested branches. */
function branch(
  exceptions: readonly ExceptionRead[],
  depth: number,
  draw: (exception: ExceptionRead) => VNode,
): VNode[] {
  const drawn: VNode[] = [];
  for (let at = 0; at < exceptions.length; ) {
    const isDeeper = (each: ExceptionRead): boolean => each.depth > depth;
    const exception = exceptions[at] as ExceptionRead;
    if (depth === depthMax || !isDeeper(exception)) {
      drawn.push(draw(exception));
      at += 1;
      continue;
    }
    const end = exceptions.findIndex((each, from) => from > at && !isDeeper(each));
    const deeper = exceptions.slice(at, end === -1 ? exceptions.length : end);
    drawn.push(html`<div class="branch">${branch(deeper, depth + 1, draw)}</div>`);
    at += deeper.length;
  }
  return drawn;
}

function exceptionPart(exception: ExceptionRead, raw: boolean, room: Room): VNode {
  const frames = raw ? (exception.rawFrames ?? exception.frames) : exception.frames;
  const how = mechanismWords(exception.mechanism);
  return el(
    'div',
    { class: 'exc' },
    html`<h3>
      ${exception.relation === '' ? null : html`<span class="dim">${exception.relation}</span>`}
      ${said(exception.type === '' ? 'Exception' : exception.type)}
      ${how === '' ? null : html`<span class="dim small"> ${said(how)}</span>`}
    </h3>`,
    message(exception.value, room),
    more('Exception details', [...exception.rest, ...mechanismRest(exception.mechanism)], room),
    frames.length === 0
      ? html`<p class="hint">No stack trace was sent.</p>`
      : frameList(frames, room, exception.isMain ? 'topmost' : 'closed'),
  );
}

/** `unhandled, by onunhandledrejection`; empty without a mechanism. */
function mechanismWords(mechanism: Payload | null): string {
  if (mechanism === null) return '';
  const handled = mechanism['handled'];
  const type = typeof mechanism['type'] === 'string' ? mechanism['type'] : '';
  const words = [
    handled === true ? 'handled' : handled === false ? 'unhandled' : '',
    // These types only describe the relation to another exception, which is shown elsewhere.
    ['', 'generic', 'chained', 'suppressed'].includes(type) ? '' : `by ${type}`,
  ];
  return words.filter((word) => word !== '').join(', ');
}

function mechanismRest(mechanism: Payload | null): Pairs {
  return restOf(mechanism, ['type', 'handled']);
}

function more(title: string, rest: Pairs, room: Room): VNode | null {
  const shown = thatFit(rest, room, ([name]) => name.length);
  if (shown.length === 0) return null;
  return html`<details class="small"><summary>${title}</summary>${members(shown, room)}</details>`;
}

/** The message logged together with an exception, unless it is the exception's own text. */
function beside(payload: Payload, exceptions: readonly ExceptionRead[], room: Room): VNode | null {
  const entry = messageRead(payload);
  if (entry === null) return null;
  const isSaid = exceptions.some(({ value }) => value === entry.text);
  const filled = filledIn(entry, room);
  if ((isSaid || entry.text === '') && filled === null) return null;
  return html`<div class="exc"><h3>Message</h3>${isSaid ? null : message(entry.text, room)}${filled}</div>`;
}

function filledIn({ template, params, rest }: MessageRead, room: Room): VNode | null {
  const rows: Array<readonly [Content, Content]> = [
    ['Template', template === '' ? null : value(template, room)],
    ['Values', params === undefined || params === null ? null : value(params, room)],
    ...rest.map(([name, each]) => [said(name), value(each, room)] as const),
  ];
  return rows.every(([, each]) => each === null) ? null : pairs(rows);
}

function spoken(payload: Payload, room: Room): Content[] {
  const entry = messageRead(payload);
  const text = entry?.text ?? '';
  const hint = 'This event has a message but no exception.';
  return [
    html`<div class="exc">
      ${text === '' ? html`<p class="dim">No message.</p>` : message(text, room)}
      ${entry === null ? null : filledIn(entry, room)}
      <p class="hint">${hint}</p>
    </div>`,
  ];
}

function threadsPart(threads: readonly ThreadRead[], raw: boolean, room: Room): VNode {
  const first = threads.toSorted((one, other) => rank(other) - rank(one));
  const most = room.frames === Number.POSITIVE_INFINITY ? first.length : threadsShown;
  const shown = first.slice(0, most);
  const left = first.length - shown.length;
  if (left > 0) room.isShort = true;
  return section(
    { id: 's-threads', title: 'Threads' },
    ...shown.map((thread) => threadPart(thread, raw, room)),
    left === 0 ? null : html`<p class="hint">${counted(left, 'thread')} more not shown.</p>`,
  );
}

/** Crashed threads first, then the current one. */
function rank({ crashed, current }: ThreadRead): number {
  return Number(crashed) * 2 + Number(current);
}

function threadPart(thread: ThreadRead, raw: boolean, room: Room): VNode {
  const frames: readonly FrameRead[] = raw ? (thread.rawFrames ?? thread.frames) : thread.frames;
  const words = [thread.crashed ? 'crashed' : '', thread.current ? 'current' : '', thread.state];
  const state = words.filter((word) => word !== '').join(', ');
  return html`<div class="exc">
    <h3>
      ${said(thread.name === '' ? 'Thread' : thread.name)}
      ${state === '' ? null : html`<span class="dim small"> ${said(state)}</span>`}
    </h3>
    ${more('Thread details', thread.rest, room)}
    ${frameList(frames, room, 'closed') ?? html`<p class="hint">No stack trace.</p>`}
  </div>`;
}
