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
import { type Content, disabledLink, el, fragmentLink, html, pageLink, type VNode } from '../el.ts';
import { count, counted, fullTime, replaceInvisible, untrustedCode, untrustedText } from '../formatters.ts';
import { type PageContext, type QueryParams, samePage } from '../page-context.ts';
import { breadcrumbsSection } from './breadcrumbs.ts';
import { groupingSection } from './grouping.ts';
import { createRenderBudget, type RenderBudget, takeCharacters, takeFitting } from './render-budget.ts';
import { eventSidebar, moreSections, tagsSection } from './sidebar.ts';
import { frameList } from './stack-frames.ts';
import { expandableMessage, memberList, memberRows, valueCode } from './values.ts';

const exceptionsShown = 10;
const threadsShown = 20;
/** Maximum nesting of exception groups; deeper ones are shown at this level. */
const depthMax = 5;

const plainFields = ['url', 'method', 'query_string', 'headers', 'data', 'cookies', 'env', 'fragment'];

/** `split` and `log` are parts of the issue's page. */
export function eventPart(
  model: IssueEventModel,
  context: PageContext,
  { split, log }: { readonly split: Content; readonly log: Content },
): Content[] {
  const { shown } = model;
  if (shown === null) return [missingEvent(model, context), log];
  const payload = shown.event as EventPayload;
  const budget = createRenderBudget(context.query.get('show') === 'all');
  // The order in which parts use the budget.
  const stack = stackPart(payload, model.issue.title, context, budget);
  const tags = tagsSection(shown, context, budget);
  const side = eventSidebar(shown, context, budget, groupingSection(shown, split));
  const rest = [
    breadcrumbsSection(payload, shown.event.title, context, budget),
    requestPart(payload, budget),
    ...moreSections(shown, model.issue.issue_id, context, budget),
  ];
  return [
    eventNavigation(model, shown, context),
    budget.isShort ? shortNote(context) : null,
    html`<div class="cols event">
      ${stack}${tags}
      <div class="rest">${rest}${log}</div>
      ${side}
    </div>`,
  ];
}

function shortNote(context: PageContext): VNode {
  return html`<p class="note">
    This event is large and is not shown in full.${' '}
    ${pageLink(context, samePage(context, { show: 'all' }), null, 'Show all')}
  </p>`;
}

function eventNavigation(model: IssueEventModel, { event }: ShownEvent, context: PageContext): VNode {
  const { stored, issue } = model;
  const base = `/issues/${issue.issue_id}/events`;
  const path = `${base}/${event.event_id}`;
  const exports = [
    pageLink(context, `${path}/download`, { download: true }, 'JSON'),
    ' ',
    pageLink(context, `${path}.md`, { download: true }, 'Markdown'),
    ' ',
    'request' in event ? fragmentLink('curl', null, 'curl') : null,
  ];
  const step = (name: string, to: string | null, rel: string | null): VNode =>
    to === null
      ? disabledLink({ class: 'btn small' }, name)
      : pageLink(context, `${base}/${to}`, { class: 'btn small', rel }, name);
  const { older_event_id: older, newer_event_id: newer } = event;
  return html`<div class="evbar">
    <p>
      <strong>${fullTime(event.received)}</strong>${' '}
      <span class="dim">event <code>${event.event_id.slice(0, 8)}</code>${positionText(model)}</span>
    </p>
    <p class="acts">
      <span class="small exp">${exports}</span>
      <span class="joined">
        ${step('Oldest', older === null ? null : (stored.oldest_event_id ?? 'oldest'), null)}
        ${step('Older', older, 'prev')}${step('Newer', newer, 'next')}
        ${step('Latest', newer === null ? null : 'latest', null)}
      </span>
    </p>
  </div>`;
}

function positionText({ stored, shown }: IssueEventModel): string {
  const id = shown?.event.event_id;
  const all = `${count(stored.events)}${stored.capped ? ' or more' : ''}`;
  if (stored.events === 1) return ', the only one stored';
  if (id === stored.newest_event_id) return `, newest of ${all}`;
  return id === stored.oldest_event_id ? `, oldest of ${all}` : `, one of ${all}`;
}

