// With a known key a deploy is changed; without a key each call adds a row.

import { createInvalidParamError } from '../../src/core/errors.ts';
import { deployDatesReversedMessage } from '../../src/core/releases/deploys.ts';
import type { Page } from '../../src/core/store/pagination.ts';
import type {
  Deploy,
  DeployChange,
  DeployFilter,
  DeployPageFilter,
  DeployPageStore,
  DeployStore,
  DeployWithRollback,
  EnvironmentCount,
} from '../../src/core/store/releases.ts';
import { signal } from '../alerts/signals.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { projectsCondition, readPage, readSlice } from '../paging.ts';
import { matchCondition, toLikePattern, updateFoldedColumn } from '../search.ts';
import { toValueList } from '../value-lists.ts';
import { declareEnvironment, type NameLimits } from './bounded-names.ts';
import { ensureRelease } from './releases.ts';
import { deployColumns, writtenDeploys } from './rows.ts';

export function deployStore(db: Db, limits: NameLimits): DeployStore {
  return {
    ...deployPageQueries(db),
    recordDeploy: (change) =>
      db.write(async (tx) => {
        const release = await ensureRelease(tx, limits, change);
        await declareEnvironment(tx, limits, change.projectId, change.environment, change.nowMs);
        const hadFailed = await hasFailed(tx, change);
        const row = await upsertDeploy(tx, release.id, change);
        const { dateStartedMs: started, dateFinishedMs: finished } = row;
        if (started !== null && finished !== null && finished < started) {
          throw createInvalidParamError({ date_finished: deployDatesReversedMessage });
        }
        if (!hadFailed && isFailure(row.status)) await signalFailedDeploy(tx, row, change);
        const { upserts, ...deploy } = row;
        return {
          deploy: { ...deploy, version: change.version },
          created: upserts === 1,
          releaseCreated: release.created,
        };
      }),
    findDeploy: async (projectId, deployId) => {
      const row = await db.get<Deploy>(
        `SELECT ${deployColumns} FROM deploys d JOIN releases r ON r.id = d.release_id
          WHERE d.project_id = $1 AND d.id = $2`,
        [projectId, deployId],
      );
      return row ?? null;
    },
    listDeploys: (projectId, filter) => listDeploys(db, projectId, filter),
  };
}

function isFailure(status: Deploy['status'] | null): boolean {
  return status === 'failure' || status === 'error';
}

/** Whether the deploy had failed before; locks its row until the commit. */
async function hasFailed(tx: Query, { projectId, key, status }: DeployChange): Promise<boolean> {
  if (key === null || (status !== null && !isFailure(status))) return false;
  const row = await tx.get<Pick<Deploy, 'status'>>(
    'UPDATE deploys SET upserts = upserts WHERE project_id = $1 AND deploy_key = $2 RETURNING status',
    [projectId, key],
  );
  return isFailure(row?.status ?? null);
}

async function signalFailedDeploy(
  tx: Query,
  { id, releaseId, environment, name, deployedBy: by }: Omit<Deploy, 'version'>,
  { projectId, version, nowMs }: DeployChange,
): Promise<void> {
  const details = [name, by === null ? null : `by ${by}`].filter((part) => part !== null);
  await signal(tx, {
    projectId,
    kind: 'deploy.failed',
    objectId: id,
    release: version,
    environment,
    atMs: nowMs,
    summary: {
      title: `Deploy of ${version} to ${environment}`,
      detail: details.join(', '),
      path: `/releases/${releaseId}`,
    },
  });
}

async function upsertDeploy(tx: Query, releaseId: number, change: DeployChange) {
  const row = await writtenDeploys.insertReturning(
    tx,
    {
      ...change,
      releaseId,
      status: change.status ?? 'success',
      createdAtMs: change.nowMs,
      dateFinishedMs: change.dateFinishedMs ?? (isInProgress(change.status) ? null : change.finishDefaultMs),
      searchText: null,
    },
    { onConflict: onKnownKey, values: [change.status, change.dateFinishedMs, change.finishDefaultMs] },
  );
  if (row === null) throw new Error('an upsert of a deploy returned no row');
  await updateFoldedColumn(tx, 'deploys', row.id);
  return row;
}

