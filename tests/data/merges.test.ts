import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Db } from '../../data/db.ts';
import { insertEvent } from '../../data/events/event-batcher.ts';
import { createInsertContext } from '../../data/events/insert-context.ts';
import { eventReads } from '../../data/events/reads.ts';
import { changeIssue } from '../../data/issues/changes.ts';
import { mergeStore } from '../../data/issues/merge-issues.ts';
import { moveEvents, showAsFilled } from '../../data/issues/move-events.ts';
import { openDb } from '../../data/open-store.ts';
import { projectStore } from '../../data/projects/projects.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { shared } from '../support/shared.ts';
import { inFull, runs } from '../support/test-level.ts';
import { databases, startMs } from './support/databases.ts';
import { eventOf } from './support/events.ts';
import { mergeModel } from './support/merge-model.ts';
import { postgresDatabase } from './support/postgres.ts';
import { expectCounted } from './support/recount.ts';

const filing = createInsertContext({ newIssuesPerHourMax: 1000 });
const act = { actor: 'ada', nowMs: startMs };
const kindsMax = 6;

type Step =
  | { readonly do: 'event'; readonly kind: number; readonly user: number; readonly second: number }
  | { readonly do: 'merge'; readonly into: number; readonly others: number[] }
  | { readonly do: 'undo'; readonly merge: number; readonly issue: number }
  | { readonly do: 'ignore'; readonly issue: number; readonly until: 'count' | 'users' };

const some = fc.nat({ max: 1000 });
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('event'), kind: some, user: fc.nat(4), second: fc.nat(9) }),
    fc.record({
      do: fc.constant('merge'),
      into: some,
      others: fc.array(some, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ do: fc.constant('undo'), merge: some, issue: some }),
    fc.record({ do: fc.constant('ignore'), issue: some, until: fc.constantFrom('count', 'users') }),
  ) as fc.Arbitrary<Step>,
  { minLength: 8, maxLength: 40, size: 'max' },
);

async function playground(db: Db, name: string) {
  const { id: projectId } = await projectStore(db).createProject({ name, createdAtMs: startMs });
  const model = mergeModel();
  const merges = mergeStore(db);
  const ids: number[] = [];
  const mergeIds: number[] = [];
  const file = async (kind: number, user: string | null, second: number): Promise<void> => {
    const event = eventOf({ projectId, kind: `${name} ${kind}`, userHash: user, second });
    const { issueId } = await insertEvent(db, filing, event);
    if (kind === ids.length) ids.push(issueId);
    model.addEvent(kind, { user, second });
    expect(issueId).toBe(ids[model.headOf(kind)]);
  };
  const idAt = (issue: number): number => ids[issue % ids.length] as number;
  const take = async (step: Step): Promise<void> => {
    const issue = (number: number): number => number % ids.length;
    if (step.do === 'event') {
      const kind = step.kind % Math.min(kindsMax, ids.length + 1);
      return file(kind, step.user === 0 ? null : `u${step.user}`, step.second);
    }
    if (step.do === 'ignore') {
      const until =
        step.until === 'count'
          ? ({ until: 'count', count: 1e9, windowMs: null } as const)
          : ({ until: 'users', users: 9999 } as const);
      // A state is changed only by another one: a step between makes every ignoring a new one.
      await changeIssue(db, projectId, idAt(step.issue), { status: 'unresolved' }, act);
      await changeIssue(db, projectId, idAt(step.issue), { status: 'ignored', ...until }, act);
      return model.ignore(issue(step.issue), step.until);
    }
    if (step.do === 'merge') {
      const done = await merges.mergeIssues(projectId, idAt(step.into), step.others.map(idAt), act);
      expect(done !== null).toBe(model.merge(issue(step.into), step.others.map(issue)));
      if (done !== null) mergeIds.push(done.id);
      return;
    }
    const index = step.merge % (mergeIds.length + 1);
    const done = await merges.unmergeIssues(projectId, idAt(step.issue), mergeIds[index] ?? 987_654, act);
    expect(done !== null).toBe(model.undo(index, issue(step.issue)));
  };
  return { projectId, model, ids, file, take, mergeIds };
}

