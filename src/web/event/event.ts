import type { VNode } from 'preact';
import { buildCurlCommand, requestUrl } from '../../core/page-models/issue/curl.ts';
import type { IssueEventModel, ShownEvent } from '../../core/page-models/issue/event.ts';
import {
  type EventPayload,
  objectOrNull,
  otherMembers,
  type Pairs,
  type ParsedException,
  type ParsedFrame,
  type ParsedMessage,
  type ParsedThread,
  parseExceptions,
  parseMessage,
  parseThreads,
  scalarText,
  toPairs,
} from '../../core/page-models/issue/parse-event.ts';
import { copyButton } from '../components/controls.ts';
import { emptyState, nameValueList, section } from '../components/elements.ts';
import { disabledLink, fragmentLink, pageLink } from '../components/link.ts';
import { fullTime } from '../components/time.ts';
import { type Content, el, html } from '../el.ts';
import { count, counted } from '../formatters/numbers.ts';
import { replaceInvisible } from '../formatters/replace-invisible.ts';
import type { PageContext } from '../page-context.ts';
import { breadcrumbsSection } from './breadcrumbs.ts';
import { columnSection } from './column-section.ts';
import { groupingSection } from './grouping.ts';
import { createRenderBudget, type RenderBudget, takeCharacters, takeFitting } from './render-budget.ts';
import { eventSidebar, moreSections, tagsSection } from './sidebar.ts';
import { frameList } from './stack-frames.ts';
import { expandableMessage, memberList, untrustedCode, untrustedText, valueCode } from './values.ts';

const exceptionsShown = 10;
const threadsShown = 20;
/** Maximum nesting of exception groups; deeper ones are shown at this level. */
const depthMax = 5;

const plain = ['url', 'method', 'query_string', 'headers', 'data', 'cookies', 'env', 'fragment'];

/** `split` and `log` are parts of the issue's page. */
export function eventPart(
  model: IssueEventModel,
  context: PageContext,
  { split, log }: { readonly split: Content; readonly log: Content },
): Content[] {
  const { shown } = model;
  if (shown === null) return [missingEvent(model, context), log];
  const payload = shown.event as EventPayload;
  const room = createRenderBudget(context.query.get('show') === 'all');
  // The order in which parts use the budget.
  const stack = stackPart(payload, model.issue.title, context, room);
  const tags = tagsSection(shown, context, room);
  const side = eventSidebar(shown, context, room, groupingSection(shown, split));
  const rest = [
    breadcrumbsSection(payload, shown.event.title, context, room),
    requestPart(payload, room),
    ...moreSections(shown, model.issue.issue_id, context, room),
  ];
  return [
    eventNavigation(model, shown, context),
    room.isShort ? shortNote(context) : null,
    html`<div class="cols event">
      ${stack}${tags}
      <div class="rest">${rest}${log}</div>
      ${side}
    </div>`,
  ];
}

function shortNote(frame: PageContext): VNode {
  const query = { ...Object.fromEntries(frame.query), show: 'all', notice: null };
  return el(
    'p',
    { class: 'note' },
    'This event is large and is not shown in full. ',
    pageLink(frame, { path: frame.path, query }, null, 'Show all'),
  );
}

