// What the demo watches: the numbers of its golden time, and what holds at any time. The world is a pure
// function, so each time is a case of its own.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dayMs, hourMs, minuteMs } from '../../../src/core/reading/spans.ts';
import { uptimeReads } from '../../../src/demo/store/uptime/uptime.ts';
import { demoTime, momentOf } from '../../../src/demo/world/calendar.ts';
import { rememberedFromMs, troubleAt } from '../../../src/demo/world/story.ts';
import { type UptimeWorld, uptimeWorld } from '../../../src/demo/world/uptime/world.ts';
import { runs } from '../../support/test-level.ts';

const golden = Date.UTC(2026, 10, 21, 0, 5);
const elsewhere = {
  releasedAt: (_projectId: number, week: number) => momentOf(week, 0, 9, 0),
  happened: [],
};
const at = (nowMs: number): UptimeWorld => uptimeWorld('demo-1', demoTime(nowMs), elsewhere);

/** Leap day, new year, and the hours at which clocks are changed, among any other time of fifteen years. */
const special = [
  Date.UTC(2028, 1, 29, 12),
  Date.UTC(2027, 0, 1),
  Date.UTC(2027, 0, 1) - 1,
  Date.UTC(2027, 2, 28, 1),
  Date.UTC(2027, 9, 31, 1),
  Date.UTC(2027, 5, 6, 18, 23),
  Date.UTC(2027, 5, 7, 0, 22),
];
const times = fc.oneof(fc.constantFrom(...special), fc.integer({ min: golden, max: Date.UTC(2041, 0, 1) }));

function countBy<T>(all: readonly T[], keyOf: (each: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of all) counts[keyOf(each)] = (counts[keyOf(each)] ?? 0) + 1;
  return counts;
}

describe('what is watched, at the golden time', () => {
  const world = at(golden);

  it('has eighteen monitors of every type, in every state', () => {
    expect(countBy(world.monitors, ({ type }) => type)).toEqual({
      http: 9,
      keyword: 2,
      tcp: 2,
      dns: 1,
      tls: 2,
      heartbeat: 1,
      cron: 1,
    });
    expect(countBy(world.monitors, ({ state }) => state)).toEqual({
      up: 13,
      down: 1,
      degraded: 1,
      maintenance: 1,
      pending: 1,
      paused: 1,
    });
  });

  it('has sixteen incidents, thirteen of them over, four of a release and five of an issue', () => {
    expect(world.incidents).toHaveLength(16);
    const over = world.incidents.filter(({ state }) => state === 'resolved');
    expect(over).toHaveLength(13);
    const linked = (kind: string) => over.filter(({ links }) => links.some((each) => each.kind === kind));
    expect(linked('release')).toHaveLength(4);
    expect(linked('issue')).toHaveLength(5);
    expect(new Set(over.map(({ title }) => title)).size).toBe(13);
  });

  it('has two status pages, one with eleven components in four groups, and seven channels', () => {
    const [open] = world.statusPages;
    expect(world.statusPages).toHaveLength(2);
    expect(open?.components).toHaveLength(11);
    expect(new Set(open?.components.map(({ group }) => group)).size).toBe(4);
    expect(world.channels).toHaveLength(7);
    expect(countBy(world.channels, ({ state }) => state)).toEqual({ on: 5, failing: 1, paused: 1 });
  });
});

