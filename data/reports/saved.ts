import { setImmediate } from 'node:timers/promises';
import type {
  AffectedUsers,
  ReportRange,
  ReportSchedule,
  ReportScheduleStore,
  ReportStore,
} from '../../src/core/store/reports.ts';
import type { Db, Query, StoreMethod } from '../db.ts';
import { groupsOf } from '../issues/group.ts';
import { removeProjectFromReports } from '../projects/deletion.ts';
import { defaulted, integer, nullable, oneOf, ownerCondition, tableOf, text } from '../table.ts';
import { chunkRows, toValueList } from '../value-lists.ts';

const reports = tableOf('reports', {
  id: defaulted(integer),
  projectId: nullable(integer),
  period: text,
  madeAtMs: integer,
  madeBy: text,
  sums: text,
  body: text,
});
const reportProjects = tableOf('report_projects', { projectId: integer, reportId: integer });

export function savedReportStore(db: Db): Omit<ReportStore, 'projectMoves' | 'busiestIssues'> {
  return {
    affectedUsers: (projectId, range, usersMax, throwIfCancelled) =>
      affectedUsers(db, projectId, range, usersMax, throwIfCancelled),
    saveReport: (report, projectIds) => db.write((tx) => insertReport(tx, report, projectIds)),
    async listSavedReports(projectId) {
      const owner = ownerCondition(projectId);
      const heads = await reports.without('body').list(db, `WHERE ${owner.sql}`, owner.values);
      // By name: of each year weeks before months, newest first.
      return heads.sort((one, other) => (one.period < other.period ? 1 : -1));
    },
    findSavedReport: (id) => reports.find(db, 'WHERE id = $1', [id]),
    findReportOf(projectId, period) {
      const { sql, values } = ownerCondition(projectId);
      return reports.find(db, `WHERE ${sql} AND period = $${values.length + 1}`, [...values, period]);
    },
    deleteSavedReport: (id) =>
      db.write(async (tx) => {
        await tx.run('DELETE FROM report_projects WHERE report_id = $1', [id]);
        return (await tx.run('DELETE FROM reports WHERE id = $1', [id])).changes > 0;
      }),
  };
}

const insertReport: StoreMethod<'saveReport'> = async (tx, report, projectIds) => {
  const saved = await reports.insertReturning(tx, report, { onConflict: 'DO NOTHING' });
  if (saved === null) return null;
  const listedProjects = report.projectId === null ? projectIds : [];
  await reportProjects.insertMany(
    tx,
    listedProjects.map((projectId) => ({ projectId, reportId: saved.id })),
  );
  await forgetDeletedProjects(tx, listedProjects);
  return saved;
};

/** A project may have been deleted while the report was computed. */
async function forgetDeletedProjects(tx: Query, projectIds: readonly number[]): Promise<void> {
  for (const portion of chunkRows(projectIds)) {
    const { placeholders, values } = toValueList(portion, 1);
    const existing = await tx.all<{ id: number }>(
      `SELECT id FROM projects WHERE id IN (${placeholders})`,
      values,
    );
    const existingIds = new Set(existing.map(({ id }) => Number(id)));
    for (const id of portion) if (!existingIds.has(id)) await removeProjectFromReports(tx, id);
  }
}

const issuesAtOnce = 100;
const eventsAtOnce = 1_000;

/** Users of stored events in the range, each once. Stops at `usersMax` users, or when `throwIfCancelled` throws. */
export async function affectedUsers(
  db: Db,
  projectId: number,
  range: ReportRange,
  usersMax: number,
  throwIfCancelled: () => void = () => {},
): Promise<AffectedUsers> {
  const users = new Set<string>();
  // An issue that is seen meanwhile comes again at its new position.
  const visited = new Set<number>();
  let events = 0;
  let after: HeadRow | undefined = { id: 0, last_seen_ms: range.fromMs };
  while (after !== undefined) {
    throwIfCancelled();
    const heads: HeadRow[] = await activeIssues(db, projectId, after, range);
    const fresh = heads.map(({ id }) => Number(id)).filter((id) => !visited.has(id));
    for (const id of fresh) visited.add(id);
    for (const issueId of await membersOf(db, fresh)) {
      for await (const rows of eventsOf(db, projectId, issueId, range)) {
        throwIfCancelled();
        events += rows.length;
        for (const { user_hash: user } of rows) if (user !== null) users.add(user);
        if (users.size > usersMax) return { users: usersMax, events, isCut: true };
      }
    }
    after = heads.length < issuesAtOnce ? undefined : heads.at(-1);
    await setImmediate();
  }
  return { users: users.size, events, isCut: false };
}