function isInProgress(status: Deploy['status'] | null): boolean {
  return status === 'queued' || status === 'in_progress';
}

/** `$1` and `$2` are status and end, null where not given; `$3` is the end if it is over. */
const onKnownKey = writtenDeploys.mergeOn({
  key: ['projectId', 'key'],
  otherwise: 'given unless null',
  rules: {
    releaseId: 'given',
    environment: 'given',
    status: 'SQL: COALESCE($1, deploys.status)',
    createdAtMs: 'kept',
    dateFinishedMs: `SQL: COALESCE($2, deploys.date_finished_ms, CASE WHEN COALESCE($1, deploys.status)
      IN ('queued', 'in_progress') THEN NULL ELSE CAST($3 AS BIGINT) END)`,
    searchText: 'kept',
  },
  extraAssignment: 'upserts = deploys.upserts + 1',
});

const orders = {
  date_created: 'd.created_at_ms',
  date_finished: 'd.date_finished_ms',
  environment: 'd.environment',
} as const;

async function listDeploys(db: Db, projectId: number, filter: DeployFilter): Promise<Page<Deploy>> {
  const from = `FROM deploys d JOIN releases r ON r.id = d.release_id
    WHERE d.project_id = $1
      AND (CAST($2 AS BIGINT) IS NULL OR d.release_id = $2)
      AND (CAST($3 AS TEXT) IS NULL OR r.version = $3)
      AND (CAST($4 AS TEXT) IS NULL OR d.environment = $4)
      AND (CAST($5 AS TEXT) IS NULL OR ${matchCondition('d.search_text', ['r.version', 'd.environment', 'd.name'], '$5')})`;
  const values: SqlValue[] = [
    projectId,
    filter.releaseId ?? null,
    filter.version ?? null,
    filter.environment ?? null,
    toLikePattern(filter.search),
  ];
  const direction = filter.descending ? 'DESC' : 'ASC';
  const order = `${orders[filter.orderBy]} ${direction}, d.id ${direction}`;
  return readPage(db, { columns: deployColumns, from, order, values }, filter, (deploy: Deploy) => deploy);
}

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

type DeployRow = Deploy & { readonly is_back: number; readonly next_id: number | null };

function deployPageQueries(db: Db): DeployPageStore {
  return {
    async listDeployPage(projectIds, filter, slice) {
      const { from, values } = filterCondition(projectIds, filter);
      const list = { columns, from, atMs: 'd.created_at_ms', id: 'd.id', values };
      const sliced = await readSlice(db, list, slice, (row: DeployRow) => row);
      return { ...sliced, rows: await withRollbackTargets(db, sliced.rows) };
    },
    async countDeploys(projectIds, search) {
      const { from, values } = filterCondition(projectIds, {
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

function filterCondition(projectIds: readonly number[], filter: DeployPageFilter) {
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

async function withRollbackTargets(db: Db, rows: readonly DeployRow[]): Promise<DeployWithRollback[]> {
  const nextIds = [...new Set(rows.flatMap(({ next_id: id }) => id ?? []))];
  const next = nextIds.length === 0 ? [] : await readNext(db, nextIds);
  const byId = new Map(next.map((row) => [row.id, row]));
  return rows.map(({ is_back: isBackFlag, next_id: nextId, ...deploy }) => {
    const after = nextId === null ? undefined : byId.get(nextId);
    const isRolledBack =
      deploy.status === 'success' && after?.is_back === 1 && after.releaseId !== deploy.releaseId;
    return {
      deploy,
      isBack: isBackFlag === 1,
      takenBackBy: isRolledBack ? { id: after.id, atMs: after.createdAtMs } : null,
    };
  });
}

function readNext(db: Db, ids: readonly number[]): Promise<DeployRow[]> {
  const { placeholders, values } = toValueList(ids, 1);
  return db.all<DeployRow>(
    `SELECT ${columns} FROM deploys d JOIN releases r ON r.id = d.release_id WHERE d.id IN (${placeholders})`,
    values,
  );
}
