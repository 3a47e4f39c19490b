import { beforeEach, describe, expect, it } from '@jest/globals';
import { ownedTables } from '../../data/projects/deletion.ts';
import { regroupWrites } from '../../data/regroup/applying.ts';
import type { NormalizedEvent } from '../../schemas/event.ts';
import { ProjectDeletedError } from '../../src/core/errors.ts';
import { removeProjectData } from '../../src/core/projects/projects.ts';
import { previewRegroup, type RegroupOptions } from '../../src/core/regroup/preview.ts';
import { applyRegroup } from '../../src/core/regroup/regroup.ts';
import type { Project } from '../../src/core/store/projects.ts';
import { inFull } from '../support/test-level.ts';
import { databases, startMs, storeAndDbForEachTest } from './support/databases.ts';
import { eventOf } from './support/events.ts';
import { type Greatest, measuredDb } from './support/measured-db.ts';
import { expectCounted } from './support/recount.ts';

const groupingOf = (event: NormalizedEvent) => eventOf({ kind: `new ${String(event['message'])}` }).grouping;
const options: RegroupOptions = { groupingOf, sleep: async () => {}, onProgress: () => {} };

describe.each(databases)('limits of regrouping on $name', (database) => {
  let greatest: Greatest;
  const { store, db } = storeAndDbForEachTest(database);
  beforeEach(async () => {
    await db.run("UPDATE projects SET grouping_version = 'ng1' WHERE id = 1");
    greatest = { statements: 0, changes: 0 };
  });

  const deps = () => ({
    store: { ...store, ...regroupWrites(measuredDb(db, greatest), { issuePlacesMax: 100 }) },
    now: () => startMs + 60_000,
  });
  const project = async (): Promise<Project> => (await store.findProject(1)) as Project;
  /** Runs what the project looks like now; `sleep` is called between slices. */
  async function run(sleep: RegroupOptions['sleep'] = options.sleep): Promise<unknown> {
    const look = await previewRegroup(deps(), await project(), options);
    return applyRegroup(deps(), await project(), look, { ...options, sleep });
  }
  const file = (old: string, message: string, userHash: string | null = null) =>
    store.recordEvent(eventOf({ kind: old, title: message, payload: JSON.stringify({ message }), userHash }));

  it('joins many issues a few at a time', async () => {
    for (let nth = 0; nth < 250; nth += 1) await file(`old ${nth}`, 'same');
    await run();
    expect(greatest.statements).toBeLessThanOrEqual(1000);
    const { rows } = await store.listIssues(1, { orderBy: 'id', descending: false, limit: 9, offset: 0 });
    expect(rows.map((issue) => issue.eventsCount)).toEqual([250]);
    await expectCounted(db, 1);
  });

  inFull(it)('pauses after each issue whose users it counts again', async () => {
    for (let nth = 0; nth < 20; nth += 1) {
      for (const message of [`own ${nth}`, `own ${nth}`, 'same']) await file(`old ${nth}`, message, 'ada');
    }
    let rests = 0;
    await run(async () => {
      rests += 1;
    });
    // Each issue keeps a key, loses an event, and has its user counted.
    expect(rests).toBeGreaterThanOrEqual(60);
    await expectCounted(db, 1);
  });

  inFull(it)('stops if the project is deleted meanwhile, and leaves nothing of it', async () => {
    for (let cut = 1; ; cut += 1) {
      const { id } = await store.createProject({ name: `gone ${cut}`, createdAtMs: startMs });
      const of = async (): Promise<Project> => ({ ...(await project()), id });
      for (const [old, message] of [...'aab'].map((letter) => ['x', letter] as const)) {
        const payload = JSON.stringify({ message });
        await store.recordEvent(eventOf({ projectId: id, kind: `${id} ${old}`, title: message, payload }));
      }
      const look = await previewRegroup(deps(), await of(), options);
      let slices = 0;
      const running = applyRegroup(deps(), await of(), look, {
        ...options,
        async sleep() {
          slices += 1;
          if (slices !== cut) return;
          await store.endProject(id, startMs);
          const quick = { sleep: async () => {}, onProgress: () => {} };
          await removeProjectData({ store, now: () => startMs }, id, quick);
        },
      });
      await running.catch((error: unknown) => {
        if (!(error instanceof ProjectDeletedError)) throw error;
      });
      if (slices < cut) {
        expect(cut).toBeGreaterThan(5);
        return;
      }
      for (const { table } of ownedTables) {
        const left = await db.all(`SELECT 1 AS one FROM ${table} WHERE project_id = $1`, [id]);
        expect([cut, table, left]).toEqual([cut, table, []]);
      }
      expect(slices - cut).toBeLessThanOrEqual(1);
    }
  });
});
