import { findPreviousRelease } from '../../src/core/releases/compare-releases.ts';
import { parsePackageName } from '../../src/core/releases/version.ts';
import type {
  Release,
  ReleaseListFigures,
  ReleasePageFilter,
  ReleasePageStore,
} from '../../src/core/store/releases.ts';
import type { Db, SqlValue, StoreMethod } from '../db.ts';
import { countRows, projectsCondition, readSlice } from '../paging.ts';
import { matchCondition, toLikePattern } from '../search.ts';
import type { RowOf } from '../table.ts';
import { toValueList } from '../value-lists.ts';
import { readCreatedOf, readFirstSeen } from './first-seen.ts';
import { listedReleases, releaseOf, releases } from './rows.ts';

export function releasePageQueries(db: Db): ReleasePageStore {
  const findBy = async (where: string, values: readonly SqlValue[]): Promise<Release | null> => {
    const row = await releases.find(db, `WHERE ${where}`, values);
    return row && releaseOf(row);
  };
  return {
    async listReleasePage(projectIds, filter, slice) {
      const { from, values } = filterCondition(projectIds, filter);
      const list = { columns: listedReleases.columns(), from, atMs: 'created_at_ms', id: 'id', values };
      const sliced = await readSlice<RowOf<typeof listedReleases>>(db, list, slice);
      return { ...sliced, rows: sliced.rows.map(releaseOf) };
    },
    countReleases(projectIds, filter) {
      const { from, values } = filterCondition(projectIds, filter);
      return countRows(db, from, values);
    },
    findReleaseAnywhere: (releaseId) => findBy('id = $1', [releaseId]),
    releaseSums: (releases, sinceMs) => releaseSums(db, releases, sinceMs),
    async arrivalsOf(releaseIds) {
      if (releaseIds.length === 0) return [];
      const { placeholders, values } = toValueList(releaseIds, 1);
      return db.all(
        `SELECT release_id AS "releaseId", environment, MAX(COALESCE(date_finished_ms, created_at_ms)) AS "atMs"
         FROM deploys WHERE release_id IN (${placeholders}) AND status = 'success' GROUP BY release_id, environment`,
        values,
      );
    },
    async deployedEnvironments(projectIds, limit) {
      const projects = toValueList(projectIds.length === 0 ? [0] : projectIds, 1);
      const rows = await db.all<{ name: string }>(
        `SELECT DISTINCT name FROM environments WHERE project_id IN (${projects.placeholders}) AND declared = 1
         ORDER BY name LIMIT ${limit}`,
        projects.values,
      );
      return rows.map(({ name }) => name);
    },
    async releaseBefore(release) {
      const { projectId, version } = release;
      const [current] = await readFirstSeen(db, projectId, [version, version]);
      if (current === undefined) return null;
      const before = findPreviousRelease(
        current,
        await readCreatedOf(db, projectId, parsePackageName(version)),
      );
      return before === null ? null : findBy('project_id = $1 AND version = $2', [projectId, before]);
    },
    adoption: (release, other, span) => adoption(db, release, other, span),
  };
}

function filterCondition(projectIds: readonly number[], { environment, search }: ReleasePageFilter) {
  const projects = projectsCondition('releases.project_id', projectIds, 3);
  const from = `FROM releases WHERE ${projects.sql}
    AND (CAST($1 AS TEXT) IS NULL OR EXISTS (
      SELECT 1 FROM deploys WHERE deploys.release_id = releases.id AND deploys.environment = $1))
    AND (CAST($2 AS TEXT) IS NULL OR ${matchCondition('search_text', ['version', 'ref'], '$2')})`;
  return { from, values: [environment, toLikePattern(search ?? undefined), ...projects.values] };
}

type SumsRow = { readonly project_id: number; readonly release: string } & {
  readonly [name: string]: number;
};

