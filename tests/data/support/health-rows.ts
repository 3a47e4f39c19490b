// Release health as it lies in the database, past the store: nothing asks the store for single hours.
import { openDb } from '../../../data/open-store.ts';

export interface HealthRow {
  readonly release: string;
  readonly environment: string;
  readonly hour_ms: number;
  readonly sessions: number;
  readonly exited: number;
  readonly errored: number;
  readonly crashed: number;
  readonly abnormal: number;
}

/** The rows of project 1 in the database of an address, by release, environment and hour. */
export async function healthRows(address: string): Promise<HealthRow[]> {
  const db = await openDb(address, {});
  try {
    return await db.all<HealthRow>(
      `SELECT release, environment, hour_ms, sessions, exited, errored, crashed, abnormal FROM release_health
       WHERE project_id = 1 ORDER BY release, environment, hour_ms`,
    );
  } finally {
    await db.close();
  }
}
