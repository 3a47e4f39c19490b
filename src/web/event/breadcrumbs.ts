import {
  displayValue,
  type EventPayload,
  objectOrNull,
  type ParsedBreadcrumb,
  parseBreadcrumbs,
  parseExceptions,
  parseTimestampMs,
  scalarText,
  toPairs,
} from '../../core/page-models/issue/parse-event.ts';
import { cutText } from '../../core/parsing/cut-text.ts';
import { hiddenCaption, section, visuallyHidden } from '../components/elements.ts';
import { icon, statusMark } from '../components/icons.ts';
import { cell, columnHeader, headerRow } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import {
  count,
  counted,
  formatTimeBefore,
  timeElement,
  untrustedCode,
  untrustedText,
} from '../formatters.ts';
import { type PageContext, samePage } from '../page-context.ts';
import { createRenderBudget, type RenderBudget, takeFitting } from './render-budget.ts';
import { valueCode } from './values.ts';

const shownMax = 10;
const errorCharactersShown = 300;
/** The size of a breadcrumb was taken from the budget before. */
const unlimitedBudget = createRenderBudget(true);

/** The newest ten breadcrumbs; all with `?show=all`. Null if there are none. */
export function breadcrumbsSection(
  payload: EventPayload,
  title: string,
  context: PageContext,
  budget: RenderBudget,
): VNode | null {
  const all = parseBreadcrumbs(payload);
  if (all.length === 0) return null;
  const isAll = context.query.get('show') === 'all';
  // The newest get the budget first, but are displayed last.
  const newest = isAll ? all : all.slice(-shownMax);
  const breadcrumbs = takeFitting(newest.toReversed(), budget, sizeOf).reverse();
  const atMs = parseTimestampMs(payload['timestamp']);
  const rows = breadcrumbs.map((breadcrumb) => breadcrumbRow(breadcrumb, atMs));
  const thrown = parseExceptions(payload).find(({ isMain }) => isMain);
  const now = html`<tr class="now">
    ${cell('0', 'r')}${cell(thrown === undefined ? 'event' : 'exception')}
    ${cell(
      thrown === undefined || thrown.type === ''
        ? html`<strong>${untrustedText(title)}</strong>`
        : [
            html`<strong>${untrustedText(thrown.type)}</strong>`,
            ' ',
            untrustedText(cutText(thrown.value, errorCharactersShown)),
          ],
    )}
  </tr>`;
  return section(
    { id: 's-crumbs', title: 'Breadcrumbs', aside: countLine(breadcrumbs.length, all.length, context) },
    html`<table class="t trail">
      ${hiddenCaption('Breadcrumbs, newest last')}
      ${headerRow(columnHeader('Time before', 'r'), columnHeader('Category'), columnHeader('Message'))}
      <tbody>${rows}${now}</tbody>
    </table>`,
  );
}

function sizeOf({ kind, message, data, rest }: ParsedBreadcrumb): number {
  return kind.length + message.length + displayValue(data).length + displayValue(rest).length;
}

function countLine(shown: number, all: number, context: PageContext): Content {
  if (shown === all) return html`<p class="small dim">${counted(all, 'breadcrumb')}</p>`;
  const whole = { ...samePage(context, { show: 'all' }), hash: 's-crumbs' };
  return html`<p class="small dim">
    ${count(shown)} of ${counted(all, 'breadcrumb')}
    . ${pageLink(context, whole, null, 'Show all')}
  </p>`;
}

function breadcrumbRow(breadcrumb: ParsedBreadcrumb, eventMs: number | null): VNode {
  const { atMs } = breadcrumb;
  const before =
    atMs === null || eventMs === null
      ? '–'
      : timeElement(new Date(atMs).toISOString(), durationText(eventMs - atMs), false);
  return html`<tr>
    ${cell(before, 'r dim')}${cell(untrustedText(breadcrumb.kind === '' ? 'other' : breadcrumb.kind), 'dim')}
    ${cell([contentOf(breadcrumb), breadcrumb.rest.length === 0 ? null : restOf(breadcrumb.rest)])}
  </tr>`;
}

/** A breadcrumb after the event (wrong clock) is shown with the event's time. */
function durationText(ms: number): string {
  return formatTimeBefore(Math.max(0, ms));
}

function contentOf(breadcrumb: ParsedBreadcrumb): Content {
  const data = objectOrNull(breadcrumb.data);
  const words = requestText(breadcrumb, data) ?? navigationText(breadcrumb, data) ?? messageText(breadcrumb);
  const { level } = breadcrumb;
  const isFlagged = level === 'warning' || level === 'error' || level === 'fatal';
  if (!isFlagged) return words;
  return html`<span class="mk ${level}">${visuallyHidden(`${level}: `)}${icon(level)}<span>${words}</span></span>`;
}

/** `POST /api/quote 422, 96 ms` for an HTTP request. */
function requestText({ kind, type, message }: ParsedBreadcrumb, data: EventPayload | null): Content | null {
  const url = scalarText(data?.['url']);
  if (
    data === null ||
    url === '' ||
    !['http', 'fetch', 'xhr'].some((each) => kind === each || type === each)
  ) {
    return null;
  }
  const status = scalarText(data['status_code']) || scalarText(data['status']);
  const took = typeof data['duration'] === 'number' ? `${Math.round(data['duration'])} ms` : '';
  const outcome = [status, took].filter((part) => part !== '').join(', ');
  const rest = toPairs(data).filter(
    ([name]) => !['url', 'method', 'status_code', 'status', 'duration'].includes(name),
  );
  return [
    untrustedCode([scalarText(data['method']), url].filter((part) => part !== '').join(' ')),
    outcome === ''
      ? null
      : [
          ' ',
          Number(status) >= 400 ? statusMark('warning', outcome) : html`<span class="dim">${outcome}</span>`,
        ],
    message === '' ? null : [' ', untrustedText(message)],
    restOf(rest),
  ];
}

function navigationText(
  { kind, type, message }: ParsedBreadcrumb,
  data: EventPayload | null,
): Content | null {
  const [from, to] = [scalarText(data?.['from']), scalarText(data?.['to'])];
  if (data === null || to === '' || (kind !== 'navigation' && type !== 'navigation')) return null;
  const rest = toPairs(data).filter(([name]) => name !== 'from' && name !== 'to');
  return [
    from === '' ? null : [untrustedCode(from), ' '],
    'to ',
    untrustedCode(to),
    message === '' ? null : [' ', untrustedText(message)],
    restOf(rest),
  ];
}

function messageText({ kind, message, data }: ParsedBreadcrumb): Content {
  const isSelector = kind.startsWith('ui.');
  const shown = message === '' ? null : isSelector ? untrustedCode(message) : untrustedText(message);
  // SDKs send which field was filled in, not its value.
  const isMasked = kind === 'ui.input' && (data === undefined || data === null);
  const text = isMasked ? [shown, html`<span class="dim"> [masked]</span>`] : shown;
  if (data === undefined || data === null) return text ?? html`<span class="dim">no data</span>`;
  return [
    text,
    text === null ? null : ' ',
    objectOrNull(data) === null ? valueCode(data, unlimitedBudget) : restOf(toPairs(data)),
  ];
}

function restOf(rest: ReadonlyArray<readonly [string, unknown]>): Content {
  if (rest.length === 0) return null;
  const text = rest.map(([name, each]) => `${name}: ${displayValue(each)}`).join(', ');
  return [' ', html`<span class="dim">${valueCode(text, unlimitedBudget)}</span>`];
}
