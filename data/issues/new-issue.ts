// The row of a new issue. Whether one is made, and what leads to it, is decided where events are filed or
// moved.

import { firstIssueState } from '../../src/core/issues/life.ts';
import { foldedTexts } from '../../src/core/reading/fold-text.ts';
import type { Grouping, NewEvent } from '../../src/core/store/events.ts';
import type { Query } from '../db.ts';

/** Titles are those of the newest event; the overflow issue keeps its own. */
const overflowTitle = 'Too many new issues: events of many kinds, filed together';

/** What an issue begins with: what its first event says. */
export type FirstEvent = Pick<
  NewEvent,
  'projectId' | 'receivedAtMs' | 'title' | 'culprit' | 'level' | 'platform' | 'release' | 'grouping'
>;

/** Inserts an issue without events; null where the project has its overflow issue already. */
export async function insertIssue(tx: Query, event: FirstEvent, isOverflow: 0): Promise<number>;
export async function insertIssue(tx: Query, event: FirstEvent, isOverflow: 1): Promise<number | null>;
export async function insertIssue(tx: Query, event: FirstEvent, isOverflow: 0 | 1): Promise<number | null> {
  const state = firstIssueState(event.receivedAtMs);
  const { algorithm } = event.grouping;
  const grouping =
    isOverflow === 1
      ? { algorithm, source: 'overflow', parts: [], notes: ['over the cap on new issues'], hash: '' }
      : event.grouping;
  const row = await tx.get<{ id: number }>(
    `INSERT INTO issues (project_id, is_overflow, title, culprit, level, platform, grouping, status, substatus,
       state_changed_at_ms, regressions_count, events_count, users_count, first_seen_ms, last_seen_ms,
       own_events_count, own_users_count, own_first_seen_ms, own_last_seen_ms, first_release, last_release, folded)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, 0, 0, $10, $10, 0, 0, $10, $10, $11, $11, $12)
     ON CONFLICT DO NOTHING RETURNING id`,
    [
      event.projectId,
      isOverflow,
      isOverflow === 1 ? overflowTitle : event.title,
      isOverflow === 1 ? '' : event.culprit,
      event.level,
      event.platform,
      groupingText(grouping),
      state.status,
      state.substatus,
      event.receivedAtMs,
      event.release,
      isOverflow === 1 ? null : foldedTexts([event.title, event.culprit]),
    ],
  );
  return row?.id ?? null;
}

/** What an issue keeps of the key that it is shown by. */
export function groupingText({ algorithm, source, parts, notes, hash }: Grouping): string {
  return JSON.stringify({ algorithm, source, parts, notes, hash });
}
