// The rows of an event, for one and for many: its own and that of its body.

import type { RowStatement, SqlValue } from '../db.ts';
import { type BodyRow, bodyColumns, bodyValues } from '../event-bodies.ts';
import type { FiledEvent } from '../issues/counters/found.ts';

/** Answers no row where the project has an event of this id. */
export const insertEventRow: RowStatement = {
  sql: `INSERT INTO events (project_id, issue_id, event_id, received_at_ms, timestamp_ms, level, platform, title, culprit,
      release, dist, environment, sdk_name, sdk_version, domain, user_hash, scrubbed_count, needs_mapping, folded)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
    ON CONFLICT (project_id, event_id) DO NOTHING RETURNING id, project_id, event_id`,
  types: [
    ...(['bigint', 'bigint', 'text', 'bigint', 'bigint'] as const),
    ...new Array<'text'>(11).fill('text'),
    ...(['bigint', 'bigint', 'text'] as const),
  ],
};

/** What `insertEventRow` answers. */
export interface InsertedEvent {
  readonly id: number;
  readonly project_id: number;
  readonly event_id: string;
}

export function eventValues(event: FiledEvent, issueId: number): SqlValue[] {
  return [
    event.projectId,
    issueId,
    event.eventId,
    event.receivedAtMs,
    event.timestampMs,
    event.level,
    event.platform,
    event.title,
    event.culprit,
    event.release,
    event.dist,
    event.environment,
    event.sdkName,
    event.sdkVersion,
    event.domain,
    event.userHash,
    event.scrubbedCount,
    event.needsMapping ? 1 : 0,
    event.folded,
  ];
}

export const insertBodyRow: RowStatement = {
  sql: `INSERT INTO event_bodies (event_row, project_id, ${bodyColumns})
    VALUES ($1, $2, $3, $4, $5, $6)`,
  types: ['bigint', 'bigint', 'bytea', 'bytea', 'text', 'text'],
};

export function bodyRowValues(projectId: number, row: number, packed: BodyRow): SqlValue[] {
  return [row, projectId, ...bodyValues(packed)];
}
