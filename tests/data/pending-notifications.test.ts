import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Db } from '../../data/db.ts';
import { insertEvent } from '../../data/events/event-batcher.ts';
import { createInsertContext, type InsertContext } from '../../data/events/insert-context.ts';
import { openDb } from '../../data/open-store.ts';
import type { RecordedEvent } from '../../src/core/store/events.ts';
import type { Store } from '../../src/core/store/store.ts';
import { fullOrShort, inFull, runs } from '../support/test-level.ts';
import { databases, startMs, storeAt } from './support/databases.ts';
import { type Act, act, actOn, eventFor, rowsOfProject, smallBounds } from './support/gathered.ts';

const operationsWanted = Number(process.env['TEST_OPERATIONS'] ?? 0);
const endsAfterMs = operationsWanted === 0 ? 900_000 : 14_400_000;

describe.each(databases)('events stored in one batch on $name', (database) => {
  let store: Store;
  let db: Db;
  let filing: InsertContext;
  async function open(): Promise<void> {
    const address = await database.createMigrated();
    store = await storeAt(address, smallBounds);
    db = await openDb(address, {});
    filing = createInsertContext(smallBounds);
  }
  const close = (): Promise<unknown> => Promise.all([store.close(), db.close()]);
  beforeEach(open);
  afterEach(close);

  async function project(name: string): Promise<number> {
    return (await store.createProject({ name, createdAtMs: startMs })).id;
  }

  let lives = 0;
  let operations = 0;

  /** One life, filed both ways: what is answered and what is kept must be the same. */
  async function live(acts: readonly Act[], sizes: IterableIterator<number>): Promise<void> {
    lives += 1;
    const alone = await project(`alone ${lives}`);
    const transaction = [await project(`left ${lives}`), await project(`right ${lives}`)];
    let nth = 0;
    for (const each of acts) {
      operations += each.do === 'file' ? each.events.length : 1;
      if (each.do !== 'file') {
        for (const on of [alone, ...transaction]) await actOn(store, db, on, each, startMs + nth * 1000);
        continue;
      }
      const from = nth;
      const one: RecordedEvent[] = [];
      for (const [at, given] of each.events.entries()) {
        one.push(await insertEvent(db, filing, eventFor(alone, from + at, given)));
      }
      // Two projects of the same life share each batch.
      const both = each.events.flatMap((given, at) =>
        transaction.map((on) => eventFor(on, from + at, given)),
      );
      const many: RecordedEvent[] = [];
      while (many.length < both.length) {
        const size = sizes.next().value ?? 1;
        const next = both.slice(many.length, many.length + size);
        many.push(...(await Promise.all(next.map((event) => store.recordEvent(event)))));
      }
      for (const side of [0, 1]) {
        const answers = many.filter((_answer, at) => at % 2 === side);
        expect(answers.map(told)).toEqual(one.map(told));
      }
      nth += each.events.length;
    }
    const expected = await rowsOfProject(db, alone);
    for (const on of transaction) expect(await rowsOfProject(db, on)).toEqual(expected);
  }

  const change = async (): Promise<void> => {
    const life = fc.array(act, { minLength: 4, maxLength: 16, size: 'max' });
    const property = fc.asyncProperty(life, fc.infiniteStream(fc.integer({ min: 1, max: 40 })), live);
    for (;;) {
      await fc.assert(property, { numRuns: fullOrShort(runs(40), 2), endOnFailure: true });
      tellProgress(database.name, operations);
      if (operations >= operationsWanted) return;
      // What a store remembers is bounded. Whoever forgets in the middle of a life writes the text that a
      // search looks at a few seconds sooner, which is allowed and no difference to be found here.
      await close();
      await open();
    }
  };
  inFull(it)('change what each would have changed by itself', change, endsAfterMs);
});

function told({ eventId, duplicate, isNew, isRegression }: RecordedEvent): unknown {
  return { eventId, duplicate, isNew, isRegression };
}

function tellProgress(name: string, operations: number): void {
  if (operationsWanted > 0) process.stdout.write(`${operations} operations on ${name}, the same rows\n`);
}
