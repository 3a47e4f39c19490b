// Release health by hour: queries only.
import { hourOf } from '../../src/core/reading/spans.ts';
import { otherName, type ProjectBounds } from '../../src/core/store/bounds.ts';
import type { NewSessions, SessionStore } from '../../src/core/store/counts/sessions.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { isLiveProject } from '../projects/projects.ts';
import type { Admitted, NameRoom } from '../releases/bounded-names.ts';

/** The queries of `SessionStore`: sums an hour, nothing of a single run. */
export function sessionStore(
  db: Db,
  limits: Pick<ProjectBounds, 'healthRowsPerHourMax'>,
  names: NameRoom,
): SessionStore {
  return {
    async addSessions(sessions) {
      const admitted = await db.write(async (tx) => {
        const places: Admitted[] = [];
        for (const counts of sessions) {
          if (!(await isLiveProject(tx, counts.projectId))) continue;
          const { projectId, release, environment, atMs } = counts;
          const named = await names.admit(tx, projectId, { release, environment }, atMs);
          places.push(named);
          await addCounts(tx, { ...counts, ...textsOf(named) }, limits.healthRowsPerHourMax);
        }
        return places;
      });
      for (const named of admitted) names.remember(named);
    },
  };
}

function textsOf(named: Admitted): { release: string; environment: string } {
  return { release: named.release ?? '', environment: named.environment ?? '' };
}

/**
 * Adds to the row of a release, an environment and an hour; past so many rows an hour to the one that all
 * share.
 */
async function addCounts(tx: Query, counts: NewSessions, rowsMax: number): Promise<void> {
  const hour = hourOf(counts.atMs);
  const figures = [counts.sessions, counts.exited, counts.errored, counts.crashed, counts.abnormal];
  const added = await tx.run(
    `UPDATE release_health SET sessions = sessions + $5, exited = exited + $6, errored = errored + $7,
       crashed = crashed + $8, abnormal = abnormal + $9
     WHERE project_id = $1 AND release = $2 AND environment = $3 AND hour_ms = $4`,
    [counts.projectId, counts.release, counts.environment, hour, ...figures],
  );
  if (added.changes > 0) return;
  const there = await tx.get<{ rows: number }>(
    'SELECT COUNT(*) AS rows FROM release_health WHERE project_id = $1 AND hour_ms = $2',
    [counts.projectId, hour],
  );
  const isCrowded = (there?.rows ?? 0) >= rowsMax;
  const place: SqlValue[] = isCrowded ? [otherName, otherName] : [counts.release, counts.environment];
  await tx.run(
    `INSERT INTO release_health (project_id, release, environment, hour_ms, sessions, exited, errored, crashed, abnormal)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (project_id, release, environment, hour_ms) DO UPDATE SET
       sessions = release_health.sessions + excluded.sessions, exited = release_health.exited + excluded.exited,
       errored = release_health.errored + excluded.errored, crashed = release_health.crashed + excluded.crashed,
       abnormal = release_health.abnormal + excluded.abnormal`,
    [counts.projectId, ...place, hour, ...figures],
  );
}
