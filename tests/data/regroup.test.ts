import { afterEach, describe, expect, it } from '@jest/globals';
import { previewRegroup } from '../../src/core/regroup/preview.ts';
import { applyRegroup } from '../../src/core/regroup/regroup.ts';
import { fullOrShort, inFull, isNightly } from '../support/test-level.ts';
import { databases, storeAndDbForEachTest } from './support/databases.ts';
import { eventIdOf, hashOf } from './support/events.ts';
import { expectCounted } from './support/recount.ts';
import { act, expectNothingLeft, options, regroupTools } from './support/regrouping.ts';
import { expectSearchText } from './support/search-text.ts';

describe.each(databases)('regrouping on $name', (database) => {
  // Before these are closed.
  afterEach(() => expectSearchText(db));
  const { store, db } = storeAndDbForEachTest(database);
  const { deps, older, project, file } = regroupTools(() => ({ store, db }));

  it('splits what the new rule separates; the bigger part keeps number, state and activity', async () => {
    const on = await older();
    const ids = [];
    for (const key of ['a', 'a', 'b']) ids.push(await file(on, { old: 'x', key }));
    expect(new Set(ids).size).toBe(1);
    await store.changeIssue(on.id, ids[0] ?? 0, { status: 'ignored', until: 'forever' }, act);
    const look = await previewRegroup(deps(), on, options);
    expect(look.plan.moves).toMatchObject([{ fromId: ids[0], events: 1, toId: null }]);
    expect(await applyRegroup(deps(), on, look, options)).toMatchObject({ moved: 1 });
    const after = await project(on.id);
    expect(after.groupingVersion).toBe('ng2');
    const [a, b] = [await file(after, { old: 'x', key: 'a' }), await file(after, { old: 'x', key: 'b' })];
    expect(a).toBe(ids[0]);
    expect(b).not.toBe(a);
    expect(await store.findIssue(on.id, b)).toMatchObject({
      eventsCount: 2,
      state: { status: 'ignored' },
      grouping: { hash: hashOf(`${on.id} new b`) },
    });
    // The one that keeps its number is shown by the key that keeps it there.
    expect((await store.findIssue(on.id, a))?.grouping.hash).toBe(hashOf(`${on.id} new a`));
    await expectCounted(db, on.id);
    expectNothingLeft(await previewRegroup(deps(), after, options));
  });

  it('merges what the new rule joins, into the oldest, and leaves merged issues merged', async () => {
    const on = await older();
    const first = await file(on, { old: 'x', key: 'a' }, { second: 1 });
    const second = await file(on, { old: 'y', key: 'a' }, { second: 2 });
    const third = await file(on, { old: 'z', key: 'c' }, { second: 3 });
    await file(on, { old: 'z', key: 'd' }, { second: 4 });
    await store.mergeIssues(on.id, second, [third], act);
    await applyRegroup(deps(), on, await previewRegroup(deps(), on, options), options);
    for (const key of ['a', 'c', 'd']) {
      expect(await file(await project(on.id), { old: 'x', key }, { second: 9 })).toBe(first);
    }
    await expectCounted(db, on.id);
  });

  it('skips the overflow issue and damaged events', async () => {
    const on = await older();
    const id = await file(on, { old: 'x', key: 'a' });
    await file(on, { old: 'x', key: 'b' });
    await db.run('UPDATE issues SET is_overflow = 1 WHERE id = $1', [id]);
    const other = await file(on, { old: 'y', key: 'c' }, { id: 'broken' });
    await db.run(
      `UPDATE event_bodies SET body_sha256 = $1 WHERE event_row =
         (SELECT id FROM events WHERE project_id = $2 AND event_id = $3)`,
      [Buffer.alloc(32), on.id, eventIdOf('broken')],
    );
    const look = await previewRegroup(deps(), on, options);
    expect(look).toMatchObject({ events: 3, unreadable: 1 });
    expectNothingLeft(look);
    await applyRegroup(deps(), on, look, options);
    expect(await store.findIssue(on.id, other)).not.toBeNull();
  });

  inFull(it)('is safe during a stream of new events', async () => {
    const on = await older();
    for (let nth = 0; nth < 200; nth += 1) {
      await file(
        on,
        { old: nth % 3, key: nth % 5, both: nth % 2 === 0 },
        { userHash: `u${nth % 11}`, second: nth },
      );
    }
    const stream = async (old: number): Promise<void> => {
      for (let nth = 0; nth < 40; nth += 1) {
        await file(on, { old, key: nth % 5, both: true }, { userHash: `v${nth % 3}`, second: 300 + nth });
      }
    };
    const run = async (): Promise<void> => {
      await applyRegroup(deps(), on, await previewRegroup(deps(), on, options), options);
    };
    await Promise.all([run(), stream(0), stream(1), stream(2)]);
    await expectCounted(db, on.id);
    const rows = await db.all<{ id: number }>('SELECT id FROM events WHERE project_id = $1', [on.id]);
    expect(rows).toHaveLength(200 + 3 * 40);
  });

  const many = isNightly
    ? isInProcess(database)
      ? 100_000
      : 3_000
    : fullOrShort(isInProcess(database) ? 2_000 : 400, 100);
  it(`does ${many} events in slices, as its preview says`, async () => {
    const on = await older();
    for (let nth = 0; nth < many; nth += 1000) {
      const batch = Array.from({ length: Math.min(1000, many - nth) }, (_, index) => {
        const each = nth + index;
        const more = { second: each % 7000, userHash: `u${each % 97}`, release: `r@${each % 5}` };
        return file(on, { old: each % 40, key: each % 3 === 0 ? `k${each % 60}` : 'x', both: false }, more);
      });
      await Promise.all(batch);
    }
    const look = await previewRegroup(deps(), on, options);
    expect(look.events).toBe(many);
    const { moved } = await applyRegroup(deps(), on, look, options);
    expect(moved).toBe(look.plan.moves.reduce((sum, move) => sum + move.events, 0));
    expect(moved).toBeGreaterThan(many / 10);
    expectNothingLeft(await previewRegroup(deps(), await project(on.id), options));
  });
});

function isInProcess(database: { readonly name: string }): boolean {
  return database.name === 'SQLite';
}