describe('what is watched, at any time', () => {
  it('has a trouble under way that is at most six hours old, and whose monitor is down', () => {
    fc.assert(
      fc.property(times, (nowMs) => {
        const world = at(nowMs);
        const trouble = troubleAt('demo-1', world.nowMs);
        const incident = world.incidents.find(({ id }) => id === trouble.incidentId);
        expect(incident).toMatchObject({ state: 'investigating', resolvedAtMs: null });
        expect(world.nowMs - trouble.startedAtMs).toBeGreaterThanOrEqual(0);
        expect(world.nowMs - trouble.startedAtMs).toBeLessThan(6 * hourMs);
        const monitor = world.monitors.find(({ slug }) => slug === trouble.monitorSlug);
        expect(monitor).toMatchObject({ state: 'down', stateSinceMs: trouble.startedAtMs });
      }),
      { numRuns: runs(64) },
    );
  });

  it('says nothing of the future, and nothing lasts less than no time', () => {
    fc.assert(
      fc.property(times, (now) => {
        const { nowMs, ...world } = at(now);
        for (const each of world.incidents) {
          const steps = [each.startedAtMs, each.acknowledgedAtMs, each.identifiedAtMs, each.mendedAtMs];
          const done = [...steps, each.resolvedAtMs].filter((step) => step !== null);
          expect(done).toEqual([...done].sort((one, other) => one - other));
          expect(done.at(-1)).toBeLessThanOrEqual(nowMs);
          const said = each.updates.map(({ atMs }) => atMs);
          expect(said).toEqual([...said].sort((one, other) => other - one));
          expect(Math.max(...said, each.postMortem?.writtenAtMs ?? 0)).toBeLessThanOrEqual(nowMs);
          for (const link of each.links) expect(link.beforeMs ?? 0).toBeGreaterThanOrEqual(0);
        }
        for (const each of world.monitors) {
          expect(
            Math.max(each.stateSinceMs, each.createdAtMs, each.lastCheck?.atMs ?? 0),
          ).toBeLessThanOrEqual(nowMs);
        }
        for (const each of world.deliveries) {
          expect(each.attempts.at(-1)?.atMs).toBeLessThanOrEqual(nowMs);
          if (each.nextTryAtMs !== null) expect(each.nextTryAtMs).toBeGreaterThan(nowMs);
        }
      }),
      { numRuns: runs(64) },
    );
  });

  it('adds up: a day is the sum of its slots, and what was down is what the incident lasted', async () => {
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 0, max: 17 }), async (now, nth) => {
        const world = at(now);
        const store = uptimeReads(world);
        const monitor = world.monitors[nth];
        if (monitor === undefined) throw new Error('There are eighteen.');
        // Ten days of slots are enough to be wrong in.
        const fromMs = world.nowMs - (world.nowMs % dayMs) - 9 * dayMs;
        const range = { fromMs, toMs: world.nowMs, stepMs: 5 * minuteMs };
        const slots = await store.monitorSlices(monitor.id, range);
        const days = (await store.monitorDays([monitor.id], fromMs, world.nowMs)).get(monitor.id) ?? [];
        for (const day of days) {
          const own = slots.filter(({ atMs }) => atMs >= day.atMs && atMs < day.atMs + dayMs);
          for (const figure of ['watchedMs', 'downMs', 'degradedMs', 'maintenanceMs'] as const) {
            expect([day.atMs, figure, day[figure]]).toEqual([
              day.atMs,
              figure,
              own.reduce((sum, slot) => sum + slot[figure], 0),
            ]);
          }
          expect(day.downMs + day.degradedMs).toBeLessThanOrEqual(day.watchedMs);
        }
      }),
      { numRuns: runs(24) },
    );
  });

  it('agrees with a day later about the past, but for what was under way', async () => {
    await fc.assert(
      fc.asyncProperty(times, async (now) => {
        const [then, later] = [at(now), at(now + dayMs)];
        const over = then.incidents.filter(({ state }) => state === 'resolved');
        const laterIds = new Set(later.incidents.map(({ id }) => id));
        const kept = over.filter(({ id }) => laterIds.has(id));
        expect(kept.length).toBeGreaterThanOrEqual(12);
        for (const incident of kept) {
          expect(later.incidents.find(({ id }) => id === incident.id)).toEqual(incident);
        }
        // What was under way may be told otherwise when it is over: of what else it touched, too.
        const underWay = new Set(
          then.incidents.filter(({ state }) => state !== 'resolved').map(({ id }) => id),
        );
        const troubled = new Set(
          [...then.incidents, ...later.incidents]
            .filter(({ id }) => underWay.has(id))
            .flatMap(({ affects }) => affects.map(({ id }) => id)),
        );
        const fromMs = rememberedFromMs(later.nowMs);
        const toMs = then.nowMs - (then.nowMs % dayMs);
        for (const { id } of then.monitors.filter((each) => !troubled.has(each.id) && each.state === 'up')) {
          const days = async (world: UptimeWorld) =>
            (await uptimeReads(world).monitorDays([id], fromMs, toMs)).get(id);
          expect(await days(later)).toEqual(await days(then));
        }
      }),
      // The last trouble of a week, which its history keeps.
      { numRuns: runs(24), examples: [[Date.UTC(2027, 7, 30)]] },
    );
  });
});
