import { type IssueUser, type StoredEventRange, storedCountMax } from '../../src/core/store/issue-queries.ts';
import { type SqlValue, storePart } from '../db.ts';
import { type EventRow, eventColumns, eventTables, membersOf, summaryOf } from '../events/reads.ts';
import { lockHead } from '../issues/changes.ts';
import { findIssue } from '../issues/reads.ts';
import { readPage } from '../paging.ts';
import { toValueList } from '../value-lists.ts';

/** Reports searched for those of an issue, newest first. */
const reportsMax = 10_000;

export const issuePageReads = storePart(
  {
    async findIssueAnywhere(db, issueId) {
      const row = await db.get<{ project_id: number }>(
        `SELECT project_id FROM issues JOIN projects ON projects.id = issues.project_id
         WHERE issues.id = $1 AND projects.deleted_at_ms IS NULL AND COALESCE(merged_into, 1) > 0`,
        [issueId],
      );
      return row === undefined ? null : findIssue(db, row.project_id, issueId);
    },
    async storedEvents(db, projectId, issueId) {
      const members = await membersOf(db, projectId, issueId);
      const none = { newestEventId: null, oldestEventId: null, count: 0 };
      if (members.length === 0) return none;
      const list = toValueList(members, 3);
      const ofGroup = `FROM events WHERE project_id = $1 AND issue_id IN (${list.placeholders})`;
      const edge = (direction: 'ASC' | 'DESC'): string =>
        `(SELECT event_id ${ofGroup} ORDER BY received_at_ms ${direction}, id ${direction} LIMIT 1)`;
      const range = await db.get<StoredEventRange>(
        `SELECT ${edge('DESC')} AS "newestEventId", ${edge('ASC')} AS "oldestEventId",
           (SELECT COUNT(*) FROM (SELECT 1 ${ofGroup} LIMIT $2) AS kept) AS count`,
        [projectId, storedCountMax, ...list.values],
      );
      return range ?? none;
    },
    async walkIssueEvents(db, projectId, issueId, cursor, limit) {
      const members = await membersOf(db, projectId, issueId);
      if (members.length === 0) return [];
      const list = toValueList(members, 3);
      const values: SqlValue[] = [projectId, limit, ...list.values];
      const isOlder = cursor.way === 'older';
      const direction = isOlder ? 'DESC' : 'ASC';
      let cursorCondition = '';
      if (cursor.than !== null) {
        const at = `$${values.push(cursor.than.receivedAtMs)}`;
        const id = `$${values.push(cursor.than.eventId)}`;
        // The row of the event, or of its time where it is gone.
        const row = `COALESCE((SELECT id FROM events WHERE project_id = $1 AND event_id = ${id}), 0)`;
        cursorCondition = `AND (received_at_ms, id) ${isOlder ? '<' : '>'} (${at}, ${row})`;
      }
      const rows = await db.all<EventRow>(
        `SELECT ${eventColumns} FROM ${eventTables} WHERE events.id IN
           (SELECT id FROM events WHERE project_id = $1 AND issue_id IN (${list.placeholders}) ${cursorCondition}
            ORDER BY received_at_ms ${direction}, id ${direction} LIMIT $2)
         ORDER BY events.received_at_ms DESC, events.id DESC`,
        values,
      );
      return rows.map(summaryOf);
    },
    async issueReports(db, projectId, issueId) {
      const row = await db.get<{ reports: number; newest: number | null }>(
        `SELECT COUNT(*) AS reports, MAX(recent.created_at_ms) AS newest FROM
           (SELECT event_id, created_at_ms FROM feedback WHERE project_id = $1 AND spam = 0
              AND event_id IS NOT NULL ORDER BY created_at_ms DESC, id DESC LIMIT $3) AS recent
         JOIN events ON events.project_id = $1 AND events.event_id = recent.event_id
         JOIN issues ON issues.id = events.issue_id
         WHERE issues.id = $2 OR issues.merged_into = $2`,
        [projectId, issueId, reportsMax],
      );
      return { count: Number(row?.reports ?? 0), newestAtMs: row?.newest ?? null };
    },
    async eventsOfUser(db, projectId, issueId, eventId, newestMax) {
      const members = await membersOf(db, projectId, issueId);
      const event = await db.get<{ user_hash: string | null }>(
        'SELECT user_hash FROM events WHERE project_id = $1 AND event_id = $2',
        [projectId, eventId],
      );
      if (members.length === 0 || event === undefined || event.user_hash === null) return null;
      const list = toValueList(members, 4);
      const row = await db.get<{ seen: number }>(
        `SELECT COUNT(*) AS seen FROM
           (SELECT user_hash FROM events WHERE project_id = $1 AND issue_id IN (${list.placeholders})
            ORDER BY received_at_ms DESC, id DESC LIMIT $3) AS newest WHERE user_hash = $2`,
        [projectId, event.user_hash, newestMax, ...list.values],
      );
      return Number(row?.seen ?? 0);
    },
    async listIssueUsers(db, projectId, issueId, window) {
      const members = await membersOf(db, projectId, issueId);
      if (members.length === 0) return { rows: [], total: 0 };
      const list = toValueList(members, 3);
      return readPage<IssueUser>(
        db,
        {
          columns: 'user_hash AS "userHash", events, seen_ms AS "lastSeenMs", row',
          from: `FROM (SELECT user_hash, COUNT(*) AS events, MAX(received_at_ms) AS seen_ms, MAX(id) AS row FROM
              (SELECT id, user_hash, received_at_ms FROM events WHERE project_id = $1 AND issue_id IN (${list.placeholders})
               ORDER BY received_at_ms DESC, id DESC LIMIT $2) AS newest
            WHERE user_hash IS NOT NULL GROUP BY user_hash) AS known`,
          order: 'seen_ms DESC, user_hash',
          values: [projectId, storedCountMax, ...list.values],
        },
        window,
      );
    },
  },
  {
    lockIssueForChange: lockHead,
  },
);