interface IssueFigures {
  readonly id: number;
  readonly merged_into: number | null;
  readonly events_count: number;
  readonly users_count: number;
  readonly first_seen_ms: number;
  readonly last_seen_ms: number;
  readonly own_events_count: number;
  readonly own_users_count: number;
  readonly since_events: number | null;
  readonly since_users: number | null;
}

async function expectSame(
  db: Db,
  { projectId, model, ids, mergeIds }: Awaited<ReturnType<typeof playground>>,
) {
  const rows = await db.all<IssueFigures>(
    `SELECT id, merged_into, events_count, users_count, first_seen_ms, last_seen_ms, own_events_count, own_users_count,
       events_count - ignored_events_before AS since_events, users_count - ignored_users_before AS since_users
     FROM issues WHERE project_id = $1 ORDER BY id`,
    [projectId],
  );
  const own = (issue: number): ReadonlyArray<{ user: string | null }> => model.issues[issue]?.events ?? [];
  const usersOf = (issue: number): Set<string> => new Set(own(issue).flatMap((event) => event.user ?? []));
  expect(rows).toEqual(
    ids.map((id, issue) => {
      const head = model.headOf(issue);
      const figures = model.figures(issue);
      const since = model.issues[issue]?.since ?? null;
      return {
        id,
        merged_into: head === issue ? null : ids[head],
        events_count: figures.events,
        users_count: figures.users,
        first_seen_ms: startMs + figures.firstSecond * 1000,
        last_seen_ms: startMs + figures.lastSecond * 1000,
        own_events_count: own(issue).length,
        own_users_count: usersOf(issue).size,
        since_events: since?.until === 'count' ? since.seen : null,
        since_users: since?.until === 'users' ? since.seen : null,
      };
    }),
  );
  const hours = await db.all<{ issue_id: number; events: number }>(
    'SELECT issue_id, events FROM issue_hours WHERE project_id = $1 ORDER BY issue_id',
    [projectId],
  );
  expect(hours).toEqual(ids.map((id, issue) => ({ issue_id: id, events: own(issue).length })));
  const users = await db.all<{ issue_id: number; user_hash: string }>(
    'SELECT issue_id, user_hash FROM issue_users WHERE project_id = $1 ORDER BY issue_id, user_hash',
    [projectId],
  );
  expect(users).toEqual(
    ids.flatMap((id, issue) => [...usersOf(issue)].sort().map((user) => ({ issue_id: id, user_hash: user }))),
  );
  const merges = await db.all<{ id: number; into_issue_id: number; undone: number }>(
    `SELECT id, into_issue_id, CASE WHEN undone_at_ms IS NULL THEN 0 ELSE 1 END AS undone FROM issue_merges
     WHERE project_id = $1 ORDER BY id`,
    [projectId],
  );
  expect(merges).toEqual(
    model.merges.map((merge, index) => ({
      id: mergeIds[index],
      into_issue_id: ids[merge.into],
      undone: Number(merge.undone),
    })),
  );
}