interface HeadRow {
  readonly id: number;
  readonly last_seen_ms: number;
}

function activeIssues(db: Db, projectId: number, after: HeadRow, { toMs }: ReportRange): Promise<HeadRow[]> {
  return db.all<HeadRow>(
    `SELECT id, last_seen_ms FROM issues WHERE merged_into IS NULL AND project_id = $1
       AND (last_seen_ms, id) > ($2, $3) AND first_seen_ms < $4 ORDER BY last_seen_ms, id LIMIT $5`,
    [projectId, after.last_seen_ms, after.id, toMs, issuesAtOnce],
  );
}

/** Events stay with the issue they were stored for. */
async function membersOf(db: Db, heads: readonly number[]): Promise<number[]> {
  if (heads.length === 0) return [];
  const { placeholders, values } = toValueList(heads, 1);
  return (await db.all<{ id: number }>(groupsOf(placeholders), values)).map(({ id }) => Number(id));
}

interface EventRow {
  readonly id: number;
  readonly received_at_ms: number;
  readonly user_hash: string | null;
}

async function* eventsOf(
  db: Db,
  projectId: number,
  issueId: number,
  { fromMs, toMs }: ReportRange,
): AsyncGenerator<readonly EventRow[]> {
  let after: Pick<EventRow, 'id' | 'received_at_ms'> | undefined = { id: 0, received_at_ms: fromMs };
  while (after !== undefined) {
    const rows: EventRow[] = await db.all<EventRow>(
      `SELECT id, received_at_ms, user_hash FROM events WHERE project_id = $1 AND issue_id = $2
         AND (received_at_ms, id) > ($3, $4) AND received_at_ms < $5
       ORDER BY received_at_ms, id LIMIT $6`,
      [projectId, issueId, after.received_at_ms, after.id, toMs, eventsAtOnce],
    );
    yield rows;
    after = rows.length < eventsAtOnce ? undefined : rows.at(-1);
    await setImmediate();
  }
}

const schedules = tableOf('report_schedules', {
  id: defaulted(integer),
  projectId: nullable(integer),
  channelId: integer,
  kind: oneOf<ReportSchedule['kind']>(),
  atMinute: integer,
  zone: text,
  dueAtMs: integer,
  createdAtMs: integer,
  createdBy: text,
});

export function reportScheduleStore(db: Db): ReportScheduleStore {
  return {
    addReportSchedule: (schedule) =>
      db.write((tx) => schedules.insertReturning(tx, schedule, { onConflict: 'DO NOTHING' })),
    listReportSchedules: (projectId) =>
      projectId === null
        ? schedules.list(db, 'ORDER BY id')
        : schedules.list(db, 'WHERE project_id = $1 ORDER BY id', [projectId]),
    findReportSchedule: (id) => schedules.find(db, 'WHERE id = $1', [id]),
    changeReportSchedule: (id, { atMinute, zone, dueAtMs }) =>
      db.write((tx) =>
        schedules.updateReturning(tx, { atMinute, zone, dueAtMs }, { where: 'id = $1', values: [id] }),
      ),
    deleteReportSchedule: (id) =>
      db.write(async (tx) => (await tx.run('DELETE FROM report_schedules WHERE id = $1', [id])).changes > 0),
    listDueSchedules: (nowMs) => schedules.list(db, 'WHERE due_at_ms <= $1 ORDER BY id', [nowMs]),
    postponeSchedule: ({ id, dueAtMs }, nextMs) =>
      db.write(async (tx) => {
        const due = { where: 'id = $1 AND due_at_ms = $2', values: [id, dueAtMs] };
        return (await schedules.update(tx, { dueAtMs: nextMs }, due)) > 0;
      }),
  };
}
