import type { VNode } from 'preact';
import type {
  ChannelModel,
  DeliveryDetailView,
  DeliveryView,
} from '../../core/page-models/monitoring/channel.ts';
import type { Delivery } from '../../core/page-models/monitoring/kinds.ts';
import { dash, section } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { listSection } from '../components/list.ts';
import { statusMark } from '../components/mark.ts';
import { type Column, dataTable, scrollableTable, titleCell } from '../components/table.ts';
import { shortTime, timeElement } from '../components/time.ts';
import { type Content, html } from '../el.ts';
import { count, counted } from '../formatters/numbers.ts';
import { formatDayAndTime, formatTimeOfDay, span } from '../formatters/times.ts';
import type { PageContext } from '../page-context.ts';
import { shortUntrustedName, shortUntrustedText, untrustedText } from './labels.ts';

const states: Readonly<Record<Delivery['state'], readonly ['passed' | 'pending' | 'failed', string]>> = {
  arrived: ['passed', 'Delivered'],
  waiting: ['pending', 'Pending'],
  given_up: ['failed', 'Failed'],
};

export function deliveriesSection(model: ChannelModel, context: PageContext): VNode {
  const { deliveries: rows, newer, older, alert_channel_id: id, delivery: shown } = model;
  return section(
    { id: 'a-deliveries', title: 'Deliveries' },
    listSection(context, {
      path: `/alert-channels/${id}`,
      nothing: html`<p class="ruled soft">No notifications sent yet.</p>`,
      caption: 'Deliveries, newest first',
      columns: columns(model, context),
      rows,
      rowAttributes: ({ delivery_id: own }) => ({
        'aria-current': own === shown?.delivery_id ? 'true' : null,
      }),
      pages: { query: {}, newer, older, all: null, noun: ['delivery', 'deliveries'], isForMany: true },
    }),
  );
}

function columns({ alert_channel_id: id }: ChannelModel, frame: PageContext): Array<Column<DeliveryView>> {
  const cursors = { after: frame.query.get('after'), before: frame.query.get('before') };
  const answered = (each: DeliveryView): Content => lastResponse(each, frame.nowMs);
  return [
    { name: 'When', class: 'w6', cell: ({ at }) => shortTime(at, frame.nowMs) },
    {
      name: 'Notification and reason',
      row: (each) =>
        titleCell(frame, {
          path: `/alert-channels/${id}`,
          query: { ...cursors, delivery: each.delivery_id },
          title: shortUntrustedName(each.subject),
          place: ['rule ', shortUntrustedText(each.rule)],
          folded: [
            ['f4', stateMark(each)],
            ['f2', counted(each.tries, 'try', 'tries')],
            ['f1', answered(each)],
          ],
        }),
    },
    { name: 'State', head: 'd3 w7', class: 'd3', cell: stateMark },
    { name: 'Attempts', head: 'r d2 w5', class: 'r d2', cell: ({ tries }) => count(tries) },
    {
      name: 'Duration',
      head: 'r d1 w5',
      class: 'r d1',
      cell: ({ duration_ms: ms }) => (ms === null ? dash() : span(ms)),
    },
    { name: 'Response', head: 'd1 w9 gapl', class: 'd1 gapl soft', cell: answered },
  ];
}

function stateMark({ state }: DeliveryView): VNode {
  return statusMark(...states[state]);
}

/** The last response; if there is none, the time of the next attempt. */
function lastResponse(
  { status, response: detail, next_try_at: next, tries }: DeliveryView,
  nowMs: number,
): Content {
  if (status !== null) return String(status);
  if (detail !== '') return shortUntrustedText(detail);
  if (next !== null) return `next ${nextWord(next, nowMs)}`;
  return tries === 0 ? 'not attempted yet' : dash();
}

function nextWord(next: string, nowMs: number): string {
  const atMs = Date.parse(next);
  return atMs - nowMs < 86_400_000 ? formatTimeOfDay(atMs) : formatDayAndTime(atMs);
}

export function deliveryDetails(one: DeliveryDetailView, frame: PageContext): VNode {
  const { subject, at, tries, next_try_at: next, path } = one;
  const parts = [
    shortTime(at, frame.nowMs),
    `, attempted ${tries === 1 ? 'once' : `${count(tries)} times`}`,
    next === null ? null : `, next at ${nextWord(next, frame.nowMs)}`,
  ];
  const about =
    path === null
      ? null
      : html`<p>${pageLink(frame, { path, query: { project: null } }, null, 'Related page')}</p>`;
  return html`<section class="sec" aria-labelledby="a-one">
    <div class="top"><h2 id="a-one">${shortUntrustedText(subject)}</h2><span class="small dim">${parts}</span></div>
    <div class="cols even deliv">
      <div><h3>Reason</h3>${why(one, frame)}${about}${attempts(one)}</div>
      <div><h3>What was sent</h3>${snippet(one.sent, 'Request body')}${responseText(one)}</div>
    </div>
  </section>`;
}

function why({ why: sentence, rule, rule_id: id }: DeliveryDetailView, frame: PageContext): Content[] {
  const name =
    id === null
      ? shortUntrustedText(rule)
      : pageLink(frame, { path: `/alert-channels/rules/${id}` }, null, shortUntrustedText(rule));
  return [
    html`<p>Rule ${name}: ${shortUntrustedText(sentence, 400)}</p>`,
    html`<p class="small">Every notification names its rule and links to it.</p>`,
  ];
}

function attempts({ attempts: rows }: DeliveryDetailView): Content {
  if (rows.length === 0) return null;
  const table = dataTable<(typeof rows)[number]>(null, {
    caption: 'Attempts of this delivery',
    class: 't',
    columns: [
      { name: 'At', cell: ({ at }) => timeElement(at, at.slice(11, 19), false) },
      { name: 'Response', class: 'r', cell: ({ status }) => (status === null ? 'none' : String(status)) },
      {
        name: 'Duration',
        head: 'r',
        class: 'r nowrap',
        cell: ({ duration_ms: took }) => (took === null ? dash() : span(took)),
      },
      {
        name: 'Response text',
        head: null,
        class: 'dim',
        cell: ({ response: detail }) => shortUntrustedText(detail),
      },
    ],
    rows,
  });
  return [html`<h3>Attempts</h3>`, scrollableTable('Attempts', table)];
}

function responseText({ attempts: all }: DeliveryDetailView): Content[] {
  const last = all.at(-1);
  if (last === undefined) return [];
  const text = [last.status === null ? 'No response' : String(last.status), last.response].filter(
    (each) => each !== '',
  );
  return [html`<h3>Last response</h3>`, snippet(text.join('\n'), 'Last response')];
}

function snippet(text: string, label: string): VNode {
  return html`<pre class="snip" tabindex="0" role="group" aria-label=${label}>
    <code>${untrustedText(text)}</code>
  </pre>`;
}
