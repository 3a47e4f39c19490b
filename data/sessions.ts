// Release health by hour: queries only.
import type { SessionCounts, SessionStore } from '../src/core/sessions.ts';
import type { Db } from './db.ts';
import { hourOf } from './outcomes.ts';
import { isLiveProject } from './projects.ts';

/** The queries of `SessionStore`: sums an hour, nothing of a single run. */
export function sessionStore(db: Db): SessionStore {
  return {
    addSessions: (sessions) =>
      db.write(async (tx) => {
        for (const counts of sessions) {
          if (!(await isLiveProject(tx, counts.projectId))) continue;
          await tx.run(
            `INSERT INTO release_health (project_id, release, environment, hour_ms, sessions, exited, errored, crashed, abnormal)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             ON CONFLICT (project_id, release, environment, hour_ms) DO UPDATE SET
               sessions = release_health.sessions + excluded.sessions, exited = release_health.exited + excluded.exited,
               errored = release_health.errored + excluded.errored, crashed = release_health.crashed + excluded.crashed,
               abnormal = release_health.abnormal + excluded.abnormal`,
            [
              counts.projectId,
              counts.release,
              counts.environment,
              hourOf(counts.atMs),
              counts.sessions,
              counts.exited,
              counts.errored,
              counts.crashed,
              counts.abnormal,
            ],
          );
        }
      }),
    async sessionsOf(projectId, release, options = {}) {
      const sum = (column: string): string => `CAST(COALESCE(SUM(${column}), 0) AS BIGINT) AS ${column}`;
      const row = await db.get<SessionCounts>(
        `SELECT ${['sessions', 'exited', 'errored', 'crashed', 'abnormal'].map(sum).join(', ')} FROM release_health
         WHERE project_id = $1 AND release = $2 AND (CAST($3 AS TEXT) IS NULL OR environment = $3)
           AND hour_ms >= $4 AND hour_ms < $5`,
        [
          projectId,
          release,
          options.environment ?? null,
          options.fromMs ?? 0,
          options.toMs ?? Number.MAX_SAFE_INTEGER,
        ],
      );
      return row ?? { sessions: 0, exited: 0, errored: 0, crashed: 0, abnormal: 0 };
    },
  };
}
