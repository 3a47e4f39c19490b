import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cleanupStore } from '../../data/counts/sweep.ts';
import { openDb } from '../../data/open-store.ts';
import { recentSessionsMs } from '../../src/core/store/counts.ts';
import { projectLimits } from '../../src/core/store/projects.ts';
import type { Store } from '../../src/core/store/store.ts';
import { databases, startMs, storeAt } from './support/databases.ts';
import { eventOf } from './support/events.ts';
import { healthRows } from './support/health-rows.ts';

const hour = 3_600_000;
const hourMs = startMs - (startMs % hour);
const none = { exited: 0, errored: 0, crashed: 0, abnormal: 0 };
const idOf = (nth: number): string => String(nth).padStart(32, 'a');

describe.each(databases)('sessions on $name', (database) => {
  let store: Store;
  let address: string;
  beforeEach(async () => {
    await store?.close();
    address = await database.createMigrated();
    store = await storeAt(address);
    await store.recordEvent(eventOf());
  });
  afterAll(() => store?.close());

  const update = (
    nth: number,
    says: Partial<typeof none>,
    more: { release?: string; atMs?: number } = {},
  ) => ({
    ...{ projectId: 1, id: idOf(nth), release: '1.0', environment: 'live', atMs: startMs },
    ...{ sessions: 1, ...none, ...says, ...more },
  });
  const row = (counts: object) => ({
    ...{ release: '1.0', environment: 'live', hour_ms: hourMs, sessions: 1, ...none, ...counts },
  });

  it.each<[string, ReadonlyArray<Partial<typeof none>>, object]>([
    [
      'an error in each update',
      [{ errored: 1 }, { errored: 1 }, { errored: 1, exited: 1 }],
      { errored: 1, exited: 1 },
    ],
    ['an end that comes again', [{}, { exited: 1 }, { exited: 1 }], { exited: 1 }],
    ['a crash behind an error', [{}, { errored: 1 }, { errored: 1, crashed: 1 }], { errored: 1, crashed: 1 }],
    ['a crash and a late beginning', [{ errored: 1, crashed: 1 }, {}], { errored: 1, crashed: 1 }],
    [
      'an abnormal end behind a crash',
      [{}, { errored: 1, crashed: 1 }, { abnormal: 1 }],
      { errored: 1, crashed: 1 },
    ],
    ['a crash behind an abnormal end', [{ abnormal: 1 }, { crashed: 1 }], { crashed: 1 }],
    [
      'a crash found out about after the exit',
      [{ exited: 1 }, { crashed: 1, errored: 1 }],
      { crashed: 1, errored: 1 },
    ],
    ['an error that comes after the exit', [{ exited: 1 }, { errored: 1 }], { exited: 1, errored: 1 }],
  ])('count once: %s', async (_name, says, counts) => {
    for (const each of says) await store.addSessions([update(1, each)]);
    expect(await healthRows(address)).toEqual([row(counts)]);
    await store.addSessions(says.map((each) => update(1, each)));
    expect(await healthRows(address)).toEqual([row(counts)]);
  });

  it('count in the hour of their first update', async () => {
    await store.addSessions([update(1, {})]);
    const later = { release: '1.1', atMs: startMs + 2 * hour };
    await store.addSessions([update(1, { errored: 1, crashed: 1 }, later), update(2, {}, later)]);
    expect(await healthRows(address)).toEqual([
      row({ errored: 1, crashed: 1 }),
      row({ release: '1.1', hour_ms: hourMs + 2 * hour }),
    ]);
  });

  it('without an id and as sums are added as sent, with never more ends than sessions', async () => {
    const bare = { ...update(1, {}), id: null };
    await store.addSessions([{ ...bare, sessions: 8, exited: 7, crashed: 1 }]);
    await store.addSessions([update(1, { errored: 1 }), { ...bare, sessions: 8, exited: 7, crashed: 1 }]);
    expect(await healthRows(address)).toEqual([row({ sessions: 17, exited: 14, crashed: 2, errored: 1 })]);
    const later = { ...bare, atMs: startMs + hour };
    await store.addSessions([{ ...later, sessions: 0, crashed: 1 }]);
    expect((await healthRows(address))[1]).toEqual(row({ hour_ms: hourMs + hour, crashed: 1 }));
  });

  it('have the same counts in any order, concurrently', async () => {
    const says = fc.constantFrom<Partial<typeof none>>(
      ...[{}, { errored: 1 }, { exited: 1 }, { abnormal: 1 }, { errored: 1, crashed: 1 }],
    );
    const updates = fc.sample(fc.tuple(fc.integer({ min: 0, max: 6 }), says), { numRuns: 60, seed: 7 });
    const sent = updates.map(([nth, each]) => update(nth, each));
    const batches = Array.from({ length: 20 }, (_, at) => sent.slice(3 * at, 3 * at + 3));
    // Twice each, the second time from the end: on PostgreSQL many transactions want the same rows.
    await Promise.all([...batches, ...batches.toReversed()].map((batch) => store.addSessions(batch)));
    const [counted, ...others] = await healthRows(address);
    const ends = ['crashed', 'abnormal', 'exited'] as const;
    const expected = { sessions: 0, ...none };
    for (const id of new Set(sent.map((each) => each.id))) {
      const own = sent.filter((each) => each.id === id);
      expected.sessions += 1;
      expected.errored += own.some(({ errored }) => errored > 0) ? 1 : 0;
      const end = ends.find((name) => own.some((each) => each[name] > 0));
      if (end !== undefined) expected[end] += 1;
    }
    expect([counted, others]).toEqual([row(expected), []]);
  });

  it('are kept for a week, with a limit for each project', async () => {
    const db = await openDb(address, {});
    const known = async (): Promise<number> =>
      (await db.get<{ rows: number }>('SELECT COUNT(*) AS rows FROM recent_sessions'))?.rows ?? 0;
    const sweep = (nowMs: number) => cleanupStore(db, projectLimits).sweep(nowMs);
    try {
      await store.addSessions([update(1, {}), update(2, {}, { atMs: startMs + hour })]);
      await sweep(hourMs + recentSessionsMs);
      expect(await known()).toBe(2);
      await sweep(hourMs + recentSessionsMs + 1);
      expect(await known()).toBe(1);
      expect(await healthRows(address)).toHaveLength(2);
    } finally {
      await db.close();
    }
  });

  it('of the oldest hours are deleted where a project has too many', async () => {
    const db = await openDb(address, {});
    try {
      const rows = [4, 3, 2].map((sessions, at) => ({
        project_id: 1,
        hour_ms: startMs - at * hour,
        sessions,
      }));
      for (const { hour_ms: atMs, sessions } of rows) {
        const made = Array.from({ length: sessions }, (_, nth) => update(atMs + nth, {}, { atMs }));
        await store.addSessions(made);
      }
      const left = async (max: number) => {
        await cleanupStore(db, { ...projectLimits, recentSessionsMax: max }).sweep(startMs);
        return (await db.get<{ rows: number }>('SELECT COUNT(*) AS rows FROM recent_sessions'))?.rows;
      };
      expect([
        await left(projectLimits.recentSessionsMax),
        await left(9),
        await left(8),
        await left(1),
      ]).toEqual([9, 9, 7, 4]);
    } finally {
      await db.close();
    }
  });
});
