import { channelTypeOf } from '../../core/alerts/messages/channel-types.ts';
import {
  type ChannelRow,
  type ChannelState,
  type ChannelsModel,
  channelStates,
} from '../../core/page-models/monitoring/channels.ts';
import { sparkline } from '../charts/sparkline.ts';
import { dash, emptyState } from '../components/elements.ts';
import { type IconName, iconMark, statusMark } from '../components/icons.ts';
import { listPage } from '../components/list.ts';
import { type Column, column, titleCell } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, counted, formatAge, formatShortTime, percent, timeAgo } from '../formatters.ts';
import { shortUntrustedName, shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';

const path = '/alert-channels';

const states: Readonly<Record<ChannelState, readonly [IconName, string]>> = {
  on: ['up', 'Enabled'],
  failing: ['down', 'Failing'],
  paused: ['paused', 'Paused'],
};

export function channelMark(state: ChannelState, word?: string): VNode {
  const [shape, usual] = states[state];
  return statusMark(shape, word ?? usual);
}

export function channelsPage(model: ChannelsModel, context: PageContext): PageContent {
  const { filters, counts, channels, rules, types } = model;
  const number = html`<span class="dim">${count(rules)}</span>`;
  const all = pageLink(context, `${path}/rules`, { class: 'btn' }, 'Rules', number);
  const add = pageLink(context, `${path}/new`, { class: 'btn primary' }, 'New channel…');
  return listPage(context, {
    path,
    title: 'Alert channels',
    head: { actions: [all, counts.all > 0 && context.currentUser?.canManage === true ? add : null] },
    intro: counts.all === 0 ? null : html`<p class="bulletin">${summaryText(model, context)}</p>`,
    empty:
      counts.all > 0
        ? undefined
        : emptyState(
            'No alert channels yet',
            'A channel sends notifications by e-mail, chat or webhook when a rule matches, for example when an issue is new or a monitor is down.',
            context.currentUser?.canManage === true ? add : 'An admin can create one.',
          ),
    tabs: {
      label: 'State',
      name: 'state',
      current: filters.state,
      query: { ...filters },
      all: [
        [null, 'All', counts.all],
        ...channelStates.map((state) => [state, states[state][1], counts[state]] as const),
      ],
    },
    filters: {
      preserved: { state: filters.state },
      search: { label: 'Search channels', hint: 'Name or target', value: filters.q },
      choices: [
        {
          name: 'type',
          label: 'Type',
          any: 'Any type',
          choices: types.map((type) => ({ value: type, name: channelTypeOf(type).name })),
          chosen: filters.type,
        },
      ],
    },
    noneFits: ['No channels match', 'No channel has this state, type or name.', 'Show all channels'],
    caption: 'Alert channels, those that need attention first',
    columns: columns(context),
    rows: channels,
  });
}

function summaryText({ sent, arrived, waiting, channels }: ChannelsModel, context: PageContext): Content[] {
  if (sent === 0) return ['No notifications were sent in the last 7 days.'];
  const lost = sent - arrived;
  const sentText = `${counted(sent, 'notification')} sent in the last 7 days`;
  if (lost === 0) return [`${sentText}, all of them delivered.`];
  const failing = channels.find(({ state }) => state === 'failing');
  const failureText: Content =
    failing === undefined
      ? '.'
      : [
          ': ',
          pageLink(context, `${path}/${failing.alert_channel_id}`, null, shortUntrustedText(failing.name)),
          failing.last_error === '' ? ' fails' : [' ', shortUntrustedText(failing.last_error)],
          ` since ${formatShortTime(Date.parse(failing.state_since), context.nowMs)}.`,
        ];
  const later =
    waiting === 0
      ? null
      : ` ${waiting === 1 ? 'One is pending and is' : `${count(waiting)} are pending and are`} retried for one day.`;
  return [`${sentText}, ${count(lost)} not delivered`, failureText, later];
}

function columns(context: PageContext): Array<Column<ChannelRow>> {
  const last = ({ last_at: at }: ChannelRow): Content => (at === null ? 'never' : timeAgo(at, context.nowMs));
  return [
    { class: 'lv', cell: ({ state }) => iconMark(...states[state]) },
    {
      name: 'Channel',
      row: (channel) =>
        titleCell(context, {
          path: `${path}/${channel.alert_channel_id}`,
          title: shortUntrustedName(channel.name),
          subtitle: [
            `${channelTypeOf(channel.type).name} `,
            html`<code>${shortUntrustedText(channel.target)}</code>`,
          ],
          folded: [
            ['f1', channelMark(channel.state)],
            ['f5', channel.sent === 0 ? null : [html`<b>${arrivedShare(channel)}</b>`, ' arrived']],
            ['f2', last(channel)],
            ['f1', stateText(channel, context.nowMs)],
          ],
        }),
    },
    column('Rules', 'd1 w5', 'd1 soft', ({ rules }) => counted(rules.length, 'rule')),
    { name: '14 days', class: 'd3', cell: daysSpark },
    column('Delivered, 7 d', 'r d5 w6', 'r d5', deliveredText),
    column('Last', 'd2 w7 seen', 'd2 seen', last),
    column('State', 'd1 w9', 'd1', (channel) => {
      const more = stateText(channel, context.nowMs);
      return [channelMark(channel.state), more === null ? null : html`<small>${more}</small>`];
    }),
  ];
}

function arrivedShare({ sent, arrived }: ChannelRow): string {
  return percent(arrived, sent, arrived === sent || arrived === 0 ? 0 : 1);
}

function deliveredText(channel: ChannelRow): Content {
  const { sent } = channel;
  const text = sent === 0 ? 'none sent' : `${count(sent)} sent`;
  return [sent === 0 ? dash() : arrivedShare(channel), html`<small>${text}</small>`];
}

function daysSpark({ days }: ChannelRow): VNode {
  const values = days.map((day) => day.arrived + day.not_arrived);
  const all = values.reduce((sum, value) => sum + value, 0);
  return sparkline({ values, name: `${counted(all, 'message')} in 14 days`, stepPx: 6 });
}

function stateText(channel: ChannelRow, nowMs: number): Content {
  const { state, waiting, oldest_waiting_at: oldest, paused_until: until, quiet_hours: quietHours } = channel;
  if (waiting > 0 && oldest !== null) {
    return `${waiting === 1 ? '1 pending' : `${count(waiting)} pending`}, oldest ${formatAge(nowMs - Date.parse(oldest))}`;
  }
  if (state === 'paused') {
    return until === null ? 'until enabled' : `until ${formatShortTime(Date.parse(until), nowMs)}`;
  }
  return quietHours === '' ? null : ['quiet ', shortUntrustedText(quietHours)];
}
