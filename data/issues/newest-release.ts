// The release that "the next release" of an issue counts from: docs/issues.md, "Resolving".
import { newestRelease } from '../../src/core/releases/order.ts';
import { packageOf } from '../../src/core/releases/version.ts';
import { otherName } from '../../src/core/store/bounds.ts';
import type { Query } from '../db.ts';
import {
  firstSeenMs,
  ofPackage,
  readCreatedOf,
  type SightingRow,
  sightingOf,
} from '../releases/sightings.ts';

/**
 * The newest created release of the package that the last event of the issue (or of one merged into it)
 * named; where none was created, the newest of the package that they were seen in. Null where no event named
 * a release and none without a package was created. Reads every release of the package: for what a person
 * does, not for an event.
 */
export async function readNewestRelease(
  tx: Query,
  projectId: number,
  issueId: number,
): Promise<string | null> {
  const last = await readLastRelease(tx, projectId, issueId);
  const name = last === null ? null : packageOf(last);
  const created = await readCreatedOf(tx, projectId, name);
  return newestRelease(created) ?? newestRelease(await readSeenIn(tx, projectId, issueId, name));
}

async function readLastRelease(tx: Query, projectId: number, issueId: number): Promise<string | null> {
  const row = await tx.get<{ release: string }>(
    `SELECT place.release FROM ${places} AND place.release NOT IN ('', $3)
     ORDER BY place.last_seen_ms DESC, CASE WHEN place.release = own.last_release THEN 0 ELSE 1 END,
       own.own_last_seen_ms DESC, own.id DESC LIMIT 1`,
    [projectId, issueId, otherName],
  );
  return row?.release ?? null;
}

/**
 * The places of the issues, and their last releases, which may have found no place there. A release that was
 * deleted since counts from when it was first seen here.
 */
async function readSeenIn(tx: Query, projectId: number, issueId: number, name: string | null) {
  const packaged = ofPackage(name, 'place.release', 3);
  const rows = await tx.all<SightingRow>(
    `SELECT place.release AS version, COALESCE(seen.id, 0) AS id,
       COALESCE(${firstSeenMs('seen')}, place.first_seen_ms) AS first_seen_ms
     FROM (SELECT place.release, place.first_seen_ms FROM ${places} AND place.release <> ''
           UNION ALL SELECT last_release, own_last_seen_ms FROM issues
             WHERE id IN (${group}) AND last_release IS NOT NULL) AS place
       LEFT JOIN releases seen ON seen.project_id = $1 AND seen.version = place.release
     WHERE ${packaged.sql}`,
    [projectId, issueId, ...packaged.values],
  );
  return rows.map(sightingOf);
}

/** An issue and those merged into it, each found by an index. */
const group = `SELECT id FROM issues WHERE project_id = $1 AND id = $2
  UNION ALL SELECT id FROM issues WHERE project_id = $1 AND merged_into = $2`;

/**
 * Where they were seen. The index of an issue's places names them and no more; asked for more, SQLite would
 * read the places of the whole project instead.
 */
const places = `issues own CROSS JOIN issue_releases named CROSS JOIN issue_releases place
  WHERE own.id IN (${group}) AND named.project_id = $1 AND named.issue_id = own.id
    AND place.project_id = $1 AND place.release = named.release AND place.environment = named.environment
    AND place.issue_id = named.issue_id`;
