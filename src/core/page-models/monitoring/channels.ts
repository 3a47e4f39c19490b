import { channelTypes } from '../../alerts/messages/channel-types.ts';
import { viewChannel } from '../../alerts/views.ts';
import { dayMs } from '../../parsing/durations.ts';
import { sum } from '../../parsing/format/numbers.ts';
import { formatDate, formatTime } from '../../parsing/timestamps.ts';
import type { AlertChannel, Delivery, DeliveryDay } from '../../store/alerts.ts';
import { enumParam, textParam } from '../list-params.ts';
import type { RequestContext } from '../request-context.ts';
import { lastDays, startOfDayMs } from './uptime.ts';

export const channelStates = ['on', 'failing', 'paused'] as const;
export type ChannelState = (typeof channelStates)[number];

const daysDrawn = 14;
const daysCounted = 7;
export const deliveriesPerChannelMax = 200;

export type ChannelRow = ReturnType<typeof rowOf>;

export type ChannelsModel = Awaited<ReturnType<typeof channelsModel>>;

/** Those that need attention first. */
export async function channelsModel(context: RequestContext) {
  const { nowMs } = context;
  const store = context.deps.store;
  const all = await store.listChannels();
  const days = await store.deliveryDays(startOfDayMs(nowMs) - (daysDrawn - 1) * dayMs, nowMs);
  const filters = filtersOf(context);
  const rows = await Promise.all(
    all.map(async (channel) => {
      const slice = { after: null, before: null, limit: deliveriesPerChannelMax };
      const { rows: deliveries } = await store.listDeliveries(channel.id, slice);
      return rowOf(channel, days.get(channel.id) ?? [], deliveries, nowMs);
    }),
  );
  const counts = { all: all.length, on: 0, failing: 0, paused: 0 };
  for (const { state } of all) counts[state] += 1;
  return {
    filters,
    counts,
    types: channelTypes.filter((type) => all.some((each) => each.type === type)),
    /** Over all channels in 7 days; `waiting` is the current number. */
    sent: sum(rows.map(({ sent }) => sent)),
    arrived: sum(rows.map(({ arrived }) => arrived)),
    waiting: sum(rows.map(({ waiting }) => waiting)),
    rules: new Set(all.flatMap(({ rules }) => rules.map(({ id }) => id))).size,
    channels: rows
      .filter((row) => matchesFilters(row, filters))
      .toSorted((one, other) => rank(one) - rank(other)),
  };
}

function rowOf(
  channel: AlertChannel,
  days: readonly DeliveryDay[],
  deliveries: readonly Delivery[],
  nowMs: number,
) {
  const waiting = deliveries.filter(({ state }) => state === 'waiting');
  return {
    ...viewChannel(channel),
    ...viewSentDays(days, nowMs),
    last_at: formatTime(deliveries[0]?.atMs ?? null),
    waiting: waiting.length,
    oldest_waiting_at: formatTime(waiting.at(-1)?.atMs ?? null),
  };
}

/** The last 14 days, oldest first; `sent` and `arrived` are of 7 days. */
export function viewSentDays(days: readonly DeliveryDay[], nowMs: number) {
  const byDay = new Map(days.map((day) => [day.atMs, day]));
  const last = lastDays(nowMs, daysDrawn).map((atMs) => ({
    date: formatDate(atMs),
    arrived: byDay.get(atMs)?.arrived ?? 0,
    not_arrived: byDay.get(atMs)?.notArrived ?? 0,
  }));
  const counted = last.slice(-daysCounted);
  const arrived = sum(counted.map((day) => day.arrived));
  return { days: last, sent: arrived + sum(counted.map((day) => day.not_arrived)), arrived };
}

function filtersOf(context: RequestContext) {
  return {
    state: enumParam(context, 'state', channelStates),
    type: enumParam(context, 'type', channelTypes),
    q: textParam(context, 'q'),
  };
}

function matchesFilters(row: ChannelRow, { state, type, q }: ReturnType<typeof filtersOf>): boolean {
  const text = q?.toLowerCase() ?? '';
  return (
    (state === null || row.state === state) &&
    (type === null || row.type === type) &&
    (row.name.toLowerCase().includes(text) || row.target.toLowerCase().includes(text))
  );
}

function rank({ state }: ChannelRow): number {
  return ['failing', 'paused', 'on'].indexOf(state);
}
