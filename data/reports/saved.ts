import type { ReportStore, SavedReport } from '../../src/core/store/reports.ts';
import type { Db, Query } from '../db.ts';
import { forgetProject } from '../projects/report-rows.ts';
import { defaulted, integer, nullable, tableOf, text } from '../table.ts';
import { chunkRows, toValueList } from '../value-lists.ts';
import { affectedUsers } from './users.ts';

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
    affectedUsers: (projectId, range, usersMax, goOn) => affectedUsers(db, projectId, range, usersMax, goOn),
    saveReport: (report, projectIds) => db.write((tx) => keep(tx, report, projectIds)),
    async listSavedReports(projectId) {
      const [whose, values] = whoseIs(projectId);
      const heads = await reports.without('body').list(db, `WHERE ${whose}`, values);
      // By name: of each year weeks before months, newest first.
      return heads.sort((one, other) => (one.period < other.period ? 1 : -1));
    },
    findSavedReport: (id) => reports.find(db, 'WHERE id = $1', [id]),
    findReportOf(projectId, period) {
      const [whose, values] = whoseIs(projectId);
      return reports.find(db, `WHERE ${whose} AND period = $${values.length + 1}`, [...values, period]);
    },
    deleteSavedReport: (id) =>
      db.write(async (tx) => {
        await tx.run('DELETE FROM report_projects WHERE report_id = $1', [id]);
        return (await tx.run('DELETE FROM reports WHERE id = $1', [id])).changes > 0;
      }),
  };
}

function whoseIs(projectId: number | null): [sql: string, values: number[]] {
  return projectId === null ? ['project_id IS NULL', []] : ['project_id = $1', [projectId]];
}

async function keep(
  tx: Query,
  report: Omit<SavedReport, 'id'>,
  projectIds: readonly number[],
): Promise<SavedReport | null> {
  const made = await reports.insertReturning(tx, report, { onConflict: 'DO NOTHING' });
  if (made === null) return null;
  const listedProjects = report.projectId === null ? projectIds : [];
  await reportProjects.insertMany(
    tx,
    listedProjects.map((projectId) => ({ projectId, reportId: made.id })),
  );
  await forgetGone(tx, listedProjects);
  return made;
}

/** A project may have been deleted while the report was computed. */
async function forgetGone(tx: Query, projectIds: readonly number[]): Promise<void> {
  for (const portion of chunkRows(projectIds)) {
    const { marks, values } = toValueList(portion, 1);
    const there = await tx.all<{ id: number }>(`SELECT id FROM projects WHERE id IN (${marks})`, values);
    const left = new Set(there.map(({ id }) => Number(id)));
    for (const id of portion) if (!left.has(id)) await forgetProject(tx, id);
  }
}
