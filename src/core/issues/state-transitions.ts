// State transitions of issues (docs/issues.md).

import { dayMs } from '../parsing/durations.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { ReleaseOrder } from '../releases/compare-releases.ts';
import type { IssueSubstatus } from '../store/events.ts';
import type { ActivityKind, IgnoreCondition, IssueChange, IssueState, Resolution } from '../store/issues.ts';

export interface EventCounts {
  readonly receivedAtMs: EpochMs;
  readonly release: string | null;
  readonly eventsCount: number;
  readonly usersCount: number;
  /** Events within the window of an ignore by count, including this one. */
  readonly eventsInWindow: number;
}

export interface StateChange {
  readonly state: IssueState;
  readonly kind: ActivityKind;
}

export interface IssueCounts {
  readonly nowMs: EpochMs;
  readonly eventsCount: number;
  readonly usersCount: number;
  /** Base of "the next release" (docs/issues.md, "Resolving"); null without releases. */
  readonly newestRelease: string | null;
}

export const issueUsersMax = 10_000;

/** Per project; further new issues share the overflow issue. */
export const newIssuesPerHourMax = 1000;

/** `new` and `regressed` become `ongoing` with the first event after seven days. */
export const substatusFreshMs = 7 * dayMs;

export function createFirstState(receivedAtMs: EpochMs): IssueState {
  return unresolvedState('new', receivedAtMs);
}

/** Null for no change. Resolved issues regress, ignored ones reopen by their condition, fresh ones age. */
export function stateAfterEvent(
  issue: IssueState,
  event: EventCounts,
  order: ReleaseOrder,
): StateChange | null {
  const at = event.receivedAtMs;
  if (issue.status === 'resolved') {
    return isRegression(issue.resolution, event.release, order)
      ? { state: unresolvedState('regressed', at), kind: 'regressed' }
      : null;
  }
  if (issue.status === 'ignored') {
    return ignoreHasEnded(issue.ignore, event)
      ? { state: unresolvedState('ongoing', at), kind: 'ignore_ended' }
      : null;
  }
  const fresh = issue.substatus === 'new' || issue.substatus === 'regressed';
  return fresh && at - issue.changedAtMs >= substatusFreshMs
    ? { state: unresolvedState('ongoing', at), kind: 'ongoing' }
    : null;
}

/** A manually reopened issue is `ongoing`. */
export function stateAfterRequest(change: IssueChange, issue: IssueCounts): IssueState {
  if (change.status === 'unresolved') return unresolvedState('ongoing', issue.nowMs);
  const closed = { status: change.status, substatus: null, changedAtMs: issue.nowMs };
  if (change.status === 'resolved') {
    return { ...closed, resolution: resolutionOf(change, issue.newestRelease), ignore: null };
  }
  return { ...closed, resolution: null, ignore: ignoreEndOf(change, issue) };
}

function resolutionOf(change: IssueChange & { status: 'resolved' }, newest: string | null): Resolution {
  if (change.in === 'release') return { in: 'release', release: change.release };
  return change.in === 'now' ? { in: 'now' } : { in: 'next_release', after: newest };
}

function ignoreEndOf(change: IssueChange & { status: 'ignored' }, issue: IssueCounts): IgnoreCondition {
  const { eventsCount, usersCount } = issue;
  switch (change.until) {
    case 'forever':
      return { until: 'forever' };
    case 'date':
      return { until: 'date', atMs: change.atMs };
    case 'count':
      return { until: 'count', count: change.count, windowMs: change.windowMs, eventsBefore: eventsCount };
    case 'users':
      return { until: 'users', users: change.users, usersBefore: usersCount };
  }
}

/** An event without a known order of releases only reopens issues resolved `now`. */
function isRegression(resolution: Resolution | null, release: string | null, order: ReleaseOrder): boolean {
  if (resolution === null || resolution.in === 'now') return true;
  if (release === null) return false;
  if (resolution.in === 'next_release') return order(release, resolution.after) === 'later';
  const comparison = order(release, resolution.release);
  return comparison === 'same' || comparison === 'later';
}

function ignoreHasEnded(ignore: IgnoreCondition | null, event: EventCounts): boolean {
  switch (ignore?.until) {
    case 'date':
      return event.receivedAtMs >= ignore.atMs;
    case 'count': {
      const since = event.eventsCount - ignore.eventsBefore;
      return (ignore.windowMs === null ? since : event.eventsInWindow) >= ignore.count;
    }
    case 'users':
      // At the cap new users are not recognized, so reopen rather than stay ignored for ever.
      return (
        event.usersCount - ignore.usersBefore >= ignore.users ||
        (event.usersCount >= issueUsersMax && ignore.usersBefore < issueUsersMax)
      );
    default:
      return false;
  }
}

function unresolvedState(substatus: IssueSubstatus, changedAtMs: EpochMs): IssueState {
  return { status: 'unresolved', substatus, resolution: null, ignore: null, changedAtMs };
}
