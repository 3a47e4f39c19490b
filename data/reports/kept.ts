// Reports that were made. Queries only.
import type { KeptReport, KeptReportHead, ReportStore } from '../../src/core/store/reports/kept.ts';
import { numberOrNull } from '../columns.ts';
import type { Db, Query } from '../db.ts';
import { forgetProject } from '../projects/report-rows.ts';
import { listOf, portionsOf } from '../value-lists.ts';
import { affectedUsers } from './users.ts';

interface HeadRow {
  readonly id: number;
  readonly project_id: number | null;
  readonly period: string;
  readonly made_at_ms: number;
  readonly made_by: string;
  readonly sums: string;
}

type Row = HeadRow & { readonly body: string };

const headColumns = 'id, project_id, period, made_at_ms, made_by, sums';
const columns = `${headColumns}, body`;

/** Reports that are kept, and what only those are made of. */
export function keptReports(db: Db): Omit<ReportStore, 'projectMoves' | 'busiestIssues'> {
  return {
    affectedUsers: (projectId, range, usersMax, goOn) => affectedUsers(db, projectId, range, usersMax, goOn),
    keepReport: (report, projectIds) => db.write((tx) => keep(tx, report, projectIds)),
    async listKeptReports(projectId) {
      const [whose, values] = whoseIs(projectId);
      const rows = await db.all<HeadRow>(`SELECT ${headColumns} FROM reports WHERE ${whose}`, values);
      // By their names: of each year the weeks first, then the months, the newest of either first.
      return rows.map(headOf).sort((one, other) => (one.period < other.period ? 1 : -1));
    },
    async findKeptReport(id) {
      const row = await db.get<Row>(`SELECT ${columns} FROM reports WHERE id = $1`, [id]);
      return row === undefined ? null : reportOf(row);
    },
    async findReportOf(projectId, period) {
      const [whose, values] = whoseIs(projectId);
      const row = await db.get<Row>(
        `SELECT ${columns} FROM reports WHERE ${whose} AND period = $${values.length + 1}`,
        [...values, period],
      );
      return row === undefined ? null : reportOf(row);
    },
    deleteKeptReport: (id) =>
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
  report: Omit<KeptReport, 'id'>,
  projectIds: readonly number[],
): Promise<KeptReport | null> {
  const { projectId, period, madeAtMs, madeBy, sums, body } = report;
  const row = await tx.get<{ id: number }>(
    `INSERT INTO reports (project_id, period, made_at_ms, made_by, sums, body) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT DO NOTHING RETURNING id`,
    [projectId, period, madeAtMs, madeBy, sums, body],
  );
  if (row === undefined) return null;
  const told = projectId === null ? projectIds : [];
  for (const portion of portionsOf(told)) {
    const rows = portion.map((_id, at) => `($${at + 2}, $1)`).join(', ');
    await tx.run(`INSERT INTO report_projects (project_id, report_id) VALUES ${rows}`, [row.id, ...portion]);
  }
  await forgetGone(tx, told);
  return { ...report, id: Number(row.id) };
}

function headOf(row: HeadRow): KeptReportHead {
  return {
    id: Number(row.id),
    projectId: numberOrNull(row.project_id),
    period: row.period,
    madeAtMs: Number(row.made_at_ms),
    madeBy: row.made_by,
    sums: row.sums,
  };
}

function reportOf(row: Row): KeptReport {
  return { ...headOf(row), body: row.body };
}

/** A project may have gone while the report was computed. */
async function forgetGone(tx: Query, projectIds: readonly number[]): Promise<void> {
  for (const portion of portionsOf(projectIds)) {
    const { marks, values } = listOf(portion, 1);
    const there = await tx.all<{ id: number }>(`SELECT id FROM projects WHERE id IN (${marks})`, values);
    const left = new Set(there.map(({ id }) => Number(id)));
    for (const id of portion) if (!left.has(id)) await forgetProject(tx, id);
  }
}
