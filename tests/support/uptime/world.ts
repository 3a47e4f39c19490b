import type { Delivery } from '../../../src/core/store/alerts.ts';
import type { Monitor, MonitorSlice } from '../../../src/core/store/monitors/monitors.ts';
import type { Slice, Sliced } from '../../../src/core/store/page.ts';
import type { Component, StatusPage } from '../../../src/core/store/status-pages/status-pages.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { allDeliveries, channels } from './alerts.ts';
import { incidents } from './incidents.ts';
import { at, dayMs, hardText, monitors, nowMs, sliceOf } from './monitors.ts';
import { isTied } from './ties.ts';

const component = (
  id: number,
  group: string,
  name: string,
  monitorIds: readonly number[],
  state: Component['state'] = 'working',
): Component => ({ id, group, name, monitorIds, state });

const pages: readonly StatusPage[] = [
  {
    id: 1,
    slug: 'harbour-pine',
    name: 'Harbour & Pine',
    hosts: ['status.harbourpine.example'],
    isPublic: true,
    line: 'Shops open from 9 to 18.',
    shows: ['days', 'percent', 'incidents', 'feeds'],
    components: [
      component(1, 'Shop', 'Front page', [6]),
      component(2, 'Shop', 'Product search', [2], 'slow'),
      component(3, 'Shop', 'Basket and checkout', [6, 8]),
      component(5, 'Payments', 'Card payments', [1], 'not_working'),
      component(6, 'Payments', 'Refunds', []),
      component(8, 'Content', 'Images', [3], 'planned_work'),
    ],
    followers: { rss: 208, mail: 4 },
    createdAtMs: at(8, 1),
  },
  {
    id: 2,
    slug: 'inside',
    name: 'Inside',
    hosts: [],
    isPublic: false,
    line: '',
    shows: ['incidents'],
    components: [component(7, '', hardText, [10])],
    followers: { rss: 0, mail: 0 },
    createdAtMs: at(8, 1),
  },
  {
    id: 3,
    slug: 'calm',
    name: 'Calm',
    hosts: [],
    isPublic: true,
    line: '',
    shows: ['days', 'percent', 'incidents', 'feeds'],
    components: [component(9, 'All', 'Mail', [7])],
    followers: { rss: 1, mail: 0 },
    createdAtMs: at(8, 1),
  },
];

const incidentsFrom = (fromMs: number) =>
  incidents.filter((each) => each.startedAtMs >= fromMs || (each.resolvedAtMs ?? nowMs) >= fromMs);

type UptimeStore = Pick<
  Store,
  | 'listMonitors'
  | 'findMonitor'
  | 'monitorDays'
  | 'monitorSums'
  | 'monitorSlices'
  | 'lastChecks'
  | 'listIncidents'
  | 'listTiedIncidents'
  | 'listOpenIncidents'
  | 'findIncident'
  | 'listStatusPages'
  | 'findStatusPage'
  | 'listChannels'
  | 'findChannel'
  | 'listDeliveries'
  | 'findDelivery'
  | 'deliveryDays'
>;

export function uptimeWorld(): UptimeStore {
  const byId = (ids: readonly number[]): readonly Monitor[] => monitors.filter(({ id }) => ids.includes(id));
  return {
    listMonitors: async () => monitors,
    findMonitor: async (slug) => monitors.find((each) => each.slug === slug) ?? null,
    async monitorDays(ids, fromMs, toMs) {
      return new Map(byId(ids).map((each) => [each.id, daysOf(each, fromMs, toMs)]));
    },
    async monitorSums(ids, { fromMs, toMs }) {
      const all = byId(ids).map((each) => [each.id, sliceOf(each, fromMs, toMs)] as const);
      return new Map(all.filter(([, { watchedMs, maintenanceMs }]) => watchedMs + maintenanceMs > 0));
    },
    async monitorSlices(id, { fromMs, toMs, stepMs }) {
      return byId([id]).flatMap((each) =>
        Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, (_, nth) =>
          sliceOf(each, fromMs + nth * stepMs, fromMs + (nth + 1) * stepMs),
        ),
      );
    },
    async lastChecks(id, limit) {
      const [monitor] = byId([id]);
      const last = monitor?.lastCheck;
      if (monitor === undefined || last === undefined || last === null) return [];
      const from = ['Falkenstein', 'Helsinki'];
      return Array.from({ length: Math.min(limit, 50) }, (_, back) => {
        const atMs = last.atMs - back * monitor.intervalMs;
        const isDown = monitor.state === 'down' && atMs >= monitor.stateSinceMs;
        const as = isDown ? last : { ...last, result: 'up' as const, code: '200', message: '' };
        return { ...as, atMs, from: from[back % 2] ?? '' };
      });
    },
    listIncidents: async (fromMs) => incidentsFrom(fromMs),
    listTiedIncidents: async (tie, fromMs) => incidentsFrom(fromMs).filter((each) => isTied(each, tie)),
    listOpenIncidents: async () => incidents.filter(({ resolvedAtMs }) => resolvedAtMs === null),
    findIncident: async (id) => incidents.find((each) => each.id === id) ?? null,
    listStatusPages: async () => pages,
    findStatusPage: async (slug) => pages.find((each) => each.slug === slug) ?? null,
    listChannels: async () => channels,
    findChannel: async (id) => channels.find((each) => each.id === id) ?? null,
    listDeliveries: async (channelId, slice) => slicedOf(deliveriesOf(channelId), slice),
    findDelivery: async (channelId, id) => deliveriesOf(channelId).find((each) => each.id === id) ?? null,
    async deliveryDays(fromMs, toMs) {
      return new Map(channels.map(({ id }) => [id, deliveryDays(deliveriesOf(id), fromMs, toMs)]));
    },
  };
}

function daysOf(monitor: Monitor, fromMs: number, toMs: number): MonitorSlice[] {
  const days: MonitorSlice[] = [];
  const first = Math.max(fromMs, monitor.createdAtMs);
  for (let day = first - (first % dayMs); day <= toMs; day += dayMs) {
    days.push(sliceOf(monitor, day, day + dayMs));
  }
  return days;
}

function deliveriesOf(channelId: number): Delivery[] {
  return allDeliveries.filter((each) => each.channelId === channelId);
}

function slicedOf(rows: readonly Delivery[], { after, before, limit }: Slice): Sliced<Delivery> {
  const place = after ?? before;
  const at_ = place === null ? 0 : rows.findIndex(({ id }) => id === place.id);
  const from = place === null ? 0 : after !== null ? at_ + 1 : Math.max(0, at_ - limit);
  const to = before !== null && after === null ? at_ : from + limit;
  return { rows: rows.slice(from, to), hasNewer: from > 0, hasOlder: to < rows.length };
}

function deliveryDays(all: readonly Delivery[], fromMs: number, toMs: number) {
  const days = new Map<number, { atMs: number; arrived: number; notArrived: number }>();
  for (const { atMs, state } of all.filter((each) => each.atMs >= fromMs && each.atMs <= toMs)) {
    const start = atMs - (atMs % dayMs);
    const day = days.get(start) ?? { atMs: start, arrived: 0, notArrived: 0 };
    if (state === 'arrived') day.arrived += 1;
    else day.notArrived += 1;
    days.set(start, day);
  }
  return [...days.values()].sort((one, other) => one.atMs - other.atMs);
}
