// What other tables say of a release: its issues, sessions, deploys, test runs and artifacts, counted when
// asked for. The releases themselves are in releases.ts.

import type { EpochMs } from '../../src/core/reading/moments.ts';
import { basesOfNext, type KnownRelease, releaseOrderOf } from '../../src/core/releases/order.ts';
import { packageOf } from '../../src/core/releases/version.ts';
import type { Release, ReleaseFigures, ReleaseIssueIds } from '../../src/core/store/releases.ts';
import type { Db, SqlValue } from '../db.ts';
import { listOf } from '../value-lists.ts';
import { firstSeenMs, readCreatedOf, readSightings, type SightingRow, sightingOf } from './sightings.ts';

interface Found {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** See `ReleaseStore.releaseFigures`. */
export async function releaseFigures(db: Db, release: Release): Promise<ReleaseFigures> {
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
  const countOf = async ({ sql, values }: Found): Promise<number> => {
    const found = await db.get<{ issues: number }>(
      `SELECT COUNT(*) AS issues FROM (${sql}) AS found`,
      values,
    );
    return Number(found?.issues ?? 0);
  };
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

/** See `ReleaseStore.releaseIssueIds`. */
export async function releaseIssueIds(db: Db, release: Release, limit: number): Promise<ReleaseIssueIds> {
  const idsOf = async ({ sql, values }: Found): Promise<number[]> => {
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
}

/** Issues first seen in the release. */
function newIn(release: Release): Found {
  return {
    sql: 'SELECT id FROM issues WHERE project_id = $1 AND first_release = $2 AND merged_into IS NULL',
    values: [release.projectId, release.version],
  };
}

/** Issues that came back in it. */
function regressedIn(release: Release): Found {
  return {
    sql: `SELECT DISTINCT issue_id AS id FROM issue_activity
      WHERE project_id = $1 AND release = $2 AND kind = 'regressed'`,
    values: [release.projectId, release.version],
  };
}

/** Issues resolved in it, or in "the next release" where this one is the next. */
async function resolvedIn(db: Db, release: Release): Promise<Found> {
  const { versions, afterMs, untilMs } = await readNextOf(db, release);
  // No version is empty: a list has at least one value.
  const list = listOf(['', ...versions], 5);
  return {
    sql: `SELECT id FROM issues WHERE project_id = $1 AND status = 'resolved' AND merged_into IS NULL
      AND ((resolved_in = 'release' AND resolved_release = $2)
        OR (resolved_in = 'next_release' AND (resolved_release IN (${list.marks})
          OR (resolved_release IS NULL AND state_changed_at_ms > $3 AND state_changed_at_ms <= $4))))`,
    values: [release.projectId, release.version, afterMs, untilMs, ...list.values],
  };
}

/** Releases that one look at a figure tells apart; a list takes one more. */
const basesMax = 999;

interface NextOf {
  /** The releases from which "the next" is this one. */
  readonly versions: readonly string[];
  /** Resolved in this span before any release: this one is the first that was created since. */
  readonly afterMs: EpochMs;
  readonly untilMs: EpochMs;
}

async function readNextOf(db: Db, release: Release): Promise<NextOf> {
  const none = { versions: [], afterMs: -1, untilMs: -1 };
  const asked = await readBases(db, release.projectId);
  const bases = asked.filter((row): row is SightingRow => row.id !== null).map(sightingOf);
  const own = (await readSightings(db, release.projectId, [release.version, release.version]))[0];
  if (asked.length === 0 || own === undefined) return none;
  const order = releaseOrderOf([...bases, own], -Infinity);
  const older = bases.filter((base) => order(release.version, base.version) === 'later');
  const isAskedOfAny = asked.some((row) => row.version === null);
  if (older.length === 0 && !isAskedOfAny) return none;
  const created = await readCreatedOf(db, release.projectId, packageOf(release.version));
  if (!created.some((known) => known.id === own.id)) return none;
  const afterMs = isAskedOfAny ? await createdBefore(db, release.projectId, own) : own.firstSeenMs;
  const versions = basesOfNext(own, created, older).slice(0, basesMax);
  return { versions, afterMs, untilMs: own.firstSeenMs };
}

/** What "the next release" of resolved issues counts from: null where there was none. */
function readBases(db: Db, projectId: number) {
  return db.all<{ version: string | null; id: number | null; first_seen_ms: number | null }>(
    `SELECT DISTINCT issues.resolved_release AS version, base.id, ${firstSeenMs('base')} AS first_seen_ms
     FROM issues LEFT JOIN releases base ON base.project_id = $1 AND base.version = issues.resolved_release
     WHERE issues.project_id = $1 AND issues.status = 'resolved' AND issues.merged_into IS NULL
       AND issues.resolved_in = 'next_release'`,
    [projectId],
  );
}

/** When the release that was created before this one, of whatever package, was first seen; else -1. */
async function createdBefore(db: Db, projectId: number, release: KnownRelease): Promise<EpochMs> {
  const row = await db.get<{ at_ms: number | null }>(
    `SELECT MAX(seen_ms) AS at_ms FROM (
       SELECT ${firstSeenMs('releases')} AS seen_ms FROM releases
       WHERE project_id = $1 AND registered_at_ms IS NOT NULL) AS seen WHERE seen_ms < $2`,
    [projectId, release.firstSeenMs],
  );
  return Number(row?.at_ms ?? -1);
}
