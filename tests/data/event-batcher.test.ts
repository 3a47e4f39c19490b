import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Db, Transaction } from '../../data/db.ts';
import { writeQueueLimits } from '../../data/drivers/write-queue.ts';
import { createEventBatcher, type EventBatcher, insertPackedEvent } from '../../data/events/event-batcher.ts';
import { insertBatch, insertEventRow } from '../../data/events/insert-batch.ts';
import { createInsertContext, packEvent } from '../../data/events/insert-context.ts';
import { openDb } from '../../data/open-store.ts';
import { projectStore } from '../../data/projects/projects.ts';
import { StoreBusyError, StoreUnavailableError } from '../../src/core/errors.ts';
import { forEachTest } from '../support/shared.ts';
import { databases, startMs } from './support/databases.ts';
import { eventOf } from './support/events.ts';

describe.each(databases)('the event batcher on $name', (database) => {
  let asked: string[] = [];
  let fault: (sql: string, rows: number) => Error | null = () => null;
  const db = forEachTest(async () => openDb(await database.createMigrated(), {}));
  beforeEach(async () => {
    await projectStore(db).createProject({ name: 'shop', createdAtMs: startMs });
    fault = () => null;
  });

  function spied(): Db {
    const met = <T>(sql: string, rows: number, run: () => Promise<T>): Promise<T> => {
      asked.push(sql);
      const error = fault(sql, rows);
      return error === null ? run() : Promise.reject(error);
    };
    const wrap = (tx: Transaction): Transaction => ({
      all: (sql, values) => met(sql, 1, () => tx.all(sql, values)),
      get: (sql, values) => met(sql, 1, () => tx.get(sql, values)),
      run: (sql, values) => met(sql, 1, () => tx.run(sql, values)),
      allMany: (many, rows) => met(many.sql, rows.length, () => tx.allMany(many, rows)),
      updateMany: (many, rows) => met(many.sql, rows.length, () => tx.updateMany(many, rows)),
    });
    return { ...db, write: (job, bytes) => db.write((tx) => job(wrap(tx)), bytes) };
  }

  const filer = (limits: Partial<typeof writeQueueLimits> = {}): EventBatcher =>
    createEventBatcher(spied(), createInsertContext(), { ...writeQueueLimits, ...limits });
  const stored = async (): Promise<number> =>
    (await db.get<{ events: number }>('SELECT COUNT(*) AS events FROM events'))?.events ?? 0;
  const event = (nth: number) =>
    eventOf({ kind: `kind ${nth % 3}`, second: nth, userHash: `u${nth % 5}`, release: '1.0', tags: [] });
  const many = (count: number) => Array.from({ length: count }, (_, nth) => event(nth));
  const reasons = (results: readonly PromiseSettledResult<unknown>[]): unknown[] =>
    results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));

  it('writes shared rows last, in the same order as for a single event', async () => {
    const { record } = filer();
    const shared = /^\s*(?:UPDATE|INSERT INTO) (releases|outcomes|sdk_statistics)\b/;
    const order = (): string[] => asked.flatMap((sql) => shared.exec(sql)?.[1] ?? 'own');
    for (const each of [0, 1, 2]) await record(event(each));
    asked = [];
    await record({ ...event(3), grouping: eventOf({ kind: 'another' }).grouping });
    expect(order().filter((each) => each !== 'own')).toEqual(['releases', 'outcomes', 'sdk_statistics']);
    asked = [];
    await Promise.all(many(30).map(record));
    expect(order().slice(order().findIndex((each) => each !== 'own'))).toEqual([
      'releases',
      'outcomes',
      'sdk_statistics',
    ]);
  });

  it('inserts the events of a batch in the order of their ids where several processes write', async () => {
    const filing = createInsertContext();
    const batch = await Promise.all(many(20).map(packEvent));
    for (const each of batch.slice(0, 3)) await insertPackedEvent(db, filing, each);
    let ids: string[] = [];
    await db.write((tx) =>
      insertBatch(
        {
          ...tx,
          allMany: (asking, rows) => {
            if (asking === insertEventRow) ids = rows.map(([, , id]) => String(id));
            return tx.allMany(asking, rows);
          },
        },
        filing,
        batch.slice(3),
        { isolateComplex: true },
      ),
    );
    expect(ids).toHaveLength(17);
    expect(ids).toEqual(ids.toSorted());
  });

  it('makes no more queries for many events of known issues than for one', async () => {
    const { record } = filer();
    for (const each of [0, 1, 2]) await record(event(each));
    asked = [];
    await record(event(3));
    const [forOne, written] = [asked.length, new Set(asked)];
    asked = [];
    const recorded = await Promise.all(many(60).map(record));
    expect(asked.length).toBeLessThanOrEqual(forOne);
    expect(asked.filter((sql) => !written.has(sql))).toEqual([]);
    expect(recorded.map(({ issueId }) => issueId)).toEqual(many(60).map((_each, nth) => 1 + (nth % 3)));
    expect(await stored()).toBe(64);
  });

  it('refuses only the failing event, and stores the others in order', async () => {
    const { record } = filer();
    await record(event(0));
    const events = [event(3), eventOf({ projectId: 77, kind: 'nowhere' }), event(6), event(9)];
    const results = await Promise.allSettled(events.map(record));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    const rows = await db.all<{ event_id: string }>('SELECT event_id FROM events WHERE id > 1 ORDER BY id');
    expect(rows.map((row) => row.event_id)).toEqual([0, 2, 3].map((at) => events[at]?.eventId));
    const counted = await db.get<{ own_events_count: number }>('SELECT own_events_count FROM issues');
    expect(counted?.own_events_count).toBe(4);
  });

  it('stores events one by one after a batch failed', async () => {
    const { record } = filer();
    for (const each of [0, 1, 2]) await record(event(each));
    fault = (sql, rows) => (sql.includes('INTO event_bodies') && rows > 1 ? new Error('no') : null);
    expect((await Promise.all(many(20).map(record))).every(({ duplicate }) => !duplicate)).toBe(true);
    const counted = await db.all<{ events: number }>(
      'SELECT own_events_count AS events FROM issues ORDER BY id',
    );
    expect(counted.map(({ events }) => events)).toEqual([8, 8, 7]);
  });

  it('stores nothing of a batch that the database cannot write, and goes on after it', async () => {
    const { record } = filer();
    for (const each of [0, 1, 2]) await record(event(each));
    fault = (sql) => (sql.includes('UPDATE sdk_statistics') ? new StoreUnavailableError('gone') : null);
    const refused = reasons(await Promise.allSettled(many(20).map(record)));
    expect(refused).toHaveLength(20);
    expect(refused.every((reason) => reason instanceof StoreUnavailableError)).toBe(true);
    expect(await stored()).toBe(3);
    fault = () => null;
    await Promise.all(many(20).map(record));
    expect(await stored()).toBe(23);
  });

  it('refuses events beyond the queue limit, in number and in bytes', async () => {
    const few = filer({ waitingJobsMax: 5, batchJobsMax: 2 });
    const tooMany = reasons(await Promise.allSettled(many(8).map(few.record)));
    expect(tooMany).toHaveLength(3);
    expect(tooMany.every((reason) => reason instanceof StoreBusyError)).toBe(true);
    expect(await stored()).toBe(5);
    const small = filer({ waitingBytesMax: 1 });
    expect(reasons(await Promise.allSettled([event(90), event(91)].map(small.record)))).toHaveLength(1);
    expect(await stored()).toBe(6);
  });

  it('answers all accepted events before it closes', async () => {
    const closing = filer({ batchJobsMax: 3 });
    const recorded = Promise.all(many(10).map(closing.record));
    await closing.close();
    expect(await stored()).toBe(10);
    await recorded;
    await expect(closing.record(event(11))).rejects.toThrow(StoreUnavailableError);
  });
});
