import type { ReportSchedule, ReportScheduleStore } from '../../src/core/store/reports.ts';
import type { Db } from '../db.ts';
import { defaulted, integer, nullable, oneOf, tableOf, text } from '../table.ts';

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
