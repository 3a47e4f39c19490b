// Deploys in SQL. A key that is known changes its deploy; without one every call is a row.

import { invalidParam } from '../../src/core/errors.ts';
import { deployDatesReversed } from '../../src/core/releases/deploys.ts';
import type { Page } from '../../src/core/store/page.ts';
import type { Deploy, DeployChange, DeployFilter, DeployStore } from '../../src/core/store/releases.ts';
import { signal } from '../alerts/signals.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { readPage } from '../paging.ts';
import { containing, matching, refold } from '../search.ts';
import { declareEnvironment, type NameLimits } from './bounded-names.ts';
import { deployLooks } from './deploy-looks.ts';
import { type DeployRow, deployOf } from './deploy-rows.ts';
import { ensureRelease } from './releases.ts';

/** The deploy part of the store. */
export function deployStore(db: Db, limits: NameLimits): DeployStore {
  return {
    ...deployLooks(db),
    recordDeploy: (change) =>
      db.write(async (tx) => {
        const release = await ensureRelease(tx, limits, change);
        await declareEnvironment(tx, limits, change.projectId, change.environment, change.nowMs);
        const hadFailed = await hasFailed(tx, change);
        const row = await upsertDeploy(tx, release.id, change);
        const { date_started_ms: started, date_finished_ms: finished } = row;
        if (started !== null && finished !== null && Number(finished) < Number(started)) {
          throw invalidParam({ date_finished: deployDatesReversed });
        }
        if (!hadFailed && isFailure(row.status)) await tellFailed(tx, row, change);
        return {
          deploy: deployOf({ ...row, version: change.version }),
          created: Number(row.upserts) === 1,
          releaseCreated: release.created,
        };
      }),
    findDeploy: async (projectId, deployId) => {
      const row = await db.get<DeployRow>(
        `SELECT d.*, r.version FROM deploys d JOIN releases r ON r.id = d.release_id
          WHERE d.project_id = $1 AND d.id = $2`,
        [projectId, deployId],
      );
      return row === undefined ? null : deployOf(row);
    },
    listDeploys: (projectId, filter) => listDeploys(db, projectId, filter),
  };
}

function isFailure(status: Deploy['status'] | null): boolean {
  return status === 'failure' || status === 'error';
}

/**
 * Whether the deploy that is reported anew had failed already. Without a status it keeps the one it has. Its
 * row is locked until the commit.
 */
async function hasFailed(tx: Query, { projectId, key, status }: DeployChange): Promise<boolean> {
  if (key === null || (status !== null && !isFailure(status))) return false;
  const row = await tx.get<Pick<DeployRow, 'status'>>(
    'UPDATE deploys SET upserts = upserts WHERE project_id = $1 AND deploy_key = $2 RETURNING status',
    [projectId, key],
  );
  return isFailure(row?.status ?? null);
}

async function tellFailed(
  tx: Query,
  { id, release_id: releaseId, environment, name, deployed_by: by }: DeployRow,
  { projectId, version, nowMs }: DeployChange,
): Promise<void> {
  const said = [name, by === null ? null : `by ${by}`].filter((part) => part !== null);
  await signal(tx, {
    projectId,
    kind: 'deploy.failed',
    objectId: Number(id),
    release: version,
    environment,
    atMs: nowMs,
    said: {
      title: `Deploy of ${version} to ${environment}`,
      detail: said.join(', '),
      path: `/releases/${releaseId}`,
    },
  });
}

async function upsertDeploy(
  tx: Query,
  releaseId: number,
  change: DeployChange,
): Promise<DeployRow & { upserts: number }> {
  const row = await tx.get<DeployRow & { upserts: number }>(
    `INSERT INTO deploys (project_id, release_id, environment, name, url, status, created_at_ms, date_started_ms,
                          date_finished_ms, revision, repository, deployed_by, comment, deploy_key)
     VALUES ($1, $2, $3, $4, $5, COALESCE($6, 'success'), $7, $8,
             COALESCE($9, CASE WHEN COALESCE($6, 'success') IN ('queued', 'in_progress') THEN NULL ELSE CAST($10 AS BIGINT) END),
             $11, $12, $13, $14, $15)
     ON CONFLICT (project_id, deploy_key) DO UPDATE SET
       release_id = excluded.release_id,
       environment = excluded.environment,
       name = COALESCE(excluded.name, deploys.name),
       url = COALESCE(excluded.url, deploys.url),
       status = COALESCE($6, deploys.status),
       date_started_ms = COALESCE(excluded.date_started_ms, deploys.date_started_ms),
       date_finished_ms = COALESCE($9, deploys.date_finished_ms,
         CASE WHEN COALESCE($6, deploys.status) IN ('queued', 'in_progress') THEN NULL ELSE CAST($10 AS BIGINT) END),
       revision = COALESCE(excluded.revision, deploys.revision),
       repository = COALESCE(excluded.repository, deploys.repository),
       deployed_by = COALESCE(excluded.deployed_by, deploys.deployed_by),
       comment = COALESCE(excluded.comment, deploys.comment),
       upserts = deploys.upserts + 1
     RETURNING *`,
    deployValues(releaseId, change),
  );
  if (row === undefined) {
    throw new Error('an upsert of a deploy returned no row');
  }
  await refold(tx, 'deploys', row.id);
  return row;
}

function deployValues(releaseId: number, change: DeployChange): SqlValue[] {
  return [
    change.projectId,
    releaseId,
    change.environment,
    change.name,
    change.url,
    change.status,
    change.nowMs,
    change.dateStartedMs,
    change.dateFinishedMs,
    change.finishDefaultMs,
    change.revision,
    change.repository,
    change.deployedBy,
    change.comment,
    change.key,
  ];
}

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
      AND (CAST($5 AS TEXT) IS NULL OR ${matching('d.folded', ['r.version', 'd.environment', 'd.name'], '$5')})`;
  const values: SqlValue[] = [
    projectId,
    filter.releaseId ?? null,
    filter.version ?? null,
    filter.environment ?? null,
    containing(filter.search),
  ];
  const direction = filter.descending ? 'DESC' : 'ASC';
  const order = `${orders[filter.orderBy]} ${direction}, d.id ${direction}`;
  const page = await readPage<DeployRow>(db, { columns: 'd.*, r.version', from, order, values }, filter);
  return { rows: page.rows.map(deployOf), total: page.total };
}