/** The event was removed by retention or never existed. */
function missingEvent({ issue, stored }: IssueEventModel, context: PageContext): VNode {
  const path = `/issues/${issue.issue_id}/events/latest`;
  const hasOthers = stored.events > 0;
  return emptyState(
    hasOthers ? 'This event is no longer stored' : 'No events of this issue are stored any more',
    hasOthers
      ? 'Events are deleted after the retention period, while counts are kept. This one was deleted, or it belongs to another issue.'
      : 'Events are deleted after the retention period, while counts are kept. The next event is shown here.',
    hasOthers ? pageLink(context, path, null, 'Latest event') : null,
  );
}

function requestPart(payload: EventPayload, budget: RenderBudget): VNode | null {
  const request = objectOrNull(payload['request']);
  if (request === null) return null;
  const curl = buildCurlCommand(payload);
  const headers = named(request['headers'], budget);
  const address = requestUrl(request);
  const method = scalarText(request['method']);
  const others = otherMembers(request, plainFields);
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
      ...memberRows(others, budget),
    ]),
    curl === null || !takeCharacters(budget, curl.length) ? null : curlLine(curl),
  );
}

function named(sent: unknown, budget: RenderBudget): ReadonlyArray<readonly [Content, Content]> {
  if (typeof sent === 'string') return [['Headers', valueCode(sent, budget)]];
  return memberRows(
    takeFitting(toPairs(sent), budget, ([name]) => name.length),
    budget,
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
  return mechanismTexts(first.mechanism)[0] ?? '';
}

function isInTitle({ isMain, depth, relation, type, value }: ParsedException, title: string): boolean {
  if (!isMain || depth > 0 || relation !== '' || type === '') return false;
  return title === (value === '' ? type : `${type}: ${value}`);
}

function stackPart(payload: EventPayload, title: string, context: PageContext, budget: RenderBudget): VNode {
  const exceptions = parseExceptions(payload);
  const threads = parseThreads(payload).filter(
    ({ frames, name, rest }) => frames.length > 0 || name !== '' || rest.length > 0,
  );
  const isMapped = [...exceptions, ...threads].some(({ rawFrames }) => rawFrames !== null);
  const display = {
    raw: context.query.get('stack') === 'raw',
    isWhole: context.query.get('frames') === 'all',
    title,
  };
  const content =
    exceptions.length > 0
      ? [...treeOf(exceptions, display, budget), loggedMessage(payload, exceptions, budget)]
      : messageSection(payload, budget);
  const hasFrames = [...exceptions, ...threads].some(({ frames }) => frames.length > 0);
  return section(
    {
      class: 'stackpart',
      id: 's-stack',
      title: exceptions.length === 0 ? 'Message' : hasFrames ? 'Stack trace' : 'Exception',
      aside: hasFrames ? stackSwitches(context, display, isMapped) : null,
    },
    ...content,
    threads.length === 0 ? null : threadsPart(threads, display, budget),
  );
}

interface StackDisplay {
  readonly raw: boolean;
  /** Library frames are shown one by one. */
  readonly isWhole: boolean;
  readonly title: string;
}

function stackSwitches(context: PageContext, { raw, isWhole }: StackDisplay, isMapped: boolean): VNode {
  const one = (query: QueryParams, is: boolean, word: string): VNode => {
    const attributes = { class: 'btn small', 'aria-current': is ? 'true' : null };
    return pageLink(context, samePage(context, query), attributes, word);
  };
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

function treeOf(exceptions: readonly ParsedException[], display: StackDisplay, budget: RenderBudget) {
  const shownMax = budget.frames === Number.POSITIVE_INFINITY ? exceptions.length : exceptionsShown;
  const shown = exceptions.slice(0, shownMax);
  const hiddenCount = exceptions.length - shown.length;
  if (hiddenCount > 0) budget.isShort = true;
  return [
    ...branch(shown, 0, (exception) => exceptionPart(exception, display, budget)),
    hiddenCount === 0 ? null : html`<p class="hint">${counted(hiddenCount, 'more exception')} not shown.</p>`,
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

function exceptionPart(exception: ParsedException, display: StackDisplay, budget: RenderBudget): VNode {
  const frames = display.raw ? (exception.rawFrames ?? exception.frames) : exception.frames;
  const isTitle = isInTitle(exception, display.title);
  // The head of the page says only the first of the words.
  const shownMembers =
    isTitle && mechanismTexts(exception.mechanism).length > 1 ? ['handled'] : ['type', 'handled'];
  return el(
    'div',
    { class: 'exc' },
    ...(isTitle ? [] : [exceptionHeading(exception), expandableMessage(exception.value, budget)]),
    more(
      'Exception details',
      [...exception.rest, ...otherMembers(exception.mechanism, shownMembers)],
      budget,
    ),
    frames.length === 0
      ? html`<p class="hint">No stack trace was sent.</p>`
      : frameList(frames, budget, {
          opened: exception.isMain ? 'topmost' : 'none',
          isWhole: display.isWhole,
        }),
  );
}

function exceptionHeading(exception: ParsedException): VNode {
  const mechanism = mechanismTexts(exception.mechanism).join(', ');
  return html`<h3>
    ${exception.relation === '' ? null : html`<span class="dim">${exception.relation}</span>`}
    ${untrustedText(exception.type === '' ? 'Exception' : exception.type)}
    ${mechanism === '' ? null : html`<span class="dim small"> ${untrustedText(mechanism)}</span>`}
  </h3>`;
}

/** `unhandled` and `by onunhandledrejection`, those that are known. */
function mechanismTexts(mechanism: EventPayload | null): string[] {
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

function more(title: string, rest: Pairs, budget: RenderBudget): VNode | null {
  const shown = takeFitting(rest, budget, ([name]) => name.length);
  if (shown.length === 0) return null;
  return html`<details class="small"><summary>${title}</summary>${memberList(shown, budget)}</details>`;
}

/** The message logged together with an exception, unless it is the exception's own text. */
function loggedMessage(payload: EventPayload, exceptions: readonly ParsedException[], budget: RenderBudget) {
  const entry = parseMessage(payload);
  if (entry === null) return null;
  const isSaid = exceptions.some(({ value }) => value === entry.text);
  const filled = messageParameters(entry, budget);
  if ((isSaid || entry.text === '') && filled === null) return null;
  return html`<div class="exc"><h3>Message</h3>${isSaid ? null : expandableMessage(entry.text, budget)}${filled}</div>`;
}

function messageParameters({ template, params, rest }: ParsedMessage, budget: RenderBudget): VNode | null {
  const rows: Array<readonly [Content, Content]> = [
    ['Template', template === '' ? null : valueCode(template, budget)],
    ['Values', params === undefined || params === null ? null : valueCode(params, budget)],
    ...memberRows(rest, budget),
  ];
  return rows.every(([, each]) => each === null) ? null : nameValueList(rows);
}

function messageSection(payload: EventPayload, budget: RenderBudget): Content[] {
  const entry = parseMessage(payload);
  const text = entry?.text ?? '';
  const hint = 'This event has a message but no exception.';
  return [
    html`<div class="exc">
      ${text === '' ? html`<p class="dim">No message.</p>` : expandableMessage(text, budget)}
      ${entry === null ? null : messageParameters(entry, budget)}
      <p class="hint">${hint}</p>
    </div>`,
  ];
}

function threadsPart(threads: readonly ParsedThread[], display: StackDisplay, budget: RenderBudget): VNode {
  const first = threads.toSorted((one, other) => rank(other) - rank(one));
  const shownMax = budget.frames === Number.POSITIVE_INFINITY ? first.length : threadsShown;
  const shown = first.slice(0, shownMax);
  const hiddenCount = first.length - shown.length;
  if (hiddenCount > 0) budget.isShort = true;
  return section(
    { id: 's-threads', title: 'Threads' },
    ...shown.map((thread) => threadPart(thread, display, budget)),
    hiddenCount === 0 ? null : html`<p class="hint">${counted(hiddenCount, 'thread')} more not shown.</p>`,
  );
}

function rank({ crashed, current }: ParsedThread): number {
  return Number(crashed) * 2 + Number(current);
}

function threadPart(thread: ParsedThread, display: StackDisplay, budget: RenderBudget): VNode {
  const frames: readonly ParsedFrame[] = display.raw ? (thread.rawFrames ?? thread.frames) : thread.frames;
  const words = [thread.crashed ? 'crashed' : '', thread.current ? 'current' : '', thread.state];
  const state = words.filter((word) => word !== '').join(', ');
  return html`<div class="exc">
    <h3>
      ${untrustedText(thread.name === '' ? 'Thread' : thread.name)}
      ${state === '' ? null : html`<span class="dim small"> ${untrustedText(state)}</span>`}
    </h3>
    ${more('Thread details', thread.rest, budget)}
    ${frameList(frames, budget, { opened: 'none', isWhole: display.isWhole }) ?? html`<p class="hint">No stack trace.</p>`}
  </div>`;
}
