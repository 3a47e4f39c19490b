// What is stored of one user: found by keyed hashes, read by the index of a user's events.
import { dayMs } from '../../src/core/parsing/durations.ts';
import {
  type EventCursor,
  type UserEvent,
  type UserIssue,
  type UserRef,
  type UserSummary,
  userEventsMax,
} from '../../src/core/store/users.ts';
import { type Db, type SqlValue, storePart } from '../db.ts';
import { readPayload } from '../event-bodies.ts';
import { type EventRow, eventColumns, eventTables, summaryOf } from '../events/reads.ts';
import { feedbackOf, reportColumns } from '../feedback/rows.ts';
import { toValueList } from '../value-lists.ts';

const issuesMax = 1_000;

export const userStore = storePart({
  async findUsers(db, projectId, hashes, limit) {
    if (hashes.length === 0) return [];
    const list = toValueList(hashes, 3);
    // One look-up for each hash: with IN all events of a user would be read. No issue has the users past its limit.
    const ofEvents = hashes.map(
      (_hash, at) => `UNION SELECT * FROM (SELECT user_hash FROM events
         WHERE project_id = $1 AND user_hash = $${at + 3} LIMIT 1) AS known${at}`,
    );
    const rows = await db.all<{ user_hash: string }>(
      `SELECT user_hash FROM
         (SELECT user_hash FROM user_keys WHERE project_id = $1 AND key_hash IN (${list.placeholders})
          UNION SELECT user_hash FROM issue_users WHERE user_hash IN (${list.placeholders}) AND project_id = $1
          ${ofEvents.join(' ')}) AS known
       ORDER BY user_hash LIMIT $2`,
      [projectId, limit, ...list.values],
    );
    return rows.map(({ user_hash: userHash }) => ({ projectId, userHash }));
  },
  async listUserHashes(db, { projectId, userHash }) {
    const sql = 'SELECT key_hash AS hash FROM user_keys WHERE project_id = $1 AND user_hash = $2';
    const others = await db.all<{ hash: string }>(sql, [projectId, userHash]);
    return [userHash, ...others.map(({ hash }) => hash)];
  },
  async summarizeUser(db, { projectId, userHash }) {
    const of = 'FROM events WHERE project_id = $1 AND user_hash = $2';
    const summary = await db.get<UserSummary>(
      `SELECT (SELECT COUNT(*) FROM (SELECT 1 AS one ${of} LIMIT ${userEventsMax}) AS counted) AS events,
         (SELECT MIN(received_at_ms) ${of}) AS "firstSeenMs", (SELECT MAX(received_at_ms) ${of}) AS "lastSeenMs"`,
      [projectId, userHash],
    );
    return summary ?? { events: 0, firstSeenMs: null, lastSeenMs: null };
  },
  listUserIssues(db, { projectId, userHash }) {
    return db.all<UserIssue>(
      `SELECT COALESCE(own.merged_into, own.id) AS "issueId", SUM(events) AS events, MAX(last) AS "lastSeenMs" FROM
         (SELECT issue_id, COUNT(*) AS events, MAX(received_at_ms) AS last FROM
            (SELECT issue_id, received_at_ms FROM events WHERE project_id = $1 AND user_hash = $2
             ORDER BY received_at_ms DESC, id DESC LIMIT ${userEventsMax}) AS newest GROUP BY issue_id
          UNION ALL SELECT issue_id, 0 AS events, NULL AS last FROM issue_users
            WHERE user_hash = $2 AND project_id = $1) AS known
         JOIN issues own ON own.id = known.issue_id
       WHERE own.merged_into IS NULL OR own.merged_into > 0
       GROUP BY COALESCE(own.merged_into, own.id)
       ORDER BY COALESCE(MAX(last), 0) DESC, "issueId" DESC LIMIT ${issuesMax}`,
      [projectId, userHash],
    );
  },
  listUserEvents: (db, user, { before, limit }) => listEvents(db, user, before, limit),
  async countUserDays(db, { projectId, userHash }, fromMs) {
    const rows = await db.all<{ day: number; events: number }>(
      `SELECT received_at_ms / ${dayMs} AS day, COUNT(*) AS events FROM
         (SELECT received_at_ms FROM events WHERE project_id = $1 AND user_hash = $2 AND received_at_ms >= $3
          ORDER BY received_at_ms DESC, id DESC LIMIT ${userEventsMax}) AS newest
       GROUP BY received_at_ms / ${dayMs}`,
      [projectId, userHash, fromMs],
    );
    return new Map(rows.map(({ day, events }) => [Number(day), Number(events)]));
  },
  async listUserFeedback(db, { projectId, userHash }, emails, limit) {
    const values: SqlValue[] = [projectId, userHash, limit];
    const list = emails.length === 0 ? null : toValueList(emails, values.length + 1);
    const found = await db.all(
      `SELECT ${reportColumns} FROM feedback WHERE id IN
         (SELECT id FROM feedback WHERE project_id = $1 AND event_id IN
            (SELECT event_id FROM events WHERE project_id = $1 AND user_hash = $2
             ORDER BY received_at_ms DESC, id DESC LIMIT ${userEventsMax})
          ${list === null ? '' : `UNION SELECT id FROM feedback WHERE project_id = $1 AND LOWER(email) IN (${list.placeholders})`})
       ORDER BY created_at_ms DESC, id DESC LIMIT $3`,
      [...values, ...(list?.values ?? [])],
    );
    return found.map(feedbackOf);
  },
});

async function listEvents(
  db: Db,
  { projectId, userHash }: UserRef,
  before: EventCursor | null,
  limit: number,
): Promise<UserEvent[]> {
  const rows = await db.all<EventRow & { body: Uint8Array | null; sha256: Uint8Array | null }>(
    `SELECT ${eventColumns}, body, body_sha256 AS sha256
     FROM ${eventTables} LEFT JOIN event_bodies ON event_row = events.id
     WHERE events.project_id = $1 AND events.user_hash = $2
       AND (events.received_at_ms, events.id) < ($3, $4)
     ORDER BY events.received_at_ms DESC, events.id DESC LIMIT $5`,
    [
      projectId,
      userHash,
      before?.atMs ?? Number.MAX_SAFE_INTEGER,
      before?.row ?? Number.MAX_SAFE_INTEGER,
      limit,
    ],
  );
  return rows.map(({ body, sha256, ...row }) => ({
    ...summaryOf(row),
    row: row.row,
    payload: body === null || sha256 === null ? null : readPayload({ body, sha256 }),
  }));
}
