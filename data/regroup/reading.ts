import type { Grouping } from '../../src/core/store/events.ts';
import type { RegroupEvent, RegroupIssue, RegroupRun } from '../../src/core/store/regroup.ts';
import { type Query, storePart } from '../db.ts';
import { type BodyRow, readPayload } from '../event-bodies.ts';
import { toValueList } from '../value-lists.ts';

type EventRow = Omit<RegroupEvent, 'payload'> & Pick<BodyRow, 'body' | 'sha256'>;

const columns = `events.id AS row, events.issue_id AS "issueId", events.received_at_ms AS "receivedAtMs",
  body, body_sha256 AS sha256`;
const joined = 'events JOIN event_bodies ON event_bodies.event_row = events.id';

export const regroupReads = storePart({
  async listRegroupEvents(db, projectId, after, limit) {
    // By the index of issues: an index of the project would have to be written with every event.
    const rows = await db.all<EventRow>(
      `SELECT ${columns} FROM ${joined} WHERE events.project_id = $1
         AND (events.issue_id, events.received_at_ms, events.id) > ($2, $3, $4)
       ORDER BY events.issue_id, events.received_at_ms, events.id LIMIT $5`,
      [
        projectId,
        after?.issueId ?? 0,
        after?.receivedAtMs ?? Number.MIN_SAFE_INTEGER,
        after?.row ?? 0,
        limit,
      ],
    );
    return rows.map(eventOf);
  },
  async listRegroupEventsOf(db, projectId, issueId, after, limit) {
    const rows = await db.all<EventRow>(
      `SELECT ${columns} FROM ${joined} WHERE events.project_id = $1 AND events.issue_id = $2
         AND (events.received_at_ms, events.id) > ($3, $4)
       ORDER BY events.received_at_ms, events.id LIMIT $5`,
      [projectId, issueId, after?.receivedAtMs ?? Number.MIN_SAFE_INTEGER, after?.row ?? 0, limit],
    );
    return rows.map(eventOf);
  },
  async listRegroupIssues(db, projectId, afterId, limit) {
    const rows = await db.all<
      Omit<RegroupIssue, 'isOverflow' | 'keyHash'> & { isOverflow: number; grouping: string }
    >(
      `SELECT id, COALESCE(merged_into, id) AS "headId", is_overflow AS "isOverflow", title, grouping,
         own_first_seen_ms AS "firstSeenMs"
       FROM issues WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
      [projectId, afterId, limit],
    );
    return rows.map(({ isOverflow, grouping, ...issue }) => {
      return { ...issue, isOverflow: isOverflow === 1, keyHash: (JSON.parse(grouping) as Grouping).hash };
    });
  },
  async findRegroupHashes(db, projectId, hashes) {
    if (hashes.length === 0) return new Map();
    const list = toValueList(hashes, 2);
    const rows = await db.all<{ hash: string; issue_id: number }>(
      `SELECT hash, issue_id FROM issue_hashes WHERE project_id = $1 AND hash IN (${list.placeholders})`,
      [projectId, ...list.values],
    );
    return new Map(rows.map((row) => [row.hash, row.issue_id]));
  },
  async findRegroupLeads(db, projectId, secondaryHashes) {
    if (secondaryHashes.length === 0) return new Map();
    const list = toValueList(secondaryHashes, 2);
    const rows = await db.all<{ secondary_hash: string; hash: string }>(
      `SELECT secondary_hash, hash FROM issue_hashes
       WHERE project_id = $1 AND has_source = 1 AND secondary_hash IN (${list.placeholders}) ORDER BY id DESC`,
      [projectId, ...list.values],
    );
    // Of several, the first that was made stays.
    return new Map(rows.map((row) => [row.secondary_hash, row.hash]));
  },
  findRegroupRun: findRun,
});

export async function findRun(query: Pick<Query, 'get'>, projectId: number): Promise<RegroupRun | null> {
  const run = await query.get<RegroupRun>(
    `SELECT id, version_after AS "versionAfter", started_at_ms AS "startedAtMs", finished_at_ms AS "finishedAtMs"
     FROM regroup_runs WHERE project_id = $1 ORDER BY id DESC LIMIT 1`,
    [projectId],
  );
  return run ?? null;
}

function eventOf({ body, sha256, ...event }: EventRow): RegroupEvent {
  return { ...event, payload: readPayload({ body, sha256 }) };
}
