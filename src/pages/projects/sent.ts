// What was sent to a project and what became of it: the plot, and the reasons with what to do about them.
import type { VNode } from 'preact';
import type { ReasonView, SentView } from '../../core/workspace/projects/sent.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { hiddenCaption, outside } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { cell, columnHead, headRow, wide } from '../parts/table.ts';
import { histogram, type Stack } from '../plots/histogram.ts';
import { count, percent } from '../words/numbers.ts';

const stacks: readonly Stack[] = [
  { key: 'kept', name: 'kept', fill: 'error' },
  { key: 'known', name: 'seen before, or filtered', fill: 'info' },
  { key: 'limited', name: 'over a limit', fill: 'warning' },
  { key: 'refused', name: 'refused', fill: 'fatal' },
];

/** Thirty days of what arrived, and why some of it was not kept. `id` is where links on the page lead. */
export function sentFigure({ sent, days, reasons }: SentView, frame: Frame): VNode {
  const plot = histogram(frame, {
    bars: days.map(({ from, to, counts }) => ({
      fromMs: Date.parse(from),
      toMs: Date.parse(to),
      counts,
    })),
    stacks,
    nowMs: frame.nowMs,
    noun: ['item', 'items'],
    finding: [
      html`<b>${count(sent)}${sent === 1 ? ' item sent' : ' items sent'}</b>`,
      ' in 30 days, and what became of ',
      sent === 1 ? 'it' : 'them',
    ],
    height: 132,
  });
  return html`<div class="sec" id="p-out">${plot}${reasons.length === 0 ? null : why(reasons, frame)}</div>`;
}

function why(reasons: readonly ReasonView[], frame: Frame): VNode {
  const heads = [
    columnHead('Outcome'),
    columnHead('Reason'),
    columnHead('What', 'd3'),
    columnHead('Count', 'r'),
    columnHead('Share', 'r d5'),
    columnHead('What to do', 'd2'),
  ];
  const rows = reasons.map((each) =>
    el(
      'tr',
      null,
      html`<th scope="row">${fateWords[each.outcome]}</th>`,
      cell([
        each.reason === ''
          ? html`<span class="dim">none said</span>`
          : html`<code>${outside(each.reason)}</code>`,
        html`<span class="fold"><span class="f2">${toDo(each, frame)}</span></span>`,
      ]),
      cell(outside(each.category), 'd3 soft'),
      cell(count(each.quantity), 'r'),
      cell(percent(each.share, 1, 1), 'r d5'),
      cell(toDo(each, frame), 'd2 soft'),
    ),
  );
  const table = html`<table class="t small">
    ${hiddenCaption('What was not kept, by reason')}${headRow(...heads)}
    <tbody>${rows}</tbody>
  </table>`;
  return html`<details class="data" open><summary>Why, in 30 days</summary>${wide('Why', table)}</details>`;
}

const fateWords: Readonly<Record<ReasonView['outcome'], string>> = {
  accepted: 'kept',
  duplicate: 'seen before',
  filtered: 'filtered',
  rate_limited: 'over a limit',
  invalid: 'refused',
  failed: 'not stored',
  client_discard: 'lost on the way',
};

/** What to do, by reason first and by outcome for reasons that clients made up. */
function toDo({ outcome, reason }: ReasonView, frame: Frame): Content {
  const domains = (words: string): VNode => pageLink(frame, { path: '/domains' }, null, words);
  switch (`${outcome} ${reason}`) {
    case 'filtered bug_reports_disabled':
      return [domains('Switch reports on'), ' for that domain, or here for apps, if they are wanted'];
    case 'filtered unknown_domain':
      return [domains('Add the domain'), ' that it came from'];
    case 'filtered origin_not_allowed':
      return 'a key used from elsewhere: add the origin to the key, if it is yours';
    case 'filtered unsupported':
      return 'nothing: kinds of data that are not kept here';
    case 'client_discard sample_rate':
      return 'nothing: the SDK is set to send a share';
    case 'client_discard before_send':
    case 'client_discard event_processor':
      return 'nothing: the program itself drops them';
    case 'client_discard network_error':
      return 'look whether pages reach this server, and what blocks them';
    case 'client_discard queue_overflow':
      return 'too many at once for the SDK: fewer, or a longer queue';
    case 'client_discard ratelimit_backoff':
      return 'held back by the SDK after a limit: send less, or raise it';
    default:
      return fallbacks[outcome];
  }
}

const fallbacks: Readonly<Record<ReasonView['outcome'], string>> = {
  accepted: 'nothing',
  duplicate: 'nothing: sending again is normal',
  filtered: 'nothing, if that was meant',
  rate_limited: 'send a share, or raise the limit of the server',
  invalid: 'mend what sends it: the answer it got names the fault',
  failed: 'nothing to mend in what sends it: the log of the server says why it could not store',
  client_discard: 'told by the SDK, never arrived',
};
