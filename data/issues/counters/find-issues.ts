import { issueUsersMax, stateAfterEvent } from '../../../src/core/issues/state-transitions.ts';
import type { NewEvent } from '../../../src/core/store/events.ts';
import type { IssueState } from '../../../src/core/store/issues.ts';
import type { Query, RowStatement, SqlValue, Transaction } from '../../db.ts';
import type { MatchedIssue } from '../hashes.ts';
import { type StateRow, stateOf, states } from '../rows.ts';

/** Another transaction merged, deleted or changed the issue, or stored the event: roll back and try again. */
export class ChangedMeanwhile extends Error {}

/** With the folded title and culprit, which searches compare. */
export type FiledEvent = NewEvent & { readonly searchText: string | null };

export interface FoundIssue extends Omit<MatchedIssue, 'isNew'> {
  readonly projectId: number;
  readonly title: string;
  readonly culprit: string;
  readonly isOverflow: boolean;
  readonly ownLastMs: number;
  readonly ownUsers: number;
  /** Merged with others, where the user may be known. */
  readonly isGrouped: boolean;
  readonly state: IssueState;
}

/** At least one, in the order in which they came. */
export interface IssueEvents {
  readonly issue: FoundIssue;
  readonly events: readonly FiledEvent[];
}

type FoundRow = StateRow &
  Omit<FoundIssue, 'isOverflow' | 'isGrouped' | 'state'> &
  Readonly<Record<'isOverflow' | 'isGrouped', number>>;

const foundColumns = `own.project_id AS "projectId", own.id, COALESCE(own.merged_into, own.id) AS "headId", own.title,
    own.culprit, own.is_overflow AS "isOverflow", own.own_last_seen_ms AS "ownLastMs",
    own.own_users_count AS "ownUsers", ${states.columns('head')}, CASE WHEN own.merged_into IS NOT NULL
      OR EXISTS (SELECT 1 FROM issues AS member WHERE member.merged_into = own.id) THEN 1 ELSE 0 END AS "isGrouped"`;
const joinHead = 'JOIN issues AS head ON head.id = COALESCE(own.merged_into, own.id)';

const findByHash: RowStatement = {
  sql: `SELECT issue_hashes.hash, ${foundColumns}
    FROM issue_hashes JOIN issues AS own ON own.id = issue_hashes.issue_id ${joinHead}
    WHERE issue_hashes.project_id = $1 AND issue_hashes.hash = $2`,
  types: ['bigint', 'text'],
};

type Hashed = Pick<NewEvent, 'projectId' | 'grouping'>;

export type FoundIssues = ReadonlyMap<string, FoundIssue>;

export async function findIssues(tx: Transaction, events: readonly Hashed[]): Promise<FoundIssues> {
  const keys = new Map<string, SqlValue[]>();
  for (const { projectId, grouping } of events) {
    keys.set(keyOf(projectId, grouping.hash), [projectId, grouping.hash]);
  }
  const rows = await tx.allMany<FoundRow & { hash: string }>(findByHash, [...keys.values()]);
  return new Map(rows.map((row) => [keyOf(row.projectId, row.hash), foundOf(row)]));
}

export async function findIssue(tx: Query, projectId: number, id: number): Promise<FoundIssue | null> {
  const row = await tx.get<FoundRow>(
    `SELECT ${foundColumns} FROM issues AS own ${joinHead} WHERE own.project_id = $1 AND own.id = $2`,
    [projectId, id],
  );
  return row === undefined ? null : foundOf(row);
}

export function getFoundIssue(issues: FoundIssues, { projectId, grouping }: Hashed): FoundIssue | null {
  return issues.get(keyOf(projectId, grouping.hash)) ?? null;
}

export const batchEventsMax = 1_000;

/** Whether the event only adds to counters, whatever else the batch counts. */
export function isPlain(issue: FoundIssue, event: Pick<NewEvent, 'receivedAtMs' | 'userHash'>): boolean {
  if (event.userHash !== null && isNearUsersMax(issue)) return false;
  return keepsState(issue.state, event.receivedAtMs);
}

/** Whether a batch could bring more users than are stored. */
export function isNearUsersMax({ ownUsers }: FoundIssue): boolean {
  return ownUsers < issueUsersMax && ownUsers + batchEventsMax >= issueUsersMax;
}

/** Whether any number of events of this time leaves the state as it is. */
export function keepsState(state: IssueState, atMs: number): boolean {
  if (state.status === 'resolved') return false;
  const until = state.ignore?.until;
  if (until === 'count' || until === 'users') return false;
  const facts = { receivedAtMs: atMs, release: null, eventsCount: 0, usersCount: 0, eventsInWindow: 0 };
  return stateAfterEvent(state, facts, () => 'unknown') === null;
}

function keyOf(projectId: number, hash: string): string {
  return `${projectId} ${hash}`;
}

function foundOf(row: FoundRow): FoundIssue {
  const { id, headId, projectId, title, culprit, ownLastMs, ownUsers } = row;
  const flags = { isOverflow: row.isOverflow === 1, isGrouped: row.isGrouped === 1 };
  return { id, headId, projectId, title, culprit, ownLastMs, ownUsers, ...flags, state: stateOf(row) };
}
