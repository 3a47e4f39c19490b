import type {
  Deploy,
  DeployPageFilter,
  DeployPageStore,
  DeployWithRollback,
  EnvironmentCount,
} from '../../src/core/store/releases.ts';
import type { Db, SqlValue } from '../db.ts';
import { projectsCondition, readSlice } from '../keyset-pages.ts';
import { matchCondition, toLikePattern } from '../search.ts';
import { toValueList } from '../value-lists.ts';
import { deployColumns } from './rows.ts';

const environmentsMax = 50;

/** The nearest successful deploy to the same environment, before or after `d`. */
function nearest(column: string, side: '<' | '>'): string {
  const direction = side === '<' ? 'DESC' : 'ASC';
  return `(SELECT n.${column} FROM deploys n WHERE n.project_id = d.project_id AND n.environment = d.environment
    AND n.status = 'success' AND (n.created_at_ms, n.id) ${side} (d.created_at_ms, d.id)
    ORDER BY n.created_at_ms ${direction}, n.id ${direction} LIMIT 1)`;
}

/** A rollback: it replaced a later release, and its own was deployed there before. */
const isBack = `(d.status = 'success' AND ${nearest('release_id', '<')} > d.release_id AND EXISTS (
  SELECT 1 FROM deploys e WHERE e.release_id = d.release_id AND e.environment = d.environment
    AND e.status = 'success' AND (e.created_at_ms, e.id) < (d.created_at_ms, d.id)))`;

const columns = `${deployColumns}, CASE WHEN ${isBack} THEN 1 ELSE 0 END AS is_back, ${nearest('id', '>')} AS next_id`;

type LookRow = Deploy & { readonly is_back: number; readonly next_id: number | null };

export function deployPageQueries(db: Db): DeployPageStore {
  return {
    async listDeployPage(projectIds, filter, slice) {
      const { from, values } = fitting(projectIds, filter);
      const list = { columns, from, atMs: 'd.created_at_ms', id: 'd.id', values };
      const sliced = await readSlice<LookRow>(db, list, slice);
      return { ...sliced, rows: await withTakenBack(db, sliced.rows) };
    },
    async countDeploys(projectIds, search) {
      const { from, values } = fitting(projectIds, {
        environment: null,
        outcome: null,
        search,
        sinceMs: null,
      });
      return db.all<EnvironmentCount>(
        `SELECT d.environment, COUNT(*) AS deploys,
           CAST(SUM(CASE WHEN d.status IN ('failure', 'error') THEN 1 ELSE 0 END) AS BIGINT) AS failed
         ${from} GROUP BY d.environment ORDER BY 2 DESC, 1 LIMIT ${environmentsMax}`,
        values,
      );
    },
  };
}

function fitting(projectIds: readonly number[], filter: DeployPageFilter) {
  const projects = projectsCondition('d.project_id', projectIds, 4);
  const outcome =
    filter.outcome === null
      ? ''
      : `AND ${filter.outcome === 'back' ? isBack : "d.status IN ('failure', 'error')"}`;
  const from = `FROM deploys d JOIN releases r ON r.id = d.release_id WHERE ${projects.sql}
    AND (CAST($1 AS TEXT) IS NULL OR d.environment = $1)
    AND (CAST($2 AS TEXT) IS NULL OR ${matchCondition('d.search_text', ['r.version', 'd.environment', 'd.name'], '$2')})
    AND (CAST($3 AS BIGINT) IS NULL OR d.created_at_ms >= $3) ${outcome}`;
  const values: SqlValue[] = [
    filter.environment,
    toLikePattern(filter.search ?? undefined),
    filter.sinceMs,
    ...projects.values,
  ];
  return { from, values };
}

async function withTakenBack(db: Db, rows: readonly LookRow[]): Promise<DeployWithRollback[]> {
  const nextIds = [...new Set(rows.flatMap(({ next_id: id }) => id ?? []))];
  const next = nextIds.length === 0 ? [] : await readNext(db, nextIds);
  const byId = new Map(next.map((row) => [row.id, row]));
  return rows.map(({ is_back: isBackFlag, next_id: nextId, ...deploy }) => {
    const after = nextId === null ? undefined : byId.get(nextId);
    const isTakenBack =
      deploy.status === 'success' && after?.is_back === 1 && after.releaseId !== deploy.releaseId;
    return {
      deploy,
      isBack: isBackFlag === 1,
      takenBackBy: isTakenBack ? { id: after.id, atMs: after.createdAtMs } : null,
    };
  });
}

function readNext(db: Db, ids: readonly number[]): Promise<LookRow[]> {
  const { marks, values } = toValueList(ids, 1);
  return db.all<LookRow>(
    `SELECT ${columns} FROM deploys d JOIN releases r ON r.id = d.release_id WHERE d.id IN (${marks})`,
    values,
  );
}
