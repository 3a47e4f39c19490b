// How the state of an issue stands in its row, and back.

import type { IssueStatus, IssueSubstatus } from '../../src/core/store/events.ts';
import type { IgnoreEnd, IssueState, Resolution } from '../../src/core/store/issues.ts';
import type { Query, SqlValue } from '../db.ts';

export interface StateColumns {
  readonly status: IssueStatus;
  readonly substatus: IssueSubstatus | null;
  readonly resolved_in: string | null;
  readonly resolved_release: string | null;
  readonly ignored_until: string | null;
  readonly ignored_until_ms: number | null;
  readonly ignored_amount: number | null;
  readonly ignored_window_ms: number | null;
  readonly ignored_events_before: number | null;
  readonly ignored_users_before: number | null;
  readonly state_changed_at_ms: number;
}

/** For SELECT and RETURNING. */
export const stateColumns = `status, substatus, resolved_in, resolved_release, ignored_until, ignored_until_ms,
  ignored_amount, ignored_window_ms, ignored_events_before, ignored_users_before, state_changed_at_ms`;

/** The state of an issue, as the rules know it, from its columns. */
export function stateOf(row: StateColumns): IssueState {
  return {
    status: row.status,
    substatus: row.substatus,
    resolution: resolutionOf(row),
    ignore: ignoreOf(row),
    changedAtMs: row.state_changed_at_ms,
  };
}

/** Writes a state into the row of an issue. */
export async function writeState(
  tx: Query,
  projectId: number,
  issueId: number,
  state: IssueState,
): Promise<void> {
  await tx.run(
    `UPDATE issues SET status = $3, substatus = $4, resolved_in = $5, resolved_release = $6, ignored_until = $7,
       ignored_until_ms = $8, ignored_amount = $9, ignored_window_ms = $10, ignored_events_before = $11,
       ignored_users_before = $12, state_changed_at_ms = $13,
       regressions_count = regressions_count + $14
     WHERE project_id = $1 AND id = $2`,
    [
      projectId,
      issueId,
      state.status,
      state.substatus,
      ...resolutionValues(state.resolution),
      ...ignoreValues(state.ignore),
      state.changedAtMs,
      state.substatus === 'regressed' ? 1 : 0,
    ],
  );
}

/** The state in one word or two, as activity rows show it: `unresolved/new`, `resolved`, `ignored`. */
export function stateWord(state: IssueState): string {
  return state.substatus === null ? state.status : `${state.status}/${state.substatus}`;
}

function resolutionOf(row: StateColumns): Resolution | null {
  if (row.resolved_in === null) return null;
  if (row.resolved_in === 'next_release') return { in: 'next_release', after: row.resolved_release };
  if (row.resolved_in === 'release' && row.resolved_release !== null) {
    return { in: 'release', release: row.resolved_release };
  }
  return { in: 'now' };
}

function ignoreOf(row: StateColumns): IgnoreEnd | null {
  if (row.ignored_until === null) return null;
  if (row.ignored_until === 'date') return { until: 'date', atMs: row.ignored_until_ms ?? 0 };
  if (row.ignored_until === 'users') {
    return { until: 'users', users: row.ignored_amount ?? 0, usersBefore: row.ignored_users_before ?? 0 };
  }
  if (row.ignored_until !== 'count') return { until: 'forever' };
  return {
    until: 'count',
    count: row.ignored_amount ?? 0,
    windowMs: row.ignored_window_ms,
    eventsBefore: row.ignored_events_before ?? 0,
  };
}

function resolutionValues(resolution: Resolution | null): SqlValue[] {
  if (resolution === null) return [null, null];
  if (resolution.in === 'now') return ['now', null];
  return resolution.in === 'next_release'
    ? ['next_release', resolution.after]
    : ['release', resolution.release];
}

function ignoreValues(ignore: IgnoreEnd | null): SqlValue[] {
  switch (ignore?.until) {
    case 'forever':
      return ['forever', null, null, null, null, null];
    case 'date':
      return ['date', ignore.atMs, null, null, null, null];
    case 'count':
      return ['count', null, ignore.count, ignore.windowMs, ignore.eventsBefore, null];
    case 'users':
      return ['users', null, ignore.users, null, null, ignore.usersBefore];
    default:
      return [null, null, null, null, null, null];
  }
}
