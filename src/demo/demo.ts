// The demo as it stands at a moment: its worlds, put together into a store that pages can ask. Built once in
// five minutes and shared by all who look; nothing is read from or written to anywhere.

import type { ReportStore } from '../core/store/reports/figures.ts';
import type { Store } from '../core/store/store.ts';
import type { UptimeStore } from '../core/store/uptime/uptime.ts';
import type { PlaceCounts } from '../core/store/workspace.ts';
import { elsewhereOfAudit, elsewhereOfUptime } from './elsewhere.ts';
import { deliveryFinders } from './store/delivery/finders.ts';
import { deliveryCounts, deliveryReads } from './store/delivery/reads.ts';
import { errorsFinders, errorsReads } from './store/errors/errors.ts';
import { errorPlaceCounts } from './store/errors/projects.ts';
import { reportReads } from './store/errors/reports.ts';
import { findingReads } from './store/finding.ts';
import { uptimeReads } from './store/uptime/uptime.ts';
import { demoTime, fiveMinutesMs } from './world/calendar.ts';
import { type DeliveryWorld, deliveryWorld } from './world/delivery/world.ts';
import { beganAtMs } from './world/errors/lives.ts';
import { type ErrorsWorld, errorsWorld, releaseIssues } from './world/errors/world.ts';
import { type UptimeWorld, uptimeWorld } from './world/uptime/world.ts';

/** The whole demo at a time. */
interface DemoWorld {
  readonly seed: string;
  readonly nowMs: number;
  readonly errors: ErrorsWorld;
  readonly delivery: DeliveryWorld;
  readonly uptime: UptimeWorld;
}

/** What pages are made of. */
export interface DemoNow {
  readonly world: DemoWorld;
  readonly nowMs: number;
  readonly store: Store;
  readonly uptime: UptimeStore;
  readonly reports: ReportStore;
}

export interface Demo {
  /** The demo at a moment; times within the same five minutes have the same one. */
  at(nowMs: number): DemoNow;
  /** What it will be when the next five minutes begin: what happens until then is in it already. */
  ahead(nowMs: number): DemoNow;
}

/** The demo of a seed. Worlds of the running five minutes and of the next are kept. */
export function openDemo(seed: string): Demo {
  const kept = new Map<number, DemoNow>();
  const at = (slotMs: number): DemoNow => {
    const known = kept.get(slotMs);
    if (known !== undefined) return known;
    for (const other of kept.keys()) if (Math.abs(other - slotMs) > fiveMinutesMs) kept.delete(other);
    const made = demoAt(seed, slotMs, () => at(slotMs + fiveMinutesMs).store);
    kept.set(slotMs, made);
    return made;
  };
  return {
    at: (nowMs) => at(slotOf(nowMs)),
    ahead: (nowMs) => at(slotOf(nowMs) + fiveMinutesMs),
  };
}

/** A clock that is wrong shows the first day of the company's calendar: nothing is told from before it. */
function slotOf(nowMs: number): number {
  return demoTime(Math.max(nowMs, beganAtMs));
}

/**
 * The demo at a time: a pure function of both. `next` is the store of the next five minutes, where there is
 * one: the live tail tells of events that are in that one first, and whoever follows such a link finds them.
 */
export function demoAt(seed: string, nowMs: number, next: (() => Store) | null = null): DemoNow {
  const world = demoWorld(seed, nowMs);
  return {
    world,
    nowMs: world.nowMs,
    store: storeOf(world, next),
    uptime: uptimeReads(world.uptime),
    reports: reportReads(world.errors, world.delivery),
  };
}

/** The worlds of a time, each told what it has to know of the others. */
export function demoWorld(seed: string, now: number): DemoWorld {
  const nowMs = demoTime(now);
  const errors = errorsWorld(seed, nowMs);
  const delivery: DeliveryWorld = deliveryWorld(seed, nowMs, () => elsewhereOfAudit(errors, uptime));
  const uptime = uptimeWorld(seed, nowMs, elsewhereOfUptime(errors, delivery));
  return { seed, nowMs, errors, delivery, uptime };
}

/** A store that answers what pages read; whatever else is asked of it is a fault of ours. */
function storeOf({ errors, delivery }: DemoWorld, next: (() => Store) | null): Store {
  const all = errorsReads(errors);
  const reads = {
    ...all,
    findEvent: async (projectId: number, eventId: string) =>
      (await all.findEvent(projectId, eventId)) ?? (await next?.().findEvent(projectId, eventId)) ?? null,
    placeCounts: async (projectIds: readonly number[], sinceMs: number): Promise<PlaceCounts> => ({
      ...errorPlaceCounts(errors, projectIds, sinceMs),
      ...deliveryCounts(delivery, projectIds),
    }),
    ...deliveryReads(delivery, releaseIssues(errors)),
    ...findingReads({ ...errorsFinders(errors), ...deliveryFinders(delivery) }),
    // What is watched has a store of its own beside this one.
    listMonitors: async () => [],
    monitorDays: async () => new Map(),
    listIncidents: async () => [],
    listTiedIncidents: async () => [],
    listOpenIncidents: async () => [],
    listStatusPages: async () => [],
  };
  return new Proxy(reads, {
    get(target, name) {
      if (Reflect.has(target, name)) return Reflect.get(target, name);
      // A promise asks whether it is one.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      throw new Error(`The demo has no ${name}: it is only read.`);
    },
  }) as unknown as Store;
}
