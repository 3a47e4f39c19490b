// When reports are sent. Queries only.
import type { ReportSchedule, ReportScheduleStore } from '../../src/core/store/reports/schedules.ts';
import { numberOrNull } from '../columns.ts';
import type { Db, Query, SqlValue } from '../db.ts';

interface Row {
  readonly id: number;
  readonly project_id: number | null;
  readonly channel_id: number;
  readonly kind: string;
  readonly at_minute: number;
  readonly zone: string;
  readonly due_at_ms: number;
  readonly created_at_ms: number;
  readonly created_by: string;
}

const columns = 'id, project_id, channel_id, kind, at_minute, zone, due_at_ms, created_at_ms, created_by';

/** The queries of `ReportScheduleStore`. */
export function reportSchedules(db: Db): ReportScheduleStore {
  return {
    addReportSchedule: (schedule) => db.write((tx) => add(tx, schedule)),
    listReportSchedules: (projectId) =>
      projectId === null ? read(db, '', []) : read(db, 'WHERE project_id = $1', [projectId]),
    findReportSchedule: (id) => find(db, id),
    changeReportSchedule: (id, { atMinute, zone, dueAtMs }) =>
      db.write(async (tx) => {
        await tx.run('UPDATE report_schedules SET at_minute = $2, zone = $3, due_at_ms = $4 WHERE id = $1', [
          id,
          atMinute,
          zone,
          dueAtMs,
        ]);
        return find(tx, id);
      }),
    deleteReportSchedule: (id) =>
      db.write(async (tx) => (await tx.run('DELETE FROM report_schedules WHERE id = $1', [id])).changes > 0),
    listDueSchedules: (nowMs) => read(db, 'WHERE due_at_ms <= $1', [nowMs]),
    putOffSchedule: ({ id, dueAtMs }, nextMs) =>
      db.write(async (tx) => {
        const put = 'UPDATE report_schedules SET due_at_ms = $3 WHERE id = $1 AND due_at_ms = $2';
        return (await tx.run(put, [id, dueAtMs, nextMs])).changes > 0;
      }),
  };
}

async function read(query: Query, where: string, values: SqlValue[]): Promise<ReportSchedule[]> {
  const rows = await query.all<Row>(`SELECT ${columns} FROM report_schedules ${where} ORDER BY id`, values);
  return rows.map((row) => ({
    id: Number(row.id),
    projectId: numberOrNull(row.project_id),
    channelId: Number(row.channel_id),
    kind: row.kind as ReportSchedule['kind'],
    atMinute: Number(row.at_minute),
    zone: row.zone,
    dueAtMs: Number(row.due_at_ms),
    createdAtMs: Number(row.created_at_ms),
    createdBy: row.created_by,
  }));
}

async function find(query: Query, id: number): Promise<ReportSchedule | null> {
  return (await read(query, 'WHERE id = $1', [id]))[0] ?? null;
}

/** Null where the channel has one of that kind: whoever sends finds out that a channel is gone. */
async function add(tx: Query, schedule: Omit<ReportSchedule, 'id'>): Promise<ReportSchedule | null> {
  const { projectId, channelId, kind, atMinute, zone, dueAtMs, createdAtMs, createdBy } = schedule;
  const row = await tx.get<{ id: number }>(
    `INSERT INTO report_schedules (project_id, channel_id, kind, at_minute, zone, due_at_ms, created_at_ms,
       created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING id`,
    [projectId, channelId, kind, atMinute, zone, dueAtMs, createdAtMs, createdBy],
  );
  return row === undefined ? null : { ...schedule, id: Number(row.id) };
}
