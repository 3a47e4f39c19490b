// Events that await a source map: finding them, and putting the mapped event in the place of the stored one.
import type { AwaitingEvent, MappingStore } from '../src/core/late-maps.ts';
import type { Db } from './db.ts';
import { BodyDamaged, packBody, unpackBody } from './event-bodies.ts';
import { addActivity } from './issue-activity.ts';

interface AwaitingRow {
  id: number;
  event_id: string;
  issue_id: number;
  body: Uint8Array;
  body_sha256: Uint8Array;
}

/** The mapping part of the store. */
export function mappingStore(db: Db): MappingStore {
  return {
    eventsAwaitingMapping: (projectId, release, beforeRow, limit) =>
      eventsAwaitingMapping(db, projectId, release, beforeRow, limit),
    async storeMappedEvent(projectId, row, payload, needsMapping) {
      const packed = packBody(payload);
      await db.write(async (tx) => {
        await tx.run(
          'UPDATE event_bodies SET body = $3, body_sha256 = $4 WHERE event_row = $1 AND project_id = $2',
          [row, projectId, packed.body, packed.sha256],
        );
        await tx.run('UPDATE events SET needs_mapping = $3 WHERE id = $1 AND project_id = $2', [
          row,
          projectId,
          needsMapping ? 1 : 0,
        ]);
      }, packed.body.byteLength);
    },
    addMappingActivity: (activity) =>
      db.write(async (tx) => {
        const { projectId, issueId, events, release, atMs } = activity;
        const issue = await tx.get<{ status: string }>(
          'SELECT status FROM issues WHERE project_id = $1 AND id = $2',
          [projectId, issueId],
        );
        const state = issue?.status ?? '';
        await addActivity(tx, {
          projectId,
          issueId,
          kind: 'mapped',
          actor: 'symbolication',
          atMs,
          from: state,
          to: state,
          eventId: null,
          release,
          detail: { events },
        });
      }),
  };
}

async function eventsAwaitingMapping(
  db: Db,
  projectId: number,
  release: string | null,
  beforeRow: number,
  limit: number,
): Promise<AwaitingEvent[]> {
  const ofRelease = release === null ? '' : 'AND events.release = $4';
  const rows = await db.all<AwaitingRow>(
    `SELECT events.id, events.event_id, COALESCE(issues.merged_into, issues.id) AS issue_id, body, body_sha256
     FROM events JOIN issues ON issues.id = events.issue_id JOIN event_bodies ON event_row = events.id
     WHERE events.needs_mapping = 1 AND events.project_id = $1 AND events.id < $2 ${ofRelease}
     ORDER BY events.id DESC LIMIT $3`,
    release === null ? [projectId, beforeRow, limit] : [projectId, beforeRow, limit, release],
  );
  return rows.map((row) => ({
    row: row.id,
    eventId: row.event_id,
    issueId: row.issue_id,
    payload: payloadOf(row),
  }));
}

function payloadOf(row: AwaitingRow): string | null {
  try {
    return unpackBody({ body: row.body, sha256: row.body_sha256 });
  } catch (error) {
    if (error instanceof BodyDamaged) return null;
    throw error;
  }
}
