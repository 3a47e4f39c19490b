// The life of an issue: what an event or a person changes in its state. Pure rules; no clock, no SQL.
// docs/issues.md.

import type { EpochMs } from '../reading/moments.ts';
import { dayMs } from '../reading/spans.ts';
import type { ReleaseOrder } from '../releases/order.ts';
import type { IssueSubstatus } from '../store/events.ts';
import type { ActivityKind, IgnoreEnd, IssueChange, IssueState, Resolution } from '../store/issues.ts';

/** What the rules need to know of an event that was just counted. */
export interface EventFacts {
  readonly receivedAtMs: EpochMs;
  readonly release: string | null;
  /** Events and distinct users of the issue, this event included. */
  readonly eventsCount: number;
  readonly usersCount: number;
  /** Events since the issue was ignored that lie in the window of its `count`, this event included. */
  readonly eventsInWindow: number;
}

export interface StateChange {
  readonly state: IssueState;
  readonly kind: ActivityKind;
}

/** What the state that a person asks for starts from. */
export interface IssueFacts {
  readonly nowMs: EpochMs;
  readonly eventsCount: number;
  readonly usersCount: number;
  /** The release that "the next" counts from (docs/issues.md, "Resolving"); null when there is none. */
  readonly newestRelease: string | null;
}

/** Distinct users counted for an issue. */
export const issueUsersMax = 10_000;

/** New issues of one project in one hour; the rest share the overflow issue (D-20). */
export const newIssuesPerHourMax = 1000;

/**
 * An issue stays `new`, and a regressed one `regressed`, for seven days; the next event after them makes it
 * `ongoing`.
 */
export const freshMs = 7 * dayMs;

/** The state of an issue whose first event was just received. */
export function firstIssueState(receivedAtMs: EpochMs): IssueState {
  return { ...unresolvedState('new', receivedAtMs) };
}

/**
 * What an event changes in the state of its issue; null when nothing. Resolved issues come back as
 * `regressed`, ignored ones as `ongoing` when what they waited for has come, and both fresh sub-states age
 * into `ongoing`.
 */
export function nextIssueState(
  issue: IssueState,
  event: EventFacts,
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
  return fresh && at - issue.changedAtMs >= freshMs
    ? { state: unresolvedState('ongoing', at), kind: 'ongoing' }
    : null;
}

/** The state a person asks for. Opened by hand an issue is `ongoing`: somebody has seen it. */
export function requestedState(change: IssueChange, issue: IssueFacts): IssueState {
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

function ignoreEndOf(change: IssueChange & { status: 'ignored' }, issue: IssueFacts): IgnoreEnd {
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

/** A missing release, or one without order, counts as later only for an issue that was resolved `now`. */
function isRegression(resolution: Resolution | null, release: string | null, order: ReleaseOrder): boolean {
  if (resolution === null || resolution.in === 'now') return true;
  if (release === null) return false;
  if (resolution.in === 'next_release') return order(release, resolution.after) === 'later';
  const place = order(release, resolution.release);
  return place === 'same' || place === 'later';
}

function ignoreHasEnded(ignore: IgnoreEnd | null, event: EventFacts): boolean {
  switch (ignore?.until) {
    case 'date':
      return event.receivedAtMs >= ignore.atMs;
    case 'count': {
      const since = event.eventsCount - ignore.eventsBefore;
      return (ignore.windowMs === null ? since : event.eventsInWindow) >= ignore.count;
    }
    case 'users':
      // At the cap users can no longer be told apart: better to speak up than to sleep for ever.
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
