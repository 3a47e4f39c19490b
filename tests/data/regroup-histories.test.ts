import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Db } from '../../data/db.ts';
import { previewRegroup } from '../../src/core/regroup/preview.ts';
import { applyRegroup } from '../../src/core/regroup/regroup.ts';
import type { Project } from '../../src/core/store/projects.ts';
import { inFull, runs } from '../support/test-level.ts';
import { databases, storeAndDbForEachTest } from './support/databases.ts';
import { expectCounted } from './support/recount.ts';
import { act, expectNothingLeft, options, regroupTools, step } from './support/regrouping.ts';
import { expectSearchText } from './support/search-text.ts';
import { snapshotOf } from './support/snapshot.ts';

describe.each(databases)('regrouping any history on $name', (database) => {
  // Before these are closed.
  afterEach(() => expectSearchText(db));
  const { store, db } = storeAndDbForEachTest(database);
  const { deps, older, project, file, take } = regroupTools(() => ({ store, db }));

  inFull(it)('does what its preview says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 45, size: 'max' }), async (steps) => {
        const on = await older();
        await take(on, steps);
        const before = await snapshotOf(db, on.id);
        const look = await previewRegroup(deps(), on, options);
        expect(await previewRegroup(deps(), on, options)).toEqual(look);
        expect(await snapshotOf(db, on.id)).toEqual(before);
        const { moved } = await applyRegroup(deps(), on, look, options);
        expect(moved).toBe(look.plan.moves.reduce((sum, move) => sum + move.events, 0));
        await expectCounted(db, on.id);
        expectNothingLeft(await previewRegroup(deps(), await project(on.id), options));
      }),
      { numRuns: triesOf(db), endOnFailure: true },
    );
  });

  const listIssues = (on: Project) =>
    db.all<{ id: number; title: string }>('SELECT id, title FROM issues WHERE project_id = $1', [on.id]);

  it('titles a new issue by its events, where the first of them stays away', async () => {
    const on = await older();
    const stays = await file(on, { old: 0, key: 1 }, { second: 0 });
    await file(on, { old: 0, key: 1 }, { second: 1 });
    await file(on, { old: 0, key: 2 }, { second: 900 });
    const other = await file(on, { old: 1, key: 3 }, { second: 2 });
    const look = await previewRegroup(deps(), on, options);
    const untilOneIsMade = async (): Promise<void> => {
      if ((await listIssues(on)).length === 3) throw new CutOff();
    };
    await expect(applyRegroup(deps(), on, look, { ...options, sleep: untilOneIsMade })).rejects.toThrow(
      CutOff,
    );
    // It comes to the issue that is made already, and is older than what that was made of.
    const made = await file(on, { old: 9, key: 2, both: true }, { second: 100, title: 'what came' });
    expect([stays, other]).not.toContain(made);
    await store.mergeIssues(on.id, other, [stays], act);
    await applyRegroup(deps(), on, await previewRegroup(deps(), on, options), options);
    await expectCounted(db, on.id);
    expect((await listIssues(on)).find((issue) => issue.id === made)?.title).toBe('what came');
  });

  it('keeps events that arrive meanwhile, interrupted anywhere, and continues', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 8, maxLength: 30, size: 'max' }),
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.nat(12),
      async (steps, between, cutRun) => {
        const on = await older();
        await take(on, steps);
        const cut = cutting(cutRun);
        const look = await previewRegroup(deps(), on, options);
        await cut.run((sleep) => applyRegroup(deps(), on, look, { ...options, sleep }));
        await take(await project(on.id), between.slice(0, 3));
        if ((await store.findRegroupRun(on.id))?.finishedAtMs === null) {
          await applyRegroup(deps(), on, await previewRegroup(deps(), on, options), options);
        }
        await expectCounted(db, on.id);
        await take(await project(on.id), between.slice(3));
        await expectCounted(db, on.id);
        expectNothingLeft(await previewRegroup(deps(), await project(on.id), options));
        expect(await db.all('SELECT * FROM regroup_issues WHERE project_id = $1', [on.id])).toEqual([]);
        expect((await project(on.id)).groupingVersion).toBe('ng2');
      },
    );
    await fc.assert(property, { numRuns: triesOf(db), endOnFailure: true });
  });
});

function triesOf(db: Db): number {
  return db.dbms === 'sqlite' ? runs(24) : runs(16);
}

class CutOff extends Error {}

function cutting(slices: number) {
  let left = slices;
  let isCut = false;
  return {
    isCut: () => isCut,
    async run(job: (sleep: () => Promise<void>) => Promise<unknown>): Promise<void> {
      try {
        await job(async () => {
          left -= 1;
          if (left < 0) throw new CutOff();
        });
      } catch (error) {
        if (!(error instanceof CutOff)) throw error;
        isCut = true;
      }
    },
  };
}
