// Issues of events that are filed together: found by their hashes, with what decides whether an event of them
// may be summed up with others. Nothing of this is remembered beyond the transaction.

import { issueUsersMax, nextIssueState } from '../../../src/core/issues/life.ts';
import type { NewEvent } from '../../../src/core/store/events.ts';
import type { IssueState } from '../../../src/core/store/issues.ts';
import type { RowStatement, SqlValue, Transaction } from '../../db.ts';
import type { FiledEvent } from '../counting.ts';
import type { FiledIssue } from '../hashes.ts';
import { type StateColumns, stateColumns, stateOf } from '../rows.ts';

/** An issue as it is before the events that are summed up are counted. */
export interface FoundIssue extends FiledIssue {
  readonly projectId: number;
  readonly title: string;
  readonly culprit: string;
  readonly isOverflow: boolean;
  readonly ownLastMs: number;
  readonly ownUsers: number;
  /** Whether it is merged with others: a user may be known there. */
  readonly isGrouped: boolean;
  /** Of the issue that stands for it. */
  readonly state: IssueState;
}

/** Events of one issue in the order in which they came; at least one. */
export interface IssueEvents {
  readonly issue: FoundIssue;
  readonly events: readonly FiledEvent[];
}

interface FoundRow extends StateColumns {
  readonly project_id: number;
  readonly hash: string;
  readonly id: number;
  readonly merged_into: number | null;
  readonly title: string;
  readonly culprit: string;
  readonly is_overflow: number;
  readonly own_last_seen_ms: number;
  readonly own_users_count: number;
  readonly has_members: number;
}

const headColumns = stateColumns
  .split(/,\s*/)
  .map((column) => `head.${column}`)
  .join(', ');

const findIssue: RowStatement = {
  sql: `SELECT issue_hashes.project_id, issue_hashes.hash, own.id, own.merged_into, own.title, own.culprit,
      own.is_overflow, own.own_last_seen_ms, own.own_users_count, ${headColumns},
      CASE WHEN EXISTS (SELECT 1 FROM issues AS member WHERE member.merged_into = own.id) THEN 1 ELSE 0 END
        AS has_members
    FROM issue_hashes JOIN issues AS own ON own.id = issue_hashes.issue_id
      JOIN issues AS head ON head.id = COALESCE(own.merged_into, own.id)
    WHERE issue_hashes.project_id = $1 AND issue_hashes.hash = $2`,
  types: ['bigint', 'text'],
};

type Hashed = Pick<NewEvent, 'projectId' | 'olderHash' | 'grouping'>;

/** Issues by project and hash. */
export type FoundIssues = ReadonlyMap<string, FoundIssue>;

/** The issues that the hashes of events lead to. */
export async function findIssues(tx: Transaction, events: readonly Hashed[]): Promise<FoundIssues> {
  const asked = new Map<string, SqlValue[]>();
  for (const { projectId, olderHash, grouping } of events) {
    asked.set(keyOf(projectId, grouping.hash), [projectId, grouping.hash]);
    if (olderHash !== undefined) asked.set(keyOf(projectId, olderHash), [projectId, olderHash]);
  }
  const rows = await tx.allMany<FoundRow>(findIssue, [...asked.values()]);
  return new Map(rows.map((row) => [keyOf(row.project_id, row.hash), foundOf(row)]));
}

/** The issue of an event, where its hashes lead to one as they are. */
export function issueAmong(issues: FoundIssues, event: Hashed): FoundIssue | null {
  const { projectId, olderHash, grouping } = event;
  const known = issues.get(keyOf(projectId, grouping.hash));
  // Its own hash is still to be given to the issue that the older one leads to.
  if (known === undefined) return null;
  const older = olderHash === undefined ? undefined : issues.get(keyOf(projectId, olderHash));
  return older ?? known;
}

/** The most events that may be counted together. */
export const summedEventsMax = 1_000;

/** Whether an event changes nothing of its issue but its figures, whatever else is counted beside it. */
export function isPlain(issue: FoundIssue, event: Pick<NewEvent, 'receivedAtMs' | 'userHash'>): boolean {
  const nearCap = issue.ownUsers < issueUsersMax && issue.ownUsers + summedEventsMax >= issueUsersMax;
  if (event.userHash !== null && nearCap) return false;
  return staysAsItIs(issue.state, event.receivedAtMs);
}

/** Whether an event of this time leaves the state as it is, however many there are of it. */
export function staysAsItIs(state: IssueState, atMs: number): boolean {
  if (state.status === 'resolved') return false;
  const until = state.ignore?.until;
  if (until === 'count' || until === 'users') return false;
  const facts = { receivedAtMs: atMs, release: null, eventsCount: 0, usersCount: 0, eventsInWindow: 0 };
  return nextIssueState(state, facts, () => 'unknown') === null;
}

function keyOf(projectId: number, hash: string): string {
  return `${projectId} ${hash}`;
}

function foundOf(row: FoundRow): FoundIssue {
  const { id, project_id: projectId, merged_into: mergedInto, title, culprit } = row;
  return {
    id,
    headId: mergedInto ?? id,
    isNew: false,
    projectId,
    title,
    culprit,
    isOverflow: row.is_overflow === 1,
    ownLastMs: row.own_last_seen_ms,
    ownUsers: row.own_users_count,
    isGrouped: mergedInto !== null || row.has_members === 1,
    state: stateOf(row),
  };
}
