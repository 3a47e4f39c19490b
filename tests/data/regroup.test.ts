// `project regroup` on stored events: what the look says, the run does; the undo restores every table; what
// comes in between stays. Held against a count of everything from the events themselves.
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Db } from '../../data/db.ts';
import type { NormalizedEvent } from '../../schemas/event.ts';
import { lookAtRegroup, type RegroupLook, type RegroupOptions } from '../../src/core/regroup/look.ts';
import { runRegroup, undoRegroup } from '../../src/core/regroup/regroup.ts';
import type { Project } from '../../src/core/store/projects.ts';
import type { Store } from '../../src/core/store/store.ts';
import { isLong, longOrShort } from '../support/long-or-short.ts';
import { databases, startMs, storeAndDbForEachTest } from './support/databases.ts';
import { eventIdOf, eventOf, hashOf } from './support/events.ts';
import { expectFolded } from './support/folded.ts';
import { expectCounted } from './support/recount.ts';
import { snapshotOf } from './support/snapshot.ts';

/** The rule under test: the second word of a message is the key. */
function groupingOf(event: NormalizedEvent) {
  return eventOf({ kind: keyIn(String(event['message'])) }).grouping;
}

function keyIn(message: string): string {
  return `${message.split(' ')[0]} new ${message.split(' ')[2]}`;
}

const options: RegroupOptions = { groupingOf, sleep: async () => {}, onProgress: () => {} };
const act = { actor: 'ada', nowMs: startMs };

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('file' as const),
      old: fc.nat(3),
      key: fc.nat(4),
      user: fc.nat(3),
      both: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('merge' as const), into: fc.nat(30), other: fc.nat(30) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo' as const), issue: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      issue: fc.nat(30),
      to: fc.constantFrom('resolved', 'forever', 'count', 'users'),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

