// Releases in SQL: one upsert, made by build servers, deploys and events alike. What other tables say of a
// release is in figures.ts.

import { versionSortKey } from '../../src/core/releases/version.ts';
import type { Page } from '../../src/core/store/page.ts';
import type { Release, ReleaseChange, ReleaseFilter, ReleaseStore } from '../../src/core/store/releases.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { readPage } from '../paging.ts';
import { containing, matching, refold } from '../search.ts';
import { freePlaces, makeRoomForRelease, type NameLimits } from './bounded-names.ts';
import { releaseFigures, releaseIssueIds } from './figures.ts';
import { releaseLooks } from './looks.ts';
import { listColumns, type ReleaseRow, releaseOf } from './rows.ts';

export type ReleaseLimits = Pick<NameLimits, 'releasesMax'>;

/** The release part of the store. */
export function releaseStore(db: Db, limits: ReleaseLimits): ReleaseStore {
  const findBy = async (where: string, values: readonly SqlValue[]): Promise<Release | null> => {
    const row = await db.get<ReleaseRow>(`SELECT * FROM releases WHERE ${where}`, values);
    return row === undefined ? null : releaseOf(row);
  };
  return {
    ...releaseLooks(db),
    upsertRelease: (change) => db.write((tx) => upsertRelease(tx, limits, change)),
    findRelease: (projectId, releaseId) => findBy('project_id = $1 AND id = $2', [projectId, releaseId]),
    findReleaseByVersion: (projectId, version) =>
      findBy('project_id = $1 AND version = $2', [projectId, version]),
    listReleases: (projectId, filter) => listReleases(db, projectId, filter),
    deleteRelease: (projectId, releaseId) =>
      db.write(async (tx) => {
        await tx.run('DELETE FROM deploys WHERE project_id = $1 AND release_id = $2', [projectId, releaseId]);
        const { changes } = await tx.run('DELETE FROM releases WHERE project_id = $1 AND id = $2', [
          projectId,
          releaseId,
        ]);
        if (changes > 0) await freePlaces(tx, 'releases', projectId, 1);
        return changes > 0;
      }),
    releaseFigures: (release) => releaseFigures(db, release),
    releaseIssueIds: (release, limit) => releaseIssueIds(db, release, limit),
  };
}

/**
 * The release that a deploy names: made if it is missing. One that only events have named is created by it;
 * otherwise it is left as it is.
 * @throws 400 when it is missing and the project may have no more.
 */
export async function ensureRelease(
  tx: Query,
  limits: ReleaseLimits,
  named: { projectId: number; version: string; nowMs: number },
): Promise<{ id: number; created: boolean }> {
  const tookPlace = await makeRoomForRelease(tx, limits, named.projectId, named.version);
  const row = await tx.get<{ id: number; upserts: number }>(
    `INSERT INTO releases (project_id, version, version_sort, created_at_ms, registered_at_ms, updated_at_ms)
     VALUES ($1, $2, $3, $4, $4, $4)
     ON CONFLICT (project_id, version) DO UPDATE SET upserts = releases.upserts + 1,
       registered_at_ms = COALESCE(releases.registered_at_ms, excluded.registered_at_ms)
     RETURNING id, upserts`,
    [named.projectId, named.version, versionSortKey(named.version), named.nowMs],
  );
  if (row === undefined) {
    throw new Error('an upsert of a release returned no row');
  }
  await refold(tx, 'releases', row.id);
  const created = Number(row.upserts) === 1;
  if (tookPlace && !created) await freePlaces(tx, 'releases', named.projectId, 1);
  return { id: Number(row.id), created };
}

async function upsertRelease(
  tx: Query,
  limits: ReleaseLimits,
  change: ReleaseChange,
): Promise<{ release: Release; created: boolean }> {
  const tookPlace = await makeRoomForRelease(tx, limits, change.projectId, change.version);
  const row = await tx.get<ReleaseRow & { upserts: number }>(
    `INSERT INTO releases (project_id, version, version_sort, ref, url, status, date_started_ms, date_released_ms,
                           commits, commit_count, last_commit, refs, metadata, created_at_ms, registered_at_ms, updated_at_ms)
     VALUES ($1, $2, $3, $4, $5, COALESCE($6, 'open'), $7, COALESCE($8, CAST($9 AS BIGINT)),
             $10, COALESCE($11, CAST(0 AS BIGINT)), $12, $13, $14, $15, $15, $15)
     ON CONFLICT (project_id, version) DO UPDATE SET
       version_sort = excluded.version_sort,
       ref = COALESCE(excluded.ref, releases.ref),
       url = COALESCE(excluded.url, releases.url),
       status = COALESCE($6, releases.status),
       date_started_ms = COALESCE(excluded.date_started_ms, releases.date_started_ms),
       date_released_ms = COALESCE($8, releases.date_released_ms, CAST($9 AS BIGINT)),
       last_commit = CASE WHEN CAST($11 AS BIGINT) IS NULL THEN releases.last_commit ELSE excluded.last_commit END,
       commits = COALESCE(excluded.commits, releases.commits),
       commit_count = COALESCE($11, releases.commit_count),
       refs = COALESCE(excluded.refs, releases.refs),
       metadata = COALESCE(excluded.metadata, releases.metadata),
       registered_at_ms = COALESCE(releases.registered_at_ms, excluded.registered_at_ms),
       updated_at_ms = excluded.updated_at_ms,
       upserts = releases.upserts + 1
     RETURNING *`,
    changeValues(change),
  );
  if (row === undefined) {
    throw new Error('an upsert of a release returned no row');
  }
  await refold(tx, 'releases', row.id);
  const created = Number(row.upserts) === 1;
  // Another call made it between our look and our write.
  if (tookPlace && !created) await freePlaces(tx, 'releases', change.projectId, 1);
  return { release: releaseOf(row), created };
}

function changeValues(change: ReleaseChange): SqlValue[] {
  return [
    change.projectId,
    change.version,
    change.versionSort,
    change.ref,
    change.url,
    change.status,
    change.dateStartedMs,
    change.dateReleasedMs,
    change.finalizedAtMs,
    change.commits,
    change.commitCount,
    change.lastCommit,
    change.refs,
    change.metadata,
    change.nowMs,
  ];
}

/**
 * Versions that are no number come after those that are, by name; byte order is asked for by name on
 * PostgreSQL.
 */
function orderOf(db: Db, filter: ReleaseFilter): string {
  const direction = filter.descending ? 'DESC' : 'ASC';
  const bytes = db.dbms === 'postgres' ? ' COLLATE "C"' : '';
  const columns = {
    date_created: [`created_at_ms ${direction}`],
    date_released: [`COALESCE(date_released_ms, 0) ${direction}`],
    version: [
      `CASE WHEN version_sort IS NULL THEN 0 ELSE 1 END ${direction}`,
      `version_sort${bytes} ${direction}`,
      `version${bytes} ${direction}`,
    ],
  };
  return [...columns[filter.orderBy], `id ${direction}`].join(', ');
}

async function listReleases(db: Db, projectId: number, filter: ReleaseFilter): Promise<Page<Release>> {
  const from = `FROM releases WHERE project_id = $1
    AND (CAST($2 AS TEXT) IS NULL OR version = $2)
    AND (CAST($3 AS TEXT) IS NULL OR ${matching('folded', ['version', 'ref'], '$3')})`;
  const values = [projectId, filter.version ?? null, containing(filter.search)];
  const list = { columns: listColumns, from, order: orderOf(db, filter), values };
  const page = await readPage<ReleaseRow>(db, list, filter);
  return { rows: page.rows.map(releaseOf), total: page.total };
}