describe.each(databases)('merges on $name', (database) => {
  let made = 0;
  const db = shared(async () => openDb(await database.createMigrated(), {}));
  const fresh = () => {
    made += 1;
    return playground(db, `p${made}`);
  };

  inFull(it)('have the counts of a model after any events, merges and undos', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const ground = await fresh();
        await ground.file(0, 'u1', 5);
        for (const step of taken) await ground.take(step);
        await expectSame(db, ground);
      }),
      { numRuns: runs(db.dbms === 'sqlite' ? 150 : 30) },
    );
  });

  it('have right counts after an inner undo, and after the outer one', async () => {
    const ground = await fresh();
    for (const kind of [0, 1, 2]) await ground.file(kind, `u${kind}`, kind);
    await ground.take({ do: 'merge', into: 0, others: [1] });
    await ground.take({ do: 'merge', into: 2, others: [0] });
    for (const merge of [0, 1]) {
      await ground.take({ do: 'undo', merge, issue: 0 });
      await expectSame(db, ground);
    }
  });

  it('keep an issue that was merged again when an older merge is undone', async () => {
    const ground = await fresh();
    for (const kind of [0, 1, 2]) await ground.file(kind, null, kind);
    await ground.take({ do: 'merge', into: 0, others: [1] });
    await ground.take({ do: 'merge', into: 2, others: [0] });
    await ground.take({ do: 'undo', merge: 0, issue: 1 });
    await ground.take({ do: 'merge', into: 2, others: [1] });
    await ground.take({ do: 'undo', merge: 1, issue: 2 });
    expect(ground.model.headOf(1)).toBe(2);
    await expectSame(db, ground);
  });

  it('are found by number however many came later, and are listed for their target', async () => {
    const ground = await fresh();
    for (const kind of [0, 1, 2, 3]) await ground.file(kind, null, kind);
    await ground.take({ do: 'merge', into: 0, others: [1] });
    for (let nth = 1; nth <= 105; nth += 1) {
      await ground.take({ do: 'merge', into: 0, others: [2] });
      await ground.take({ do: 'undo', merge: nth, issue: 0 });
    }
    await ground.take({ do: 'merge', into: 3, others: [0] });
    const listed = await mergeStore(db).listMerges(ground.projectId, ground.ids[3] ?? 0);
    expect(listed).toHaveLength(100);
    expect(listed.slice(0, 2).map((merge) => merge.issueIds)).toEqual([
      ground.ids.slice(0, 2),
      [ground.ids[2]],
    ]);
    await ground.take({ do: 'undo', merge: 0, issue: 3 });
    expect(ground.model.headOf(1)).toBe(1);
    await expectSame(db, ground);
  });

  it('are undone only from their own group, and once', async () => {
    const ground = await fresh();
    for (const kind of [0, 1, 2]) await ground.file(kind, null, kind);
    await ground.take({ do: 'merge', into: 0, others: [1] });
    const undo = (projectId: number, issue: number) =>
      mergeStore(db).unmergeIssues(projectId, ground.ids[issue] ?? 0, ground.mergeIds[0] ?? 0, act);
    expect(await undo(ground.projectId, 2)).toBeNull();
    expect(await undo(ground.projectId + 1, 0)).toBeNull();
    await expectSame(db, ground);
    expect(await undo(ground.projectId, 1)).toMatchObject({ undoneAtMs: act.nowMs });
    expect(await undo(ground.projectId, 1)).toBeNull();
  });

  it('show the events of a target of hundreds of issues', async () => {
    const ground = await fresh();
    await ground.file(0, null, 0);
    await db.write(async (tx) => {
      for (let nth = 1; nth <= 600; nth += 1) {
        await tx.run(
          `INSERT INTO issues (project_id, merged_into, is_overflow, title, culprit, level, platform, grouping, status,
             state_changed_at_ms, regressions_count, events_count, users_count, first_seen_ms, last_seen_ms,
             own_events_count, own_users_count, own_first_seen_ms, own_last_seen_ms)
           VALUES ($1, $2, 0, '', '', 'error', '', '{}', 'resolved', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)`,
          [ground.projectId, null],
        );
      }
    });
    const newest = eventOf({ projectId: ground.projectId, kind: 'the newest of all' });
    const { issueId } = await insertEvent(db, filing, newest);
    await db.run('UPDATE issues SET merged_into = $2 WHERE project_id = $1 AND id <> $2', [
      ground.projectId,
      issueId,
    ]);
    const page = { descending: true, limit: 10, offset: 0 };
    const events = await eventReads(db).listIssueEvents(ground.projectId, issueId, page);
    expect(events?.rows.map((event) => event.eventId)).toContain(newest.eventId);
  });
});

