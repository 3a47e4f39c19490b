// The row of a new issue. Whether one is made, and what leads to it, is decided where events are filed or
// moved.

import { firstIssueState } from '../../src/core/issues/life.ts';
import { foldedTexts } from '../../src/core/reading/fold-text.ts';
import type { Grouping, NewEvent } from '../../src/core/store/events.ts';
import type { Query } from '../db.ts';

/** Titles are those of the newest event; the overflow issue keeps its own. */
const overflowTitle = 'Too many new issues: events of many kinds, filed together';
const overflowTitleOfSender = 'Too many new issues from one address: events of many kinds, filed together';

/** What an issue begins with: what its first event says. */
export type FirstEvent = Pick<
  NewEvent,
  'projectId' | 'receivedAtMs' | 'title' | 'culprit' | 'level' | 'platform' | 'release' | 'grouping'
>;

/** Whose overflow issue it is: a sender's, or that of all where it is empty. */
interface Overflow {
  readonly overflowOf: string;
}

/** Inserts an issue without events; null where there is that overflow issue already. */
export async function insertIssue(tx: Query, event: FirstEvent): Promise<number>;
export async function insertIssue(tx: Query, event: FirstEvent, overflow: Overflow): Promise<number | null>;
export async function insertIssue(
  tx: Query,
  event: FirstEvent,
  overflow: Overflow | null = null,
): Promise<number | null> {
  const state = firstIssueState(event.receivedAtMs);
  const { algorithm } = event.grouping;
  const grouping =
    overflow === null
      ? event.grouping
      : { algorithm, source: 'overflow', parts: [], notes: ['over the cap on new issues'], hash: '' };
  const row = await tx.get<{ id: number }>(
    `INSERT INTO issues (project_id, is_overflow, title, culprit, level, platform, grouping, status, substatus,
       state_changed_at_ms, regressions_count, events_count, users_count, first_seen_ms, last_seen_ms,
       own_events_count, own_users_count, own_first_seen_ms, own_last_seen_ms, first_release, last_release, folded, overflow_of)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, 0, 0, $10, $10, 0, 0, $10, $10, $11, $11, $12, $13)
     ON CONFLICT DO NOTHING RETURNING id`,
    [
      event.projectId,
      overflow === null ? 0 : 1,
      overflow === null ? event.title : titleOf(overflow),
      overflow === null ? event.culprit : '',
      event.level,
      event.platform,
      groupingText(grouping),
      state.status,
      state.substatus,
      event.receivedAtMs,
      event.release,
      overflow === null ? foldedTexts([event.title, event.culprit]) : null,
      overflow?.overflowOf ?? '',
    ],
  );
  return row?.id ?? null;
}

function titleOf({ overflowOf }: Overflow): string {
  return overflowOf === '' ? overflowTitle : overflowTitleOfSender;
}

/** What an issue keeps of the key that it is shown by. */
export function groupingText({ algorithm, source, parts, notes, hash, frames }: Grouping): string {
  return JSON.stringify({ algorithm, source, parts, notes, hash, frames });
}
