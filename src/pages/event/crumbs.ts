import type { VNode } from 'preact';
import { cutText } from '../../core/reading/cut-text.ts';
import {
  type CrumbRead,
  crumbsOf,
  exceptionsOf,
  momentOf,
  type Payload,
  pairsIn,
  recordOf,
  shownValue,
  textOf,
} from '../../core/workspace/issue/payload.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { icon } from '../parts/icons.ts';
import { hidden, hiddenCaption, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { cell, columnHead, headRow } from '../parts/table.ts';
import { moment } from '../parts/time.ts';
import { count, counted } from '../words/numbers.ts';
import { timeBefore } from '../words/times.ts';
import { type Room, roomOf, thatFit } from './room.ts';
import { code, said, value } from './said.ts';

const shownMax = 10;
const thrownShown = 300;
/** The size of a breadcrumb was taken from the budget before. */
const plenty = roomOf(true);

/** The newest ten breadcrumbs; all with `?show=all`. Null if there are none. */
export function crumbsPart(payload: Payload, title: string, frame: Frame, room: Room): VNode | null {
  const all = crumbsOf(payload);
  if (all.length === 0) return null;
  const isAll = frame.query.get('show') === 'all';
  // The newest get the budget first, but are displayed last.
  const newest = isAll ? all : all.slice(-shownMax);
  const crumbs = thatFit(newest.toReversed(), room, sizeOf).reverse();
  const atMs = momentOf(payload['timestamp']);
  const rows = crumbs.map((crumb) => crumbRow(crumb, atMs));
  const thrown = exceptionsOf(payload).find(({ isMain }) => isMain);
  const now = el(
    'tr',
    { class: 'now' },
    cell('0', 'r'),
    cell(thrown === undefined ? 'event' : 'exception'),
    cell(
      thrown === undefined || thrown.type === ''
        ? html`<strong>${said(title)}</strong>`
        : [html`<strong>${said(thrown.type)}</strong>`, ' ', said(cutText(thrown.value, thrownShown))],
    ),
  );
  return section(
    { id: 's-crumbs', title: 'Breadcrumbs', beside: beside(crumbs.length, all.length, frame) },
    html`<table class="t trail">
      ${hiddenCaption('Breadcrumbs, newest last')}
      ${headRow(columnHead('Time before', 'r'), columnHead('Category'), columnHead('Message'))}
      <tbody>${rows}${now}</tbody>
    </table>`,
  );
}

function sizeOf({ kind, message, data, rest }: CrumbRead): number {
  return kind.length + message.length + shownValue(data).length + shownValue(rest).length;
}

function beside(shown: number, all: number, frame: Frame): Content {
  if (shown === all) return html`<p class="small dim">${counted(all, 'breadcrumb')}</p>`;
  const query = { ...Object.fromEntries(frame.query), show: 'all', notice: null };
  return html`<p class="small dim">
    ${count(shown)} of ${counted(all, 'breadcrumb')}
    . ${pageLink(frame, { path: frame.path, query, hash: 's-crumbs' }, null, 'Show all')}
  </p>`;
}

function crumbRow(crumb: CrumbRead, eventMs: number | null): VNode {
  const { atMs } = crumb;
  const before =
    atMs === null || eventMs === null
      ? '–'
      : moment(new Date(atMs).toISOString(), sinceThen(eventMs - atMs), false);
  return html`<tr>
    ${cell(before, 'r dim')}${cell(said(crumb.kind === '' ? 'other' : crumb.kind), 'dim')}
    ${cell([whatOf(crumb), crumb.rest.length === 0 ? null : restOf(crumb.rest)])}
  </tr>`;
}

/** A breadcrumb after the event (wrong clock) is shown with the event's time. */
function sinceThen(ms: number): string {
  return timeBefore(Math.max(0, ms));
}

function whatOf(crumb: CrumbRead): Content {
  const data = recordOf(crumb.data);
  const words = requestWords(crumb, data) ?? navigationWords(crumb, data) ?? plainWords(crumb);
  const { level } = crumb;
  const isFlagged = level === 'warning' || level === 'error' || level === 'fatal';
  if (!isFlagged) return words;
  return html`<span class="mk ${level}">${hidden(`${level}: `)}${icon(level)}<span>${words}</span></span>`;
}

/** `POST /api/quote 422, 96 ms` for an HTTP request. */
function requestWords({ kind, type, message }: CrumbRead, data: Payload | null): Content | null {
  const url = textOf(data?.['url']);
  if (
    data === null ||
    url === '' ||
    !['http', 'fetch', 'xhr'].some((each) => kind === each || type === each)
  ) {
    return null;
  }
  const status = textOf(data['status_code']) || textOf(data['status']);
  const took = typeof data['duration'] === 'number' ? `${Math.round(data['duration'])} ms` : '';
  const outcome = [status, took].filter((part) => part !== '').join(', ');
  const rest = pairsIn(data).filter(
    ([name]) => !['url', 'method', 'status_code', 'status', 'duration'].includes(name),
  );
  return [
    code([textOf(data['method']), url].filter((part) => part !== '').join(' ')),
    outcome === ''
      ? null
      : [' ', Number(status) >= 400 ? mark('warning', outcome) : html`<span class="dim">${outcome}</span>`],
    message === '' ? null : [' ', said(message)],
    restOf(rest),
  ];
}

function navigationWords({ kind, type, message }: CrumbRead, data: Payload | null): Content | null {
  const [from, to] = [textOf(data?.['from']), textOf(data?.['to'])];
  if (data === null || to === '' || (kind !== 'navigation' && type !== 'navigation')) return null;
  const rest = pairsIn(data).filter(([name]) => name !== 'from' && name !== 'to');
  return [
    from === '' ? null : [code(from), ' '],
    'to ',
    code(to),
    message === '' ? null : [' ', said(message)],
    restOf(rest),
  ];
}

function plainWords({ kind, message, data }: CrumbRead): Content {
  const isSelector = kind.startsWith('ui.');
  const shown = message === '' ? null : isSelector ? code(message) : said(message);
  // SDKs send which field was filled in, not its value.
  const isMasked = kind === 'ui.input' && (data === undefined || data === null);
  const text = isMasked ? [shown, html`<span class="dim"> [masked]</span>`] : shown;
  if (data === undefined || data === null) return text ?? html`<span class="dim">no data</span>`;
  return [
    text,
    text === null ? null : ' ',
    recordOf(data) === null ? value(data, plenty) : restOf(pairsIn(data)),
  ];
}

function restOf(rest: ReadonlyArray<readonly [string, unknown]>): Content {
  if (rest.length === 0) return null;
  const text = rest.map(([name, each]) => `${name}: ${shownValue(each)}`).join(', ');
  return [' ', html`<span class="dim">${value(text, plenty)}</span>`];
}