describeWithPrograms('an event beside a merge on PostgreSQL', ['initdb', 'postgres'], () => {
  const database = postgresDatabase();
  afterAll(() => database.end());
  const db = shared(async () => openDb(await database.createMigrated(), {}));

  /** The same database, whose writes hold back their commit until `go` is called. */
  function held(): { db: Db; reached: Promise<void>; go: () => void } {
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const write: Db['write'] = (job, bytes) =>
      db.write(async (tx) => {
        const value = await job(tx);
        reached.resolve();
        await gate.promise;
        return value;
      }, bytes);
    return { db: { ...db, write }, reached: reached.promise, go: gate.resolve };
  }

  async function untilOneWaits(): Promise<void> {
    for (;;) {
      const waiting = await db.all(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      );
      if (waiting.length > 0) return;
    }
  }

  it('is counted for the merge target at the time of its commit', async () => {
    const ground = await playground(db, 'shop');
    for (const kind of [0, 1]) await ground.file(kind, `u${kind}`, kind);
    const [into = 0, from = 0] = ground.ids;
    const merging = held();
    const merged = mergeStore(merging.db).mergeIssues(ground.projectId, into, [from], act);
    await merging.reached;
    const event = { projectId: ground.projectId, kind: 'shop 1', userHash: 'u9', second: 7 };
    const filed = insertEvent(db, filing, eventOf(event));
    await untilOneWaits();
    merging.go();
    const mergeId = (await merged)?.id ?? 0;
    ground.mergeIds.push(mergeId);
    ground.model.merge(0, [1]);
    expect(await filed).toMatchObject({ issueId: into });
    ground.model.addEvent(1, { user: 'u9', second: 7 });
    await expectSame(db, ground);

    const undoing = held();
    const undone = mergeStore(undoing.db).unmergeIssues(ground.projectId, into, mergeId, act);
    await undoing.reached;
    const next = insertEvent(db, filing, eventOf({ ...event, second: 8 }));
    await untilOneWaits();
    undoing.go();
    await undone;
    ground.model.undo(0, 0);
    expect(await next).toMatchObject({ issueId: from });
    ground.model.addEvent(1, { user: 'u9', second: 8 });
    await expectSame(db, ground);
  });

  it('is counted for its group although another issue leaves it meanwhile', async () => {
    const ground = await playground(db, 'moving');
    for (const kind of [0, 1, 2]) await ground.file(kind, null, kind);
    const [head = 0, member = 0, elsewhere = 0] = ground.ids;
    const { projectId } = ground;
    await mergeStore(db).mergeIssues(projectId, head, [member], act);
    const rows = await db.all<{ id: number }>('SELECT id FROM events WHERE issue_id = $1', [member]);
    const filed = held();
    const event = eventOf({ projectId, kind: 'moving 0', second: 7 });
    const recorded = insertEvent(filed.db, filing, event);
    await filed.reached;
    const move = { projectId, fromId: member, toId: elsewhere, rows: rows.map(({ id }) => id), placesMax: 9 };
    const moved = db.write((tx) => moveEvents(tx, move));
    await untilOneWaits();
    filed.go();
    await Promise.all([recorded, moved]);
    await expectCounted(db, projectId);
  });

  it('is the last event of its issue, although that is recomputed meanwhile', async () => {
    const ground = await playground(db, 'seen');
    await ground.file(0, null, 0);
    const [issue = 0] = ground.ids;
    const filed = held();
    const event = eventOf({ projectId: ground.projectId, kind: 'seen 0', second: 7 });
    const recorded = insertEvent(filed.db, filing, event);
    await filed.reached;
    const shown = db.write((tx) => showAsFilled(tx, ground.projectId, issue));
    await untilOneWaits();
    filed.go();
    await Promise.all([recorded, shown]);
    await expectCounted(db, ground.projectId);
  });
});
