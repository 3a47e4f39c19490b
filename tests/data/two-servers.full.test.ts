import { afterAll, expect, it } from '@jest/globals';
import type { Db, Transaction } from '../../data/db.ts';
import { insertPackedEvent } from '../../data/events/event-batcher.ts';
import { insertBatch } from '../../data/events/insert-batch.ts';
import { createInsertContext, packEvent } from '../../data/events/insert-context.ts';
import { openDb } from '../../data/open-store.ts';
import { projectStore } from '../../data/projects/projects.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { until } from '../support/until.ts';
import { eventOf, startMs } from './support/events.ts';
import { postgresDatabase } from './support/postgres.ts';

describeWithPrograms('two servers on one PostgreSQL', ['initdb', 'postgres'], () => {
  const database = postgresDatabase();
  afterAll(() => database.end());

  it('wait for shared rows after their own rows are written, and for one batch only', async () => {
    const url = await database.createMigrated();
    const [one, other] = [await openDb(url, {}), await openDb(url, {})];
    await projectStore(one).createProject({ name: 'shop', createdAtMs: startMs });
    const event = (nth: number) => eventOf({ kind: 'hot', second: nth, userHash: `u${nth}`, release: '1.0' });
    const [mine, theirs] = [createInsertContext(), createInsertContext()];
    for (const filing of [mine, theirs]) await insertPackedEvent(one, filing, await packEvent(event(0)));

    const done: string[] = [];
    /** Files a batch; `hold` is waited for before it is committed. Answers what was asked so far. */
    async function begin(name: string, db: Db, nth: number, hold?: Promise<void>) {
      const batch = await Promise.all([nth, nth + 1, nth + 2].map((each) => packEvent(event(each))));
      const asked: string[] = [];
      const filed = Promise.withResolvers<void>();
      const spied = (tx: Transaction): Transaction => ({
        ...tx,
        allMany: (many, rows) => {
          asked.push(...(/(?<=(?:INTO|UPDATE) )\w+/.exec(many.sql) ?? []));
          return tx.allMany(many, rows);
        },
      });
      const writing = db.write(async (tx) => {
        const { recorded } = await insertBatch(spied(tx), db === one ? mine : theirs, batch, {
          isolateComplex: true,
        });
        expect(recorded).toHaveLength(3);
        filed.resolve();
        await hold;
      });
      return { asked, filed: filed.promise, ended: writing.then(() => done.push(name)) };
    }
    const waiting = async (): Promise<number> =>
      (await one.all("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).length;

    const mayCommit = Promise.withResolvers<void>();
    const first = await begin('one', one, 10, mayCommit.promise);
    await first.filed;
    const second = await begin('other', other, 20);
    await until(async () => (await waiting()) === 1);
    // All that nobody else wants is written: the first of the issue's own rows is waited for.
    expect(second.asked).toEqual(['events', 'event_bodies', 'issue_users', 'issue_hours']);
    const third = await begin('one again', one, 30);
    await until(async () => (await waiting()) === 2);
    expect(done).toEqual([]);
    mayCommit.resolve();
    await Promise.all([first.ended, second.ended, third.ended]);
    // Who of the two that waited is first, PostgreSQL does not promise.
    expect([done[0], ...done.slice(1).sort()]).toEqual(['one', 'one again', 'other']);
    const row = await one.get<{ events_count: number }>('SELECT events_count FROM issues');
    expect(row?.events_count).toBe(11);
    await Promise.all([one.close(), other.close()]);
  });
});