describe.each(databases)('I8: regrouping on $name', (database) => {
  let store: Store;
  let db: Db;
  storeAndDbForEachTest(database, (opened) => {
    ({ store, db } = opened);
  });
  afterEach(() => expectFolded(db));
  const deps = () => ({ store, now: () => startMs + 60_000 });

  let made = 0;
  async function older(): Promise<Project> {
    made += 1;
    const { id } = await store.createProject({ name: `older ${made}`, createdAtMs: startMs });
    await db.run("UPDATE projects SET grouping_version = 'ng1' WHERE id = $1", [id]);
    return project(id);
  }
  const project = async (id: number): Promise<Project> => (await store.findProject(id)) as Project;

  /** An event of an older rule's issue; `both`: it came when the newer rule was there already. */
  async function file(
    { id: projectId }: Project,
    { old, key, both = false }: { old: number | string; key: number | string; both?: boolean },
    more: Parameters<typeof eventOf>[0] = {},
  ): Promise<number> {
    const message = `${projectId} ${old} ${key}`;
    const older = `${projectId} old ${old}`;
    const { groupingVersion } = await project(projectId);
    const isNew = groupingVersion !== 'ng1';
    const event = eventOf({
      projectId,
      kind: isNew || both ? keyIn(message) : older,
      // Every other title is more than ASCII.
      title: message.length % 2 === 0 ? message : `${message} Ä`,
      payload: JSON.stringify({ message }),
      ...(both && !isNew ? { olderHash: hashOf(older) } : {}),
      ...more,
    });
    return (await store.recordEvent(event)).issueId;
  }

  async function take(on: Project, steps: readonly Step[]): Promise<void> {
    let nth = (await db.get<{ n: number }>('SELECT COUNT(*) AS n FROM events'))?.n ?? 0;
    for (const taken of steps) {
      const all = await db.all<{ id: number }>('SELECT id FROM issues WHERE project_id = $1 ORDER BY id', [
        on.id,
      ]);
      const at = (index: number): number => all[index % all.length]?.id ?? 0;
      if (taken.do === 'file') {
        nth += 1;
        await file(on, taken, {
          second: (nth * 7919) % 9000,
          userHash: taken.user === 0 ? null : `u${taken.user}`,
          release: taken.user === 2 ? null : `r@${taken.key}`,
          environment: nth % 3 === 0 ? null : 'live',
        });
      } else if (taken.do === 'merge') {
        await store.mergeIssues(on.id, at(taken.into), [at(taken.other)], act);
      } else if (taken.do === 'undo') {
        const merges = all.length === 0 ? [] : await store.listMerges(on.id, at(taken.issue));
        const standing = merges.find((merge) => merge.undoneAtMs === null && merge.actor === 'ada');
        if (standing) await store.unmergeIssues(on.id, at(taken.issue), standing.id, act);
      } else if (taken.to === 'resolved') {
        await store.changeIssue(on.id, at(taken.issue), { status: 'resolved', in: 'now' }, act);
      } else {
        const until =
          taken.to === 'count'
            ? ({ until: 'count', count: 1e6, windowMs: null } as const)
            : taken.to === 'users'
              ? ({ until: 'users', users: 5000 } as const)
              : ({ until: 'forever' } as const);
        await store.changeIssue(on.id, at(taken.issue), { status: 'ignored', ...until }, act);
      }
    }
  }

  const nothingLeft = ({ plan }: RegroupLook): void => {
    expect(plan).toMatchObject({ moves: [], claims: [], joins: [] });
  };

  it('parts what the new rule tells apart, the bigger part keeping number, state and history', async () => {
    const on = await older();
    const ids = [];
    for (const key of ['a', 'a', 'b']) ids.push(await file(on, { old: 'x', key }));
    expect(new Set(ids).size).toBe(1);
    await store.changeIssue(on.id, ids[0] ?? 0, { status: 'ignored', until: 'forever' }, act);
    const look = await lookAtRegroup(deps(), on, options);
    expect(look.plan.moves).toMatchObject([{ fromId: ids[0], events: 1, toId: null }]);
    expect(await runRegroup(deps(), on, look, options)).toMatchObject({ moved: 1 });
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
    await expectCounted(db, on.id);
    nothingLeft(await lookAtRegroup(deps(), after, options));
  });

  it('joins what the new rule knows as one, the oldest standing, and leaves merged issues whole', async () => {
    const on = await older();
    const first = await file(on, { old: 'x', key: 'a' }, { second: 1 });
    const second = await file(on, { old: 'y', key: 'a' }, { second: 2 });
    const third = await file(on, { old: 'z', key: 'c' }, { second: 3 });
    await file(on, { old: 'z', key: 'd' }, { second: 4 });
    await store.mergeIssues(on.id, second, [third], act);
    await runRegroup(deps(), on, await lookAtRegroup(deps(), on, options), options);
    for (const key of ['a', 'c', 'd']) {
      expect(await file(await project(on.id), { old: 'x', key }, { second: 9 })).toBe(first);
    }
    await expectCounted(db, on.id);
  });

  it('lets the overflow issue and damaged events alone', async () => {
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
    const look = await lookAtRegroup(deps(), on, options);
    expect(look).toMatchObject({ events: 3, unreadable: 1 });
    nothingLeft(look);
    await runRegroup(deps(), on, look, options);
    expect(await store.findIssue(on.id, other)).not.toBeNull();
  });

  it('does what the look says, and the undo restores every table', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 45, size: 'max' }), async (steps) => {
        const on = await older();
        await take(on, steps);
        const before = await snapshotOf(db, on.id);
        const look = await lookAtRegroup(deps(), on, options);
        expect(await lookAtRegroup(deps(), on, options)).toEqual(look);
        expect(await snapshotOf(db, on.id)).toEqual(before);
        const { moved } = await runRegroup(deps(), on, look, options);
        expect(moved).toBe(look.plan.moves.reduce((sum, move) => sum + move.events, 0));
        await expectCounted(db, on.id);
        nothingLeft(await lookAtRegroup(deps(), await project(on.id), options));
        expect(await undoRegroup(deps(), on, options)).not.toBeNull();
        expect(await snapshotOf(db, on.id)).toEqual(before);
        expect(await undoRegroup(deps(), on, options)).toBeNull();
      }),
      { numRuns: triesOf(db), endOnFailure: true },
    );
  });

  it('keeps what came in between, cut off anywhere, and counts it right after the undo', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 8, maxLength: 30, size: 'max' }),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.nat(12),
        fc.nat(12),
        async (steps, between, cutRun, cutUndo) => {
          const on = await older();
          await take(on, steps);
          const where = (): Promise<Array<{ id: number; issue_id: number; grouping: string }>> =>
            db.all(
              `SELECT events.id, issue_id, grouping FROM events JOIN event_bodies ON event_row = events.id
               WHERE events.project_id = $1 ORDER BY events.id`,
              [on.id],
            );
          const before = await where();
          const cut = cutting(cutRun);
          const look = await lookAtRegroup(deps(), on, options);
          await cut.run((sleep) => runRegroup(deps(), on, look, { ...options, sleep }));
          await take(await project(on.id), between.slice(0, 3));
          if ((await store.findRegroupRun(on.id))?.finishedAtMs === null) {
            await runRegroup(deps(), on, await lookAtRegroup(deps(), on, options), options);
          }
          await expectCounted(db, on.id);
          await take(await project(on.id), between.slice(3));
          await expectCounted(db, on.id);
          const undo = cutting(cutUndo);
          await undo.run((sleep) => undoRegroup(deps(), on, { ...options, sleep }));
          await undoRegroup(deps(), on, options);
          await expectCounted(db, on.id);
          expect((await where()).slice(0, before.length)).toEqual(before);
          const snapshot = await snapshotOf(db, on.id);
          for (const table of ['regroup_runs', 'regroup_moves', 'regroup_hashes', 'regroup_issues']) {
            expect([table, snapshot[table]]).toEqual([table, []]);
          }
          expect((await project(on.id)).groupingVersion).toBe('ng1');
        },
      ),
      { numRuns: triesOf(db), endOnFailure: true },
    );
  });

  it('is safe beside a stream of new events', async () => {
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
      await runRegroup(deps(), on, await lookAtRegroup(deps(), on, options), options);
    };
    await Promise.all([run(), stream(0), stream(1), stream(2)]);
    await expectCounted(db, on.id);
    await Promise.all([undoRegroup(deps(), on, options), stream(1), stream(2)]);
    await expectCounted(db, on.id);
    const rows = await db.all<{ id: number }>('SELECT id FROM events WHERE project_id = $1', [on.id]);
    expect(rows).toHaveLength(200 + 5 * 40);
  });

  const many = longOrShort(isInProcess(database) ? 100_000 : 3_000, 600);
  it(`does ${many} events in slices, as the look says, and back`, async () => {
    const on = await older();
    for (let nth = 0; nth < many; nth += 1000) {
      const batch = Array.from({ length: Math.min(1000, many - nth) }, (_, index) => {
        const each = nth + index;
        const more = { second: each % 7000, userHash: `u${each % 97}`, release: `r@${each % 5}` };
        return file(on, { old: each % 40, key: each % 3 === 0 ? `k${each % 60}` : 'x', both: false }, more);
      });
      await Promise.all(batch);
    }
    const before = isLong ? null : await snapshotOf(db, on.id);
    const counts = await countsOf(db, on.id);
    const look = await lookAtRegroup(deps(), on, options);
    expect(look.events).toBe(many);
    const { moved } = await runRegroup(deps(), on, look, options);
    expect(moved).toBe(look.plan.moves.reduce((sum, move) => sum + move.events, 0));
    expect(moved).toBeGreaterThan(many / 10);
    nothingLeft(await lookAtRegroup(deps(), await project(on.id), options));
    await undoRegroup(deps(), on, options);
    expect(await countsOf(db, on.id)).toEqual(counts);
    if (before !== null) expect(await snapshotOf(db, on.id)).toEqual(before);
  }, 1_800_000);
});

/** How many random histories are tried: each is some forty commits. */
function triesOf(db: Db): number {
  return db.dbms === 'sqlite' ? longOrShort(120, 8) : longOrShort(12, 3);
}

/** Whether the long form runs in full here: on PostgreSQL each event is a journey of its own. */
function isInProcess(database: { readonly name: string }): boolean {
  return database.name === 'SQLite';
}

/** Sums of every table that regrouping may touch, with the texts of issues: what fits into memory of many. */
async function countsOf(db: Db, projectId: number): Promise<unknown> {
  const { issues, issue_hours, issue_users, issue_releases, issue_hashes, issue_merges, issue_activity } =
    await snapshotOf(db, projectId);
  const events = await db.all(
    `SELECT issue_id, COUNT(*) AS events, MIN(id) AS first, MAX(id) AS last FROM events
     WHERE project_id = $1 GROUP BY issue_id ORDER BY issue_id`,
    [projectId],
  );
  return {
    issues,
    issue_hours,
    issue_users,
    issue_releases,
    issue_hashes,
    issue_merges,
    issue_activity,
    events,
  };
}

class CutOff extends Error {}

/** A run that ends after so many of its slices, as a process that dies does. */
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