function eventNavigation(model: IssueEventModel, { event }: ShownEvent, frame: PageContext): VNode {
  const { stored, issue } = model;
  const base = `/issues/${issue.issue_id}/events`;
  const path = `${base}/${event.event_id}`;
  const exports = [
    pageLink(frame, { path: `${path}/download` }, { download: true }, 'JSON'),
    ' ',
    pageLink(frame, { path: `${path}.md` }, { download: true }, 'Markdown'),
    ' ',
    'request' in event ? fragmentLink('curl', null, 'curl') : null,
  ];
  const step = (name: string, to: string | null, rel: string | null): VNode =>
    to === null
      ? disabledLink({ class: 'btn small' }, name)
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
function missingEvent({ issue, stored }: IssueEventModel, frame: PageContext): VNode {
  const path = `/issues/${issue.issue_id}/events/latest`;
  const hasOthers = stored.events > 0;
  return emptyState(
    hasOthers ? 'This event is no longer stored' : 'No events of this issue are stored any more',
    hasOthers
      ? 'Events are deleted after the retention period, while counts are kept. This one was deleted, or it belongs to another issue.'
      : 'Events are deleted after the retention period, while counts are kept. The next event is shown here.',
    hasOthers ? pageLink(frame, { path }, null, 'Latest event') : null,
  );
}

function requestPart(payload: EventPayload, budget: RenderBudget): VNode | null {
  const request = objectOrNull(payload['request']);
  if (request === null) return null;
  const curl = buildCurlCommand(payload);
  const headers = named(request['headers'], budget);
  const address = requestUrl(request);
  const method = scalarText(request['method']);
  const others = otherMembers(request, plain);
  const query = request['query_string'];
  // If the URL has a query, `query_string` is shown separately.
  const isInAddress =
    address !== null &&
    (!scalarText(request['url']).includes('?') || address.endsWith(`?${scalarText(query)}`));
  return section(
    { id: 's-req', title: 'Request' },
    nameValueList([
      ['URL', address === null ? null : untrustedCode(`${method} ${address}`.trim())],
      ['Method', address === null && method !== '' ? untrustedCode(method) : null],
      ['Query', isInAddress || query === undefined ? null : valueCode(query, budget)],
      ['Fragment', request['fragment'] === undefined ? null : valueCode(request['fragment'], budget)],
      ...headers,
      ['Cookies', request['cookies'] === undefined ? null : valueCode(request['cookies'], budget)],
      ['Body', request['data'] === undefined ? null : valueCode(request['data'], budget)],
      ['Environment', request['env'] === undefined ? null : valueCode(request['env'], budget)],
      ...others.map(([name, each]) => [untrustedText(name), valueCode(each, budget)] as const),
    ]),
    curl === null || !takeCharacters(budget, curl.length) ? null : curlLine(curl),
  );
}

function named(sent: unknown, room: RenderBudget): ReadonlyArray<readonly [Content, Content]> {
  if (typeof sent === 'string') return [['Headers', valueCode(sent, room)]];
  return takeFitting(toPairs(sent), room, ([name]) => name.length).map(
    ([name, each]) => [untrustedText(name), valueCode(each, room)] as const,
  );
}

function curlLine(curl: string): VNode {
  return html`<details id="curl">
    <summary>As a curl command</summary>
    <pre class="snip" id="curl-line">${replaceInvisible(curl)}</pre>
    <p>${copyButton('curl-line', 'the curl command')}</p>
  </details>`;
}

/** What the exception in the title says of its handling: the head shows it, and its stack has no heading. */
export function handlingOf({ shown, issue }: IssueEventModel): string {
  const [first] = shown === null ? [] : parseExceptions(shown.event as EventPayload);
  if (first === undefined || !isInTitle(first, issue.title)) return '';
  return mechanismWords(first.mechanism)[0] ?? '';
}

function isInTitle({ isMain, depth, relation, type, value }: ParsedException, title: string): boolean {
  if (!isMain || depth > 0 || relation !== '' || type === '') return false;
  return title === (value === '' ? type : `${type}: ${value}`);
}

function stackPart(payload: EventPayload, title: string, frame: PageContext, room: RenderBudget): VNode {
  const exceptions = parseExceptions(payload);
  const threads = parseThreads(payload).filter(
    ({ frames, name, rest }) => frames.length > 0 || name !== '' || rest.length > 0,
  );
  const isMapped = [...exceptions, ...threads].some(({ rawFrames }) => rawFrames !== null);
  const look = {
    raw: frame.query.get('stack') === 'raw',
    isWhole: frame.query.get('frames') === 'all',
    title,
  };
  const parts =
    exceptions.length > 0
      ? [...treeOf(exceptions, look, room), loggedMessage(payload, exceptions, room)]
      : messageSection(payload, room);
  const hasFrames = [...exceptions, ...threads].some(({ frames }) => frames.length > 0);
  return columnSection(
    {
      name: 'stackpart',
      id: 's-stack',
      title: exceptions.length === 0 ? 'Message' : hasFrames ? 'Stack trace' : 'Exception',
      beside: hasFrames ? stackSwitches(frame, look, isMapped) : null,
    },
    ...parts,
    threads.length === 0 ? null : threadsPart(threads, look, room),
  );
}

interface StackLook {
  readonly raw: boolean;
  /** Library frames are shown one by one. */
  readonly isWhole: boolean;
  readonly title: string;
}

function stackSwitches(frame: PageContext, { raw, isWhole }: StackLook, isMapped: boolean): VNode {
  const params = Object.fromEntries(frame.query);
  const one = (query: Record<string, string | null>, is: boolean, word: string): VNode =>
    pageLink(
      frame,
      { path: frame.path, query: { ...params, ...query, notice: null } },
      { class: 'btn small', 'aria-current': is ? 'true' : null },
      word,
    );
  return html`<p class="acts">
    <span class="joined">
      ${one({ frames: null }, !isWhole, 'In-app')}${one({ frames: 'all' }, isWhole, 'All frames')}
    </span>
    ${
      isMapped
        ? html`<span class="joined">
            ${one({ stack: null }, !raw, 'Source-mapped')}${one({ stack: 'raw' }, raw, 'Raw')}
          </span>`
        : null
    }
  </p>`;
}

function treeOf(exceptions: readonly ParsedException[], look: StackLook, room: RenderBudget): Content[] {
  const most = room.frames === Number.POSITIVE_INFINITY ? exceptions.length : exceptionsShown;
  const shown = exceptions.slice(0, most);
  const left = exceptions.length - shown.length;
  if (left > 0) room.isShort = true;
  return [
    ...branch(shown, 0, (exception) => exceptionPart(exception, look, room)),
    left === 0 ? null : html`<p class="hint">${counted(left, 'more exception')} not shown.</p>`,
  ];
}

function branch(
  exceptions: readonly ParsedException[],
  depth: number,
  draw: (exception: ParsedException) => VNode,
): VNode[] {
  const drawn: VNode[] = [];
  for (let at = 0; at < exceptions.length; ) {
    const isDeeper = (each: ParsedException): boolean => each.depth > depth;
    const exception = exceptions[at] as ParsedException;
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

function exceptionPart(exception: ParsedException, look: StackLook, room: RenderBudget): VNode {
  const frames = look.raw ? (exception.rawFrames ?? exception.frames) : exception.frames;
  const isTitle = isInTitle(exception, look.title);
  // The head of the page says only the first of the words.
  const shownMembers =
    isTitle && mechanismWords(exception.mechanism).length > 1 ? ['handled'] : ['type', 'handled'];
  return el(
    'div',
    { class: 'exc' },
    ...(isTitle ? [] : [exceptionHeading(exception), expandableMessage(exception.value, room)]),
    more('Exception details', [...exception.rest, ...otherMembers(exception.mechanism, shownMembers)], room),
    frames.length === 0
      ? html`<p class="hint">No stack trace was sent.</p>`
      : frameList(frames, room, { opened: exception.isMain ? 'topmost' : 'none', isWhole: look.isWhole }),
  );
}

function exceptionHeading(exception: ParsedException): VNode {
  const how = mechanismWords(exception.mechanism).join(', ');
  return html`<h3>
    ${exception.relation === '' ? null : html`<span class="dim">${exception.relation}</span>`}
    ${untrustedText(exception.type === '' ? 'Exception' : exception.type)}
    ${how === '' ? null : html`<span class="dim small"> ${untrustedText(how)}</span>`}
  </h3>`;
}

/** `unhandled` and `by onunhandledrejection`, those that are known. */
function mechanismWords(mechanism: EventPayload | null): string[] {
  if (mechanism === null) return [];
  const handled = mechanism['handled'];
  const type = typeof mechanism['type'] === 'string' ? mechanism['type'] : '';
  const words = [
    handled === true ? 'handled' : handled === false ? 'unhandled' : '',
    // These types only describe the relation to another exception, which is shown elsewhere.
    ['', 'generic', 'chained', 'suppressed'].includes(type) ? '' : `by ${type}`,
  ];
  return words.filter((word) => word !== '');
}

function more(title: string, rest: Pairs, room: RenderBudget): VNode | null {
  const shown = takeFitting(rest, room, ([name]) => name.length);
  if (shown.length === 0) return null;
  return html`<details class="small"><summary>${title}</summary>${memberList(shown, room)}</details>`;
}

/** The message logged together with an exception, unless it is the exception's own text. */
function loggedMessage(
  payload: EventPayload,
  exceptions: readonly ParsedException[],
  room: RenderBudget,
): VNode | null {
  const entry = parseMessage(payload);
  if (entry === null) return null;
  const isSaid = exceptions.some(({ value }) => value === entry.text);
  const filled = messageParameters(entry, room);
  if ((isSaid || entry.text === '') && filled === null) return null;
  return html`<div class="exc"><h3>Message</h3>${isSaid ? null : expandableMessage(entry.text, room)}${filled}</div>`;
}

function messageParameters({ template, params, rest }: ParsedMessage, room: RenderBudget): VNode | null {
  const rows: Array<readonly [Content, Content]> = [
    ['Template', template === '' ? null : valueCode(template, room)],
    ['Values', params === undefined || params === null ? null : valueCode(params, room)],
    ...rest.map(([name, each]) => [untrustedText(name), valueCode(each, room)] as const),
  ];
  return rows.every(([, each]) => each === null) ? null : nameValueList(rows);
}

function messageSection(payload: EventPayload, room: RenderBudget): Content[] {
  const entry = parseMessage(payload);
  const text = entry?.text ?? '';
  const hint = 'This event has a message but no exception.';
  return [
    html`<div class="exc">
      ${text === '' ? html`<p class="dim">No message.</p>` : expandableMessage(text, room)}
      ${entry === null ? null : messageParameters(entry, room)}
      <p class="hint">${hint}</p>
    </div>`,
  ];
}

function threadsPart(threads: readonly ParsedThread[], look: StackLook, room: RenderBudget): VNode {
  const first = threads.toSorted((one, other) => rank(other) - rank(one));
  const most = room.frames === Number.POSITIVE_INFINITY ? first.length : threadsShown;
  const shown = first.slice(0, most);
  const left = first.length - shown.length;
  if (left > 0) room.isShort = true;
  return section(
    { id: 's-threads', title: 'Threads' },
    ...shown.map((thread) => threadPart(thread, look, room)),
    left === 0 ? null : html`<p class="hint">${counted(left, 'thread')} more not shown.</p>`,
  );
}

function rank({ crashed, current }: ParsedThread): number {
  return Number(crashed) * 2 + Number(current);
}

function threadPart(thread: ParsedThread, look: StackLook, room: RenderBudget): VNode {
  const frames: readonly ParsedFrame[] = look.raw ? (thread.rawFrames ?? thread.frames) : thread.frames;
  const words = [thread.crashed ? 'crashed' : '', thread.current ? 'current' : '', thread.state];
  const state = words.filter((word) => word !== '').join(', ');
  return html`<div class="exc">
    <h3>
      ${untrustedText(thread.name === '' ? 'Thread' : thread.name)}
      ${state === '' ? null : html`<span class="dim small"> ${untrustedText(state)}</span>`}
    </h3>
    ${more('Thread details', thread.rest, room)}
    ${frameList(frames, room, { opened: 'none', isWhole: look.isWhole }) ?? html`<p class="hint">No stack trace.</p>`}
  </div>`;
}
