// What pages ask of what is watched, answered from the demo's world.
import { dayMs } from '../../../core/reading/spans.ts';
import type { DeliveryDay } from '../../../core/store/alerts.ts';
import type { MonitorSlice } from '../../../core/store/monitors/monitors.ts';
import type { UptimeStore } from '../../../core/store/uptime/uptime.ts';
import { floorTo } from '../../world/calendar.ts';
import { checksOf, sliceOf, slicesOf } from '../../world/uptime/checks.ts';
import type { UptimeWorld } from '../../world/uptime/world.ts';
import { sliceOf as sliceOfRows } from '../delivery/lists.ts';

/** The store of uptime over a world. */
export function uptimeReads(world: UptimeWorld): UptimeStore {
  const { monitors, timelines, incidents, statusPages, channels, deliveries } = world;
  const dayOf = rememberingDays();
  const incidentsFrom = (fromMs: number) =>
    incidents.filter((each) => (each.resolvedAtMs ?? Number.POSITIVE_INFINITY) >= fromMs);
  return {
    listMonitors: async () => monitors,
    findMonitor: async (slug) => monitors.find((each) => each.slug === slug) ?? null,
    async monitorDays(monitorIds, fromMs, toMs) {
      const of = [...timelines].filter(([id]) => monitorIds.includes(id));
      return new Map(
        of.map(([id, timeline]) => [id, slicesOf(timeline, floorTo(fromMs, dayMs), toMs, dayMs, dayOf)]),
      );
    },
    async monitorSums(monitorIds, { fromMs, toMs }) {
      const sums = new Map<number, MonitorSlice>();
      for (const [id, timeline] of timelines) {
        const slice = monitorIds.includes(id) ? sliceOf(timeline, fromMs, toMs) : null;
        if (slice !== null) sums.set(id, slice);
      }
      return sums;
    },
    async monitorSlices(monitorId, { fromMs, toMs, stepMs }) {
      const timeline = timelines.get(monitorId);
      return timeline === undefined ? [] : slicesOf(timeline, fromMs, toMs, stepMs);
    },
    async lastChecks(monitorId, limit) {
      const timeline = timelines.get(monitorId);
      return timeline === undefined ? [] : checksOf(timeline, Math.min(limit, 50));
    },
    listIncidents: async (fromMs) => incidentsFrom(fromMs),
    listTiedIncidents: async ({ side, kind, ids }, fromMs) =>
      incidentsFrom(fromMs).filter(({ affects, links }) =>
        (side === 'affects' ? affects : links).some((each) => each.kind === kind && ids.includes(each.id)),
      ),
    listOpenIncidents: async () => incidents.filter(({ resolvedAtMs }) => resolvedAtMs === null),
    findIncident: async (id) => incidents.find((each) => each.id === id) ?? null,
    listStatusPages: async () => statusPages,
    findStatusPage: async (slug) => statusPages.find((each) => each.slug === slug) ?? null,
    listChannels: async () => channels,
    findChannel: async (id) => channels.find((each) => each.id === id) ?? null,
    listDeliveries: async (channelId, slice) =>
      sliceOfRows(
        deliveries.filter((each) => each.channelId === channelId),
        ({ atMs, id }) => ({ atMs, id }),
        slice,
      ),
    findDelivery: async (channelId, deliveryId) =>
      deliveries.find((each) => each.channelId === channelId && each.id === deliveryId) ?? null,
    deliveryDays: async (fromMs, toMs) => daysOf(deliveries, fromMs, toMs),
  };
}

/** Days of a world stay as they are, and many pages ask for ninety of each monitor: each is made once. */
function rememberingDays(): typeof sliceOf {
  const days = new Map<string, MonitorSlice | null>();
  return (timeline, fromMs, untilMs) => {
    const key = `${timeline.monitor.id} ${fromMs}`;
    let day = days.get(key);
    if (day === undefined) {
      day = sliceOf(timeline, fromMs, untilMs);
      days.set(key, day);
    }
    return day;
  };
}

/** What arrived and what did not, by the channel and by the day, the oldest first. */
function daysOf(
  deliveries: UptimeWorld['deliveries'],
  fromMs: number,
  toMs: number,
): Map<number, DeliveryDay[]> {
  const days = new Map<number, Map<number, DeliveryDay>>();
  for (const { channelId, atMs, state } of deliveries) {
    if (atMs < fromMs || atMs >= toMs) continue;
    const of = days.get(channelId) ?? new Map<number, DeliveryDay>();
    const day = floorTo(atMs, dayMs);
    const { arrived, notArrived } = of.get(day) ?? { arrived: 0, notArrived: 0 };
    const isThere = state === 'arrived';
    of.set(day, {
      atMs: day,
      arrived: arrived + Number(isThere),
      notArrived: notArrived + Number(!isThere),
    });
    days.set(channelId, of);
  }
  return new Map(
    [...days].map(([id, of]) => [id, [...of.values()].sort((one, other) => one.atMs - other.atMs)]),
  );
}
