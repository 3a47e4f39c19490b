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

const group = `SELECT id FROM issues WHERE project_id = $1 AND (id = $2 OR merged_into = $2)`;

async function readLastRelease(tx: Query, projectId: number, issueId: number): Promise<string | null> {
  const row = await tx.get<{ release: string }>(
    `SELECT place.release FROM issue_releases place JOIN issues own ON own.id = place.issue_id
     WHERE place.project_id = $1 AND place.issue_id IN (${group}) AND place.release NOT IN ('', $3)
     ORDER BY place.last_seen_ms DESC, CASE WHEN place.release = own.last_release THEN 0 ELSE 1 END,
       own.last_seen_ms DESC, own.id DESC LIMIT 1`,
    [projectId, issueId, otherName],
  );
  return row?.release ?? null;
}

/** A release that was deleted since counts from when this issue was first seen in it. */
async function readSeenIn(tx: Query, projectId: number, issueId: number, name: string | null) {
  const packaged = ofPackage(name, 'place.release', 3);
  const rows = await tx.all<SightingRow>(
    `SELECT place.release AS version, COALESCE(seen.id, 0) AS id,
       COALESCE(${firstSeenMs('seen')}, place.first_seen_ms) AS first_seen_ms
     FROM issue_releases place LEFT JOIN releases seen ON seen.project_id = $1 AND seen.version = place.release
     WHERE place.project_id = $1 AND place.issue_id IN (${group}) AND place.release <> '' AND ${packaged.sql}`,
    [projectId, issueId, ...packaged.values],
  );
  return rows.map(sightingOf);
}
