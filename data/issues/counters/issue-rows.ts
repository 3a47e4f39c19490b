// Adds to the rows of issues and their heads, in the order of locking: merged issues first, then by id.

import { issueUsersMax } from '../../../src/core/issues/state-transitions.ts';
import type { RowStatement, SqlValue, Transaction } from '../../db.ts';
import { type StateRow, states } from '../rows.ts';
import { ChangedMeanwhile, type FiledEvent, type IssueEvents } from './find-issues.ts';
import type { NewUsers } from './users.ts';

interface Addition {
  readonly projectId: number;
  readonly id: number;
  events: number;
  users: number;
  firstMs: number;
  lastMs: number;
  ownEvents: (IssueEvents & { readonly newUsers: number }) | null;
}

export interface CountedIssue extends StateRow {
  readonly id: number;
  readonly merged_into: number | null;
  readonly events_count: number;
  readonly users_count: number;
  readonly first_seen_ms: number;
  readonly own_first_seen_ms: number;
  readonly own_events_count: number;
  readonly own_users_count: number;
}

const addToIssue: RowStatement = {
  sql: `UPDATE issues SET
      events_count = events_count + $3, own_events_count = own_events_count + $4,
      users_count = CASE WHEN users_count + $5 > ${issueUsersMax} THEN ${issueUsersMax} ELSE users_count + $5 END,
      own_users_count = own_users_count + $6,
      last_seen_ms = CASE WHEN last_seen_ms < $7 THEN $7 ELSE last_seen_ms END,
      title = CASE WHEN is_overflow = 0 AND own_last_seen_ms <= $8 THEN $9 ELSE title END,
      culprit = CASE WHEN is_overflow = 0 AND own_last_seen_ms <= $8 THEN $10 ELSE culprit END,
      search_text = CASE WHEN is_overflow = 0 AND own_last_seen_ms <= $8 THEN $11 ELSE search_text END,
      level = CASE WHEN own_last_seen_ms <= $8 THEN $12 ELSE level END,
      platform = CASE WHEN own_last_seen_ms <= $8 THEN $13 ELSE platform END,
      last_release = CASE WHEN own_last_seen_ms <= $14 THEN $15 ELSE last_release END,
      own_last_seen_ms = CASE WHEN own_last_seen_ms < $8 THEN $8 ELSE own_last_seen_ms END
    WHERE project_id = $1 AND id = $2
    RETURNING id, ${states.columns()}, merged_into, events_count, users_count, first_seen_ms, own_first_seen_ms,
      own_events_count, own_users_count`,
  types: [
    ...new Array<'bigint'>(8).fill('bigint'),
    ...new Array<'text'>(5).fill('text'),
    ...(['bigint', 'text'] as const),
  ],
};

const unset = -1;

/** Answers the rows by issue id. @throws {ChangedMeanwhile} when an issue was merged or deleted. */
export async function addIssueCounts(
  tx: Transaction,
  issues: readonly IssueEvents[],
  newUsers: ReadonlyMap<number, NewUsers>,
): Promise<ReadonlyMap<number, CountedIssue>> {
  const added = sumAdditions(issues, newUsers);
  const rows = await tx.allMany<CountedIssue>(addToIssue, added.map(valuesOf));
  const counted = new Map(rows.map((row) => [row.id, row]));
  for (const each of added) await checkAdded(tx, each, counted.get(each.id));
  return counted;
}

function sumAdditions(issues: readonly IssueEvents[], newUsers: ReadonlyMap<number, NewUsers>): Addition[] {
  const rows = new Map<number, Addition>();
  const add = (
    { projectId, events: list }: { projectId: number; events: readonly FiledEvent[] },
    id: number,
  ) => {
    const row = rows.get(id) ?? emptyAddition(projectId, id);
    rows.set(id, row);
    row.events += list.length;
    for (const { receivedAtMs } of list) {
      row.firstMs = Math.min(row.firstMs, receivedAtMs);
      row.lastMs = Math.max(row.lastMs, receivedAtMs);
    }
    return row;
  };
  for (const { issue, events } of issues) {
    const { inIssue, inGroup } = newUsers.get(issue.id) ?? { inIssue: 0, inGroup: 0 };
    const addition = add({ projectId: issue.projectId, events }, issue.id);
    addition.ownEvents = { issue, events, newUsers: inIssue };
    addition.users += issue.headId === issue.id ? inGroup : inIssue;
    if (issue.headId === issue.id) continue;
    add({ projectId: issue.projectId, events }, issue.headId).users += inGroup;
  }
  return [...rows.values()].sort(
    (left, right) => Number(isMerged(right)) - Number(isMerged(left)) || left.id - right.id,
  );
}

function isMerged({ ownEvents }: Addition): boolean {
  return ownEvents !== null && ownEvents.issue.headId !== ownEvents.issue.id;
}

function emptyAddition(projectId: number, id: number): Addition {
  return {
    projectId,
    id,
    events: 0,
    users: 0,
    firstMs: Number.MAX_SAFE_INTEGER,
    lastMs: unset,
    ownEvents: null,
  };
}

function valuesOf({ projectId, id, events, users, lastMs, ownEvents }: Addition): SqlValue[] {
  const groupValues = [
    projectId,
    id,
    events,
    ownEvents?.events.length ?? 0,
    users,
    ownEvents?.newUsers ?? 0,
    lastMs,
  ];
  if (ownEvents === null) return [...groupValues, unset, '', '', null, '', '', unset, null];
  const { newest, release } = newestOf(ownEvents.events);
  const { receivedAtMs, title, culprit, searchText, level, platform } = newest;
  const named = release === null ? [unset, null] : [release.receivedAtMs, release.release];
  return [...groupValues, receivedAtMs, title, culprit, searchText, level, platform, ...named];
}

/** The event that names the issue, and the last such event that has a release. */
function newestOf(events: readonly FiledEvent[]): { newest: FiledEvent; release: FiledEvent | null } {
  let newest = events[0] as FiledEvent;
  let release: FiledEvent | null = null;
  for (const event of events) {
    if (event.receivedAtMs < newest.receivedAtMs) continue;
    newest = event;
    if (event.release !== null) release = event;
  }
  return { newest, release };
}

// An event is rarely stored after a later one; in the counting statement this would rewrite an index each time.
async function checkAdded(tx: Transaction, added: Addition, row: CountedIssue | undefined): Promise<void> {
  const { ownEvents } = added;
  if (row === undefined || row.own_users_count > issueUsersMax) throw new ChangedMeanwhile();
  if (ownEvents !== null && (row.merged_into ?? row.id) !== ownEvents.issue.headId)
    throw new ChangedMeanwhile();
  const ownFirstMs = ownEvents === null ? Number.MAX_SAFE_INTEGER : firstOf(ownEvents.events);
  if (added.firstMs >= row.first_seen_ms && ownFirstMs >= row.own_first_seen_ms) return;
  await tx.run(
    `UPDATE issues SET first_seen_ms = CASE WHEN first_seen_ms > $3 THEN $3 ELSE first_seen_ms END,
       own_first_seen_ms = CASE WHEN own_first_seen_ms > $4 THEN $4 ELSE own_first_seen_ms END
     WHERE project_id = $1 AND id = $2`,
    [added.projectId, added.id, added.firstMs, ownFirstMs],
  );
}

function firstOf(events: readonly FiledEvent[]): number {
  return events.reduce((first, { receivedAtMs }) => Math.min(first, receivedAtMs), Number.MAX_SAFE_INTEGER);
}