const releaseSums: StoreMethod<'releaseSums', Db> = async (db, releases, sinceMs) => {
  if (releases.length === 0) return new Map();
  const projects = toValueList([...new Set(releases.map(({ projectId }) => projectId))], 1);
  const versions = toValueList(
    releases.map(({ version }) => version),
    1 + projects.values.length,
  );
  const values = [...projects.values, ...versions.values];
  const condition = (column: string): string =>
    `project_id IN (${projects.placeholders}) AND ${column} IN (${versions.placeholders})`;
  const since = `$${values.length + 1}`;
  const sumsOf = async (sql: string, more: readonly SqlValue[] = []): Promise<Map<string, SumsRow>> => {
    const rows = await db.all<SumsRow>(sql, [...values, ...more]);
    return new Map(rows.map((row) => [keyOf(Number(row.project_id), row.release), row]));
  };
  const [newIssues, regressedIssues, seen, health, all] = await Promise.all([
    sumsOf(`SELECT project_id, first_release AS release, COUNT(*) AS issues FROM issues
      WHERE ${condition('first_release')} AND merged_into IS NULL GROUP BY project_id, first_release`),
    sumsOf(`SELECT project_id, release, COUNT(DISTINCT issue_id) AS issues FROM issue_activity
      WHERE ${condition('release')} AND kind = 'regressed' GROUP BY project_id, release`),
    sumsOf(`SELECT project_id, release, CAST(SUM(events) AS BIGINT) AS events, MAX(last_seen_ms) AS last_seen_ms
      FROM issue_releases
      WHERE ${condition('release')} GROUP BY project_id, release`),
    sumsOf(
      `SELECT project_id, release, CAST(SUM(sessions) AS BIGINT) AS sessions,
         CAST(SUM(crashed) AS BIGINT) AS crashed,
         CAST(SUM(CASE WHEN hour_ms >= ${since} THEN sessions ELSE 0 END) AS BIGINT) AS recent
       FROM release_health WHERE ${condition('release')} GROUP BY project_id, release`,
      [sinceMs],
    ),
    recentSessions(db, projects, sinceMs),
  ]);
  const sums = releases.map(({ id, projectId, version }): [number, ReleaseListFigures] => {
    const count = (found: Map<string, SumsRow>, name: string): number =>
      Number(found.get(keyOf(projectId, version))?.[name] ?? 0);
    return [
      id,
      {
        newIssues: count(newIssues, 'issues'),
        regressedIssues: count(regressedIssues, 'issues'),
        events: count(seen, 'events'),
        lastEventAtMs: count(seen, 'last_seen_ms') || null,
        sessions: count(health, 'sessions'),
        crashedSessions: count(health, 'crashed'),
        recentSessions: count(health, 'recent'),
        recentSessionsOfProject: all.get(projectId) ?? 0,
      },
    ];
  });
  return new Map(sums);
};

async function recentSessions(
  db: Db,
  projects: { readonly placeholders: string; readonly values: readonly SqlValue[] },
  sinceMs: number,
): Promise<Map<number, number>> {
  const rows = await db.all<{ project_id: number; sessions: number }>(
    `SELECT project_id, CAST(SUM(sessions) AS BIGINT) AS sessions FROM release_health
     WHERE project_id IN (${projects.placeholders}) AND hour_ms >= $${projects.values.length + 1} GROUP BY project_id`,
    [...projects.values, sinceMs],
  );
  return new Map(rows.map((row) => [Number(row.project_id), Number(row.sessions)]));
}

const adoption: StoreMethod<'adoption', Db> = async (
  db,
  { projectId, version },
  otherVersion,
  { fromMs, toMs, stepMs },
) => {
  const rows = await db.all<{ step: number; own: number; other: number; sessions: number }>(
    `SELECT (hour_ms - CAST($2 AS BIGINT)) / CAST($4 AS BIGINT) AS step,
       CAST(SUM(CASE WHEN release = $5 THEN sessions ELSE 0 END) AS BIGINT) AS own,
       CAST(SUM(CASE WHEN release = $6 THEN sessions ELSE 0 END) AS BIGINT) AS other,
       CAST(SUM(sessions) AS BIGINT) AS sessions
     FROM release_health WHERE project_id = $1 AND hour_ms >= $2 AND hour_ms < $3 GROUP BY 1 ORDER BY 1`,
    [projectId, fromMs, toMs, stepMs, version, otherVersion],
  );
  return rows.map((row) => ({
    fromMs: fromMs + Number(row.step) * stepMs,
    sessions: Number(row.own),
    otherSessions: Number(row.other),
    allSessions: Number(row.sessions),
  }));
};

function keyOf(projectId: number, release: string): string {
  return `${projectId} ${release}`;
}
