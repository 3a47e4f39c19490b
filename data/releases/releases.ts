import type { EpochMs } from '../../src/core/parsing/timestamps.ts';
import {
  createReleaseOrder,
  type KnownRelease,
  listBasesOfNextRelease,
} from '../../src/core/releases/compare-releases.ts';
import { parsePackageName } from '../../src/core/releases/version.ts';
import type {
  Release,
  ReleaseChange,
  ReleaseFigures,
  ReleaseFilter,
  ReleaseStore,
} from '../../src/core/store/releases.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { countRows, readPage } from '../paging.ts';
import { matchCondition, toLikePattern, updateFoldedColumn } from '../search.ts';
import type { RowOf } from '../table.ts';
import { toValueList } from '../value-lists.ts';
import { ensureReleaseCapacity, freeNames, type NameLimits } from './bounded-names.ts';
import { type FirstSeenRow, firstSeenMs, firstSeenOf, readCreatedOf, readFirstSeen } from './first-seen.ts';
import { releasePageQueries } from './page-queries.ts';
import { blankRelease, listedReleases, releaseOf, releases, writtenReleases } from './rows.ts';

interface IssueSelection {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

async function releaseFigures(db: Db, release: Release): Promise<ReleaseFigures> {
  const row = await db.get<Record<string, number | null>>(
    `SELECT
       (SELECT SUM(sessions) FROM release_health WHERE project_id = $1 AND release = $2) AS sessions,
       (SELECT SUM(crashed) FROM release_health WHERE project_id = $1 AND release = $2) AS crashed,
       (SELECT SUM(errored) FROM release_health WHERE project_id = $1 AND release = $2) AS errored,
       (SELECT SUM(abnormal) FROM release_health WHERE project_id = $1 AND release = $2) AS abnormal,
       (SELECT COUNT(*) FROM deploys WHERE project_id = $1 AND release_id = $3) AS deploys,
       (SELECT COUNT(*) FROM test_runs WHERE project_id = $1 AND release = $2) AS test_runs,
       (SELECT COUNT(*) FROM artifacts WHERE project_id = $1 AND release = $2 AND replaced_at_ms IS NULL) AS artifacts`,
    [release.projectId, release.version, release.id],
  );
  const count = (name: string): number => Number(row?.[name] ?? 0);
  const countOf = ({ sql, values }: IssueSelection) => countRows(db, `FROM (${sql}) AS found`, values);
  return {
    newIssues: await countOf(newIn(release)),
    regressedIssues: await countOf(regressedIn(release)),
    resolvedIssues: await countOf(await resolvedIn(db, release)),
    sessions: count('sessions'),
    crashedSessions: count('crashed'),
    erroredSessions: count('errored'),
    abnormalSessions: count('abnormal'),
    deploys: count('deploys'),
    artifacts: count('artifacts'),
    testRuns: count('test_runs'),
  };
}

function newIn(release: Release): IssueSelection {
  return {
    sql: 'SELECT id FROM issues WHERE project_id = $1 AND first_release = $2 AND merged_into IS NULL',
    values: [release.projectId, release.version],
  };
}

function regressedIn(release: Release): IssueSelection {
  return {
    sql: `SELECT DISTINCT issue_id AS id FROM issue_activity
      WHERE project_id = $1 AND release = $2 AND kind = 'regressed'`,
    values: [release.projectId, release.version],
  };
}

async function resolvedIn(db: Db, release: Release): Promise<IssueSelection> {
  const { versions, afterMs, untilMs } = await readNextOf(db, release);
  // No version is empty: the list must not be.
  const list = toValueList(['', ...versions], 5);
  return {
    sql: `SELECT id FROM issues WHERE project_id = $1 AND status = 'resolved' AND merged_into IS NULL
      AND ((resolved_in = 'release' AND resolved_release = $2)
        OR (resolved_in = 'next_release' AND (resolved_release IN (${list.placeholders})
          OR (resolved_release IS NULL AND state_changed_at_ms > $3 AND state_changed_at_ms <= $4))))`,
    values: [release.projectId, release.version, afterMs, untilMs, ...list.values],
  };
}

/** One less than a list takes. */
const basesMax = 999;

export type ReleaseLimits = Pick<NameLimits, 'releasesMax'>;

export function releaseStore(db: Db, limits: ReleaseLimits): ReleaseStore {
  const findBy = async (where: string, values: readonly SqlValue[]): Promise<Release | null> => {
    const row = await releases.find(db, `WHERE ${where}`, values);
    return row && releaseOf(row);
  };
  return {
    ...releasePageQueries(db),
    upsertRelease: (change) => db.write((tx) => upsertRelease(tx, limits, change)),
    findRelease: (projectId, releaseId) => findBy('project_id = $1 AND id = $2', [projectId, releaseId]),
    findReleaseByVersion: (projectId, version) =>
      findBy('project_id = $1 AND version = $2', [projectId, version]),
    async listReleases(projectId, filter) {
      const from = `FROM releases WHERE project_id = $1
        AND (CAST($2 AS TEXT) IS NULL OR version = $2)
        AND (CAST($3 AS TEXT) IS NULL OR ${matchCondition('search_text', ['version', 'ref'], '$3')})`;
      const values = [projectId, filter.version ?? null, toLikePattern(filter.search)];
      const list = { columns: listedReleases.columns(), from, order: orderOf(db, filter), values };
      const page = await readPage<RowOf<typeof listedReleases>>(db, list, filter);
      return { rows: page.rows.map(releaseOf), total: page.total };
    },
    deleteRelease: (projectId, releaseId) =>
      db.write(async (tx) => {
        await tx.run('DELETE FROM deploys WHERE project_id = $1 AND release_id = $2', [projectId, releaseId]);
        const { changes } = await tx.run('DELETE FROM releases WHERE project_id = $1 AND id = $2', [
          projectId,
          releaseId,
        ]);
        if (changes > 0) await freeNames(tx, 'releases', projectId, 1);
        return changes > 0;
      }),
    releaseFigures: (release) => releaseFigures(db, release),
    async releaseIssueIds(release, limit) {
      const idsOf = async ({ sql, values }: IssueSelection): Promise<number[]> => {
        const rows = await db.all<{ id: number }>(
          `SELECT id FROM (${sql}) AS found ORDER BY id DESC LIMIT $${values.length + 1}`,
          [...values, limit],
        );
        return rows.map((row) => Number(row.id));
      };
      return {
        new: await idsOf(newIn(release)),
        regressed: await idsOf(regressedIn(release)),
        resolved: await idsOf(await resolvedIn(db, release)),
      };
    },
  };
}

/** Makes or registers the release that a deploy names, if missing. @throws 400 when there may be no more. */
export async function ensureRelease(
  tx: Query,
  limits: ReleaseLimits,
  named: { projectId: number; version: string; nowMs: number },
): Promise<{ id: number; created: boolean }> {
  const isCounted = await ensureReleaseCapacity(tx, limits, named.projectId, named.version);
  const release = blankRelease(named.projectId, named.version, named.nowMs);
  const row = await writtenReleases.insertReturning(
    tx,
    { ...release, registeredAtMs: named.nowMs, updatedAtMs: named.nowMs },
    { onConflict: onNamed },
  );
  if (row === null) throw new Error('an upsert of a release returned no row');
  await updateFoldedColumn(tx, 'releases', row.id);
  const created = row.upserts === 1;
  if (isCounted && !created) await freeNames(tx, 'releases', named.projectId, 1);
  return { id: row.id, created };
}

async function upsertRelease(
  tx: Query,
  limits: ReleaseLimits,
  change: ReleaseChange,
): Promise<{ release: Release; created: boolean }> {
  const isCounted = await ensureReleaseCapacity(tx, limits, change.projectId, change.version);
  const row = await writtenReleases.insertReturning(
    tx,
    {
      ...change,
      createdAtMs: change.nowMs,
      searchText: null,
      status: change.status ?? 'open',
      dateReleasedMs: change.dateReleasedMs ?? change.finalizedAtMs,
      commitCount: change.commitCount ?? 0,
      registeredAtMs: change.nowMs,
      updatedAtMs: change.nowMs,
    },
    { onConflict: onChanged, values: [change.status, change.dateReleasedMs, change.commitCount] },
  );
  if (row === null) throw new Error('an upsert of a release returned no row');
  await updateFoldedColumn(tx, 'releases', row.id);
  const { upserts, ...release } = row;
  const created = upserts === 1;
  // Another call made it after `ensureReleaseCapacity` looked for it.
  if (isCounted && !created) await freeNames(tx, 'releases', change.projectId, 1);
  return { release: releaseOf(release), created };
}

/** A deploy names a release that exists. */
const onNamed = writtenReleases.mergeOn({
  key: ['projectId', 'version'],
  otherwise: 'kept',
  rules: { registeredAtMs: 'kept unless null' },
  extraAssignment: 'upserts = releases.upserts + 1',
});

/** `$1` to `$3` are status, date of release and number of commits, null where not given. */
const onChanged = writtenReleases.mergeOn({
  key: ['projectId', 'version'],
  otherwise: 'given unless null',
  rules: {
    status: 'SQL: COALESCE($1, releases.status)',
    dateReleasedMs: 'SQL: COALESCE($2, releases.date_released_ms, excluded.date_released_ms)',
    commitCount: 'SQL: COALESCE($3, releases.commit_count)',
    lastCommit:
      'SQL: CASE WHEN CAST($3 AS BIGINT) IS NULL THEN releases.last_commit ELSE excluded.last_commit END',
    versionSort: 'given',
    createdAtMs: 'kept',
    registeredAtMs: 'kept unless null',
    searchText: 'kept',
  },
  extraAssignment: 'upserts = releases.upserts + 1',
});

/** Versions that are not numeric come last, by name; PostgreSQL needs COLLATE "C" for byte order. */
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

interface NextOf {
  /** The releases to which this one is "the next". */
  readonly versions: readonly string[];
  /** For issues resolved before any release: this one is the first created since. */
  readonly afterMs: EpochMs;
  readonly untilMs: EpochMs;
}

async function readNextOf(db: Db, release: Release): Promise<NextOf> {
  const noReleases = { versions: [], afterMs: -1, untilMs: -1 };
  const baseRows = await readBases(db, release.projectId);
  const bases = baseRows.filter((row): row is FirstSeenRow => row.id !== null).map(firstSeenOf);
  const current = (await readFirstSeen(db, release.projectId, [release.version, release.version]))[0];
  if (baseRows.length === 0 || current === undefined) return noReleases;
  const order = createReleaseOrder([...bases, current], -Infinity);
  const older = bases.filter((base) => order(release.version, base.version) === 'later');
  const hasUnversionedBase = baseRows.some((row) => row.version === null);
  if (older.length === 0 && !hasUnversionedBase) return noReleases;
  const created = await readCreatedOf(db, release.projectId, parsePackageName(release.version));
  if (!created.some((known) => known.id === current.id)) return noReleases;
  const afterMs = hasUnversionedBase
    ? await createdBefore(db, release.projectId, current)
    : current.firstSeenMs;
  const versions = listBasesOfNextRelease(current, created, older).slice(0, basesMax);
  return { versions, afterMs, untilMs: current.firstSeenMs };
}

function readBases(db: Db, projectId: number) {
  return db.all<{ version: string | null; id: number | null; first_seen_ms: number | null }>(
    `SELECT DISTINCT issues.resolved_release AS version, base.id, ${firstSeenMs('base')} AS first_seen_ms
     FROM issues LEFT JOIN releases base ON base.project_id = $1 AND base.version = issues.resolved_release
     WHERE issues.project_id = $1 AND issues.status = 'resolved' AND issues.merged_into IS NULL
       AND issues.resolved_in = 'next_release'`,
    [projectId],
  );
}

/** Of any package; -1 where there is none. */
async function createdBefore(db: Db, projectId: number, release: KnownRelease): Promise<EpochMs> {
  const row = await db.get<{ at_ms: number | null }>(
    `SELECT MAX(seen_ms) AS at_ms FROM (
       SELECT ${firstSeenMs('releases')} AS seen_ms FROM releases
       WHERE project_id = $1 AND registered_at_ms IS NOT NULL) AS seen WHERE seen_ms < $2`,
    [projectId, release.firstSeenMs],
  );
  return Number(row?.at_ms ?? -1);
}
