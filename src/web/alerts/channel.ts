import { channelTypeOf } from '../../core/alerts/messages/channel-types.ts';
import type {
  ChannelModel,
  DeliveryDetailView,
  DeliveryView,
} from '../../core/page-models/monitoring/channel.ts';
import type {
  ChannelSettingsModel,
  UnsubscribeModel,
} from '../../core/page-models/monitoring/channel-forms.ts';
import type { Delivery } from '../../core/page-models/monitoring/kinds.ts';
import { dayMs } from '../../core/parsing/durations.ts';
import { histogram } from '../charts/histogram.ts';
import { actionButton, pauseButton } from '../components/controls.ts';
import { confirmPage, secretShownOncePage } from '../components/dialog-forms.ts';
import { codeBlock, dash, facts, nameValueList, orDash, pageHead, section } from '../components/elements.ts';
import { statusMark } from '../components/icons.ts';
import { listSection } from '../components/list.ts';
import {
  type Column,
  column,
  dataTable,
  miniTable,
  scrollableTable,
  titleCell,
} from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import {
  count,
  counted,
  formatAge,
  formatDayAndTime,
  formatShortTime,
  formatTimeOfDay,
  percent,
  shortTime,
  span,
  timeElement,
  untrustedText,
} from '../formatters.ts';
import { dateStartMs, shortUntrustedName, shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { browsersSection } from './browsers.ts';
import { channelsBreadcrumb } from './channel-form.ts';
import { channelMark } from './channels.ts';

/** `error` says why a browser could not be added. */
export function channelPage(model: ChannelModel, context: PageContext, error?: string): PageContent {
  return {
    title: shortUntrustedName(model.name),
    breadcrumbs: [channelsBreadcrumb],
    main: [
      head(model, context),
      note(model, context),
      browsersSection(model, context, error),
      channelFacts(model, context),
      html`<div class="sec">${days(model, context)}</div>`,
      deliveriesSection(model, context),
      model.delivery === null ? null : deliveryDetails(model.delivery, context),
      html`<div class="cols even">${rules(model, context)}${settings(model, context)}</div>`,
    ],
  };
}

function head(model: ChannelModel, context: PageContext): VNode {
  const path = `/alert-channels/${model.alert_channel_id}`;
  const actions = [
    model.waiting === 0
      ? null
      : actionButton(
          context,
          `${path}/retry`,
          ['Retry now ', html`<span class="n">${count(model.waiting)}</span>`],
          { class: 'btn primary' },
        ),
    actionButton(context, `${path}/test`, 'Send test notification'),
    pauseButton(context, path, model.state === 'paused', {
      resume: 'Enable',
      forever: 'Until I enable it',
    }),
  ];
  return pageHead({
    above: channelTypeOf(model.type).name,
    title: shortUntrustedText(model.name, 400),
    below: html`<code>${shortUntrustedText(model.target)}</code>`,
    ...(context.currentUser?.canManage === true ? { actions: actions } : {}),
  });
}

function note(model: ChannelModel, context: PageContext): VNode {
  const { state, state_since: since, last_error: lastError, waiting, paused_until: until } = model;
  const at = formatShortTime(Date.parse(since), context.nowMs);
  const texts: Record<ChannelModel['state'], Content> = {
    on: ` since ${at}. ${waiting === 0 ? 'Nothing is pending.' : waitingText(waiting)}`,
    failing: [
      ` since ${at}. `,
      lastError === '' ? null : ['It ', shortUntrustedText(lastError), '. '],
      waiting === 0 ? 'Nothing is pending.' : waitingText(waiting),
    ],
    paused: [
      ` since ${at}`,
      until === null
        ? ', until it is enabled. '
        : ` until ${formatShortTime(Date.parse(until), context.nowMs)}. `,
      'Nothing is sent meanwhile.',
    ],
  };
  return html`<p class="note">${channelMark(state)}${texts[state]}</p>`;
}

function waitingText(waiting: number): string {
  return `${waiting === 1 ? 'One notification is pending' : `${count(waiting)} notifications are pending`}, retried for one day.`;
}

function share(part: number | null): string {
  return part === null ? '–' : percent(part, 1, part === 1 ? 0 : 1);
}

function channelFacts(model: ChannelModel, context: PageContext): VNode {
  const { sent, arrived, waiting, oldest_waiting_at: oldest, median_ms: median, p95_ms: p95 } = model;
  const arrivedText = sent === 0 ? '–' : share(arrived / sent);
  return facts([
    ['Sent, 7 d', sent === 0 ? 'none' : count(sent), 'grouped messages count once'],
    [
      'Delivered',
      sent > 0 && arrived / sent < 0.9 ? statusMark('down', arrivedText) : arrivedText,
      model.arrived_share_90d === null ? null : `${share(model.arrived_share_90d)} in 90 days`,
    ],
    ['Delivered at first attempt', share(model.first_try_share), 'in 7 days'],
    [
      'Duration',
      median === null ? '–' : span(median),
      p95 === null ? 'nothing delivered in 7 days' : `median, p95 ${span(p95)}`,
    ],
    [
      'Pending',
      waiting === 0 ? 'none' : count(waiting),
      oldest === null ? null : `oldest ${formatAge(context.nowMs - Date.parse(oldest))}`,
    ],
    ['Quiet hours', model.quiet_hours === '' ? 'none' : shortUntrustedText(model.quiet_hours)],
  ]);
}

function days({ days: all }: ChannelModel, context: PageContext): VNode {
  const sum = all.reduce((of, day) => of + day.arrived + day.not_arrived, 0);
  return histogram(context, {
    bars: all.map(({ date, arrived, not_arrived: not }) => ({
      fromMs: dateStartMs(date),
      toMs: dateStartMs(date) + dayMs,
      counts: { arrived, not },
    })),
    stacks: [
      { key: 'arrived', name: 'delivered', fill: 'plain' },
      { key: 'not', name: 'pending or failed', fill: 'fatal' },
    ],
    noun: 'message',
    finding: [html`<b>${counted(sum, 'message')}</b>`, ' in 14 days'],
    height: 92,
  });
}

function rules({ rules: all }: ChannelModel, context: PageContext): VNode {
  const table = miniTable(
    'Rules of this channel',
    all,
    {
      row: ({ rule_id: id, name, sentence }) => html`<th scope="row">
        ${pageLink(context, `/alert-channels/rules/${id}`, { class: 'cell' }, shortUntrustedText(name))}
        <span class="cul two">${shortUntrustedText(sentence)}</span>
      </th>`,
    },
    { class: 'r k soft', cell: ({ sent }) => (sent === 0 ? dash() : `${count(sent)} in 7 d`) },
  );
  const aside = pageLink(context, '/alert-channels/rules', { class: 'small' }, 'All rules');
  return section(
    { id: 'a-rules', title: 'Rules that notify this channel', aside, class: null },
    all.length === 0 ? html`<p class="ruled soft">None. Only test notifications are sent here.</p>` : table,
  );
}

function settings(model: ChannelModel, context: PageContext): VNode {
  const path = `/alert-channels/${model.alert_channel_id}`;
  const change = pageLink(context, `${path}/settings`, { class: 'btn small' }, 'Edit…');
  const remove = pageLink(context, `${path}/delete`, { class: 'btn small danger' }, 'Delete this channel…');
  const mayManage = context.currentUser?.canManage === true;
  const set = nameValueList([
    ['Target', html`<code>${shortUntrustedText(model.target)}</code>`],
    ['Retries', 'after 2, 10, 30 s, 2, 10, 30 min, then hourly for one day'],
    ['Duplicates', 'each message keeps its id, so the receiver can drop repeats'],
    [
      'Created',
      ['by ', shortUntrustedText(model.created_by), ', ', shortTime(model.created_at, context.nowMs)],
    ],
  ]);
  return section(
    { id: 'a-set', title: 'Settings', aside: mayManage ? change : '', class: null },
    set,
    mayManage ? html`<div class="space">${remove}</div>` : null,
  );
}

const states: Readonly<Record<Delivery['state'], readonly ['passed' | 'pending' | 'failed', string]>> = {
  arrived: ['passed', 'Delivered'],
  waiting: ['pending', 'Pending'],
  given_up: ['failed', 'Failed'],
};

function deliveriesSection(model: ChannelModel, context: PageContext): VNode {
  const { deliveries: rows, newer, older, alert_channel_id: id, delivery: shown } = model;
  return section(
    { id: 'a-deliveries', title: 'Deliveries' },
    listSection(context, {
      path: `/alert-channels/${id}`,
      noRows: html`<p class="ruled soft">No notifications sent yet.</p>`,
      caption: 'Deliveries, newest first',
      columns: columns(model, context),
      rows,
      rowAttributes: ({ delivery_id: deliveryId }) => ({
        'aria-current': deliveryId === shown?.delivery_id ? 'true' : null,
      }),
      pages: { query: {}, newer, older, all: null, noun: ['delivery', 'deliveries'], isForMany: true },
    }),
  );
}

function columns({ alert_channel_id: id }: ChannelModel, context: PageContext): Array<Column<DeliveryView>> {
  const cursors = { after: context.query.get('after'), before: context.query.get('before') };
  const answered = (each: DeliveryView): Content => lastResponse(each, context.nowMs);
  return [
    { name: 'When', class: 'w6', cell: ({ at }) => shortTime(at, context.nowMs) },
    {
      name: 'Notification and reason',
      row: (each) =>
        titleCell(context, {
          path: `/alert-channels/${id}`,
          query: { ...cursors, delivery: each.delivery_id },
          title: shortUntrustedName(each.subject),
          subtitle: ['rule ', shortUntrustedText(each.rule)],
          folded: [
            ['f4', stateMark(each)],
            ['f2', counted(each.tries, 'try', 'tries')],
            ['f1', answered(each)],
          ],
        }),
    },
    column('State', 'd3 w7', 'd3', stateMark),
    column('Attempts', 'r d2 w5', 'r d2', ({ tries }) => count(tries)),
    column('Duration', 'r d1 w5', 'r d1', ({ duration_ms: ms }) => orDash(ms, span)),
    column('Response', 'd1 w9 gapl', 'd1 gapl soft', answered),
  ];
}

function stateMark({ state }: DeliveryView): VNode {
  return statusMark(...states[state]);
}

/** The last response; if there is none, the time of the next attempt. */
function lastResponse({ status, response: detail, next_try_at: next, tries }: DeliveryView, nowMs: number) {
  if (status !== null) return String(status);
  if (detail !== '') return shortUntrustedText(detail);
  if (next !== null) return `next ${nextText(next, nowMs)}`;
  return tries === 0 ? 'not attempted yet' : dash();
}

function nextText(next: string, nowMs: number): string {
  const atMs = Date.parse(next);
  return atMs - nowMs < dayMs ? formatTimeOfDay(atMs) : formatDayAndTime(atMs);
}

function deliveryDetails(one: DeliveryDetailView, context: PageContext): VNode {
  const { subject, at, tries, next_try_at: next, path } = one;
  const details = [
    shortTime(at, context.nowMs),
    `, attempted ${tries === 1 ? 'once' : `${count(tries)} times`}`,
    next === null ? null : `, next at ${nextText(next, context.nowMs)}`,
  ];
  const about =
    path === null
      ? null
      : html`<p>${pageLink(context, { path, query: { project: null } }, null, 'Related page')}</p>`;
  const aside = html`<span class="small dim">${details}</span>`;
  return section(
    { id: 'a-one', title: shortUntrustedText(subject), aside },
    html`<div class="cols even deliv">
      <div><h3>Reason</h3>${reasonSection(one, context)}${about}${attempts(one)}</div>
      <div><h3>What was sent</h3>${codeBlock('Request body', untrustedText(one.sent), 'snip')}${responseText(one)}</div>
    </div>`,
  );
}

function reasonSection({ why: sentence, rule, rule_id: id }: DeliveryDetailView, context: PageContext) {
  const name =
    id === null
      ? shortUntrustedText(rule)
      : pageLink(context, `/alert-channels/rules/${id}`, null, shortUntrustedText(rule));
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
      column('Duration', 'r', 'r nowrap', ({ duration_ms: ms }) => orDash(ms, span)),
      column('Response text', null, 'dim', ({ response: detail }) => shortUntrustedText(detail)),
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
  return [html`<h3>Last response</h3>`, codeBlock('Last response', untrustedText(text.join('\n')), 'snip')];
}

export function deleteChannelPage(model: ChannelSettingsModel, context: PageContext): PageContent {
  return confirmPage(context, {
    title: 'Delete alert channel',
    breadcrumbs: breadcrumbsOf(model),
    heading: ['Delete ', shortUntrustedText(model.name)],
    description:
      'Its delivery history is deleted and pending notifications are not sent. Rules no longer notify it. This cannot be undone.',
    action: `/alert-channels/${model.alert_channel_id}/delete`,
    verb: 'Delete channel',
  });
}

export function unsubscribePage(model: UnsubscribeModel, context: PageContext): PageContent {
  const { alert_channel_id: id, name, recipient, is_last: isLast } = model;
  // Not every recipient sees the channel.
  const breadcrumbs = [channelsBreadcrumb];
  const heading = ['Unsubscribe from ', shortUntrustedText(name)];
  const title = 'Unsubscribe';
  if (recipient !== null && !isLast) {
    const description = `Alerts of this channel are no longer sent to ${recipient}.`;
    return confirmPage(context, {
      ...{ title, breadcrumbs, heading, description, verb: title },
      action: `/alert-channels/${id}/unsubscribe`,
    });
  }
  const sentence =
    recipient === null
      ? 'Your address is no recipient of this channel: there is nothing to unsubscribe from.'
      : 'You are the only recipient. An admin can pause or delete the channel.';
  return { title, breadcrumbs, main: [pageHead({ title: heading }), el('p', null, sentence)] };
}

function breadcrumbsOf({ alert_channel_id: id, name }: ChannelSettingsModel) {
  return [channelsBreadcrumb, { name, path: `/alert-channels/${id}` }];
}

/** Shows the secret of a new webhook, which is never shown again. */
export function channelCreatedPage(
  created: { readonly alert_channel_id: number; readonly name: string; readonly secret: string },
  context: PageContext,
): PageContent {
  return secretShownOncePage(context, {
    title: 'Channel created',
    breadcrumbs: [channelsBreadcrumb],
    description: 'Requests are signed with this secret. It is shown only once: copy it to the receiver now.',
    label: 'Signing secret',
    text: created.secret,
    path: `/alert-channels/${created.alert_channel_id}`,
    name: shortUntrustedText(created.name),
  });
}
