// Bug reports of several projects as people work through them: lists by state, and what becomes of one.
import type { FeedbackState, FeedbackStore, ReportFilter } from '../../src/core/store/feedback.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { containing } from '../search.ts';
import { listOf } from '../value-lists.ts';
import { type FeedbackRow, feedbackOf, findRow, noDomain, withIssue } from './rows.ts';

/** How a state stands in the columns `spam` and `resolved`. */
const columnsOf: Readonly<Record<FeedbackState, readonly [spam: number, resolved: number]>> = {
  open: [0, 0],
  resolved: [0, 1],
  spam: [1, 0],
};

type Reads = Pick<FeedbackStore, 'listReports' | 'countReports' | 'reportMoments' | 'changeFeedbackState'>;

/** The part of `FeedbackStore` that looks at several projects. */
export function reportStore(db: Db): Reads {
  return {
    listReports: (filter, window) => listReports(db, filter, window),
    countReports: (projectIds) => countReports(db, projectIds),
    async reportMoments(projectIds, fromMs, limit) {
      if (projectIds.length === 0) return [];
      const { marks, values } = listOf(projectIds, 3);
      const rows = await db.all<{ created_at_ms: number }>(
        `SELECT created_at_ms FROM feedback WHERE spam = 0 AND created_at_ms >= $1 AND project_id IN (${marks})
         ORDER BY created_at_ms DESC LIMIT $2`,
        [fromMs, limit, ...values],
      );
      return rows.map((row) => Number(row.created_at_ms));
    },
    changeFeedbackState: (projectId, id, change) =>
      db.write(async (tx) => {
        await giveState(tx, projectId, id, change);
        const row = await findRow(tx, projectId, id);
        return row === undefined ? null : feedbackOf(row);
      }),
  };
}

/** Writes what somebody said became of a report. */
export async function giveState(
  tx: Query,
  projectId: number,
  id: number,
  { state, by, atMs }: { readonly state: FeedbackState; readonly by: string; readonly atMs: number },
): Promise<void> {
  await tx.run(
    `UPDATE feedback SET spam = $3, resolved = $4, state_by = $5, state_at_ms = $6
     WHERE project_id = $1 AND id = $2`,
    [projectId, id, ...columnsOf[state], by, atMs],
  );
}

async function listReports(
  query: Pick<Query, 'all'>,
  filter: ReportFilter,
  { limit, from, isBackwards }: Parameters<FeedbackStore['listReports']>[1],
) {
  if (filter.projectIds.length === 0) return [];
  const text = filter.search?.trim() ?? '';
  const exact = text === '' ? null : `%${text.replaceAll(/[!%_]/g, (sign) => `!${sign}`)}%`;
  const first: SqlValue[] = [
    ...columnsOf[filter.state],
    filter.domain === null ? null : filter.domain || noDomain,
    containing(text),
    exact,
    from?.createdAtMs ?? null,
    from?.id ?? null,
    limit,
  ];
  const { marks, values } = listOf(filter.projectIds, first.length + 1);
  const [after, order] = isBackwards ? ['>', 'ASC'] : ['<', 'DESC'];
  // The folded column holds who wrote it too, which must not be found out word by word.
  const rows = await query.all<FeedbackRow>(
    `SELECT feedback.*, ${withIssue} AS issue_id FROM feedback
     WHERE spam = $1 AND resolved = $2 AND project_id IN (${marks})
     AND (CAST($3 AS TEXT) IS NULL OR domain = $3)
     AND (CAST($4 AS TEXT) IS NULL OR LOWER(message COLLATE "C") LIKE $4 ESCAPE '!'
       OR LOWER(url COLLATE "C") LIKE $4 ESCAPE '!' OR message LIKE $5 ESCAPE '!')
     AND (CAST($6 AS BIGINT) IS NULL OR (created_at_ms, id) ${after} ($6, $7))
     ORDER BY created_at_ms ${order}, id ${order} LIMIT $8`,
    [...first, ...values],
  );
  const listed = rows.map(feedbackOf);
  return isBackwards ? listed.reverse() : listed;
}

async function countReports(query: Pick<Query, 'all'>, projectIds: readonly number[]) {
  const counts: Record<FeedbackState, number> = { open: 0, resolved: 0, spam: 0 };
  if (projectIds.length === 0) return counts;
  const { marks, values } = listOf(projectIds, 1);
  const rows = await query.all<{ spam: number; resolved: number; n: number }>(
    `SELECT spam, resolved, COUNT(*) AS n FROM feedback WHERE project_id IN (${marks}) GROUP BY spam, resolved`,
    values,
  );
  for (const { spam, resolved, n } of rows) {
    counts[Number(spam) === 1 ? 'spam' : Number(resolved) === 1 ? 'resolved' : 'open'] += Number(n);
  }
  return counts;
}
