import type { CommentView, IgnoreView, IssueView } from '../../../schemas/issues.ts';
import type { Deps } from '../deps.ts';
import { viewGrouping } from '../grouping/group-event.ts';
import { getLastHours } from '../parsing/durations.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { Comment } from '../store/issue-queries.ts';
import type { Activity, IgnoreCondition, Issue, IssueMerge } from '../store/issues.ts';
import { viewAssignees } from './assignees.ts';
import { viewTriage } from './owners.ts';
import { getIssueAfterMerge } from './resolve-merged.ts';
import { issueUsersMax } from './state-transitions.ts';

const hoursShown = 24;
const activityShownMax = 100;

export type { IgnoreView, IssueView } from '../../../schemas/issues.ts';
export type IssueDetailsView = Awaited<ReturnType<typeof viewIssueDetails>>;

export function viewIssue(issue: Issue): IssueView {
  const { state } = issue;
  return {
    issue_id: issue.id,
    title: issue.title,
    culprit: issue.culprit,
    level: issue.level,
    platform: issue.platform,
    status: state.status,
    substatus: state.substatus,
    resolution: state.resolution,
    ignore: state.ignore === null ? null : viewIgnore(state.ignore),
    events: issue.eventsCount,
    users: issue.usersCount,
    users_capped: issue.usersCount >= issueUsersMax,
    regressions: issue.regressionsCount,
    first_seen: formatTime(issue.firstSeenMs),
    last_seen: formatTime(issue.lastSeenMs),
    first_release: issue.firstRelease,
    last_release: issue.lastRelease,
    merged_into: issue.mergedInto,
    overflow: issue.isOverflow,
  };
}

export async function viewIssues(deps: Pick<Deps, 'store' | 'now'>, issues: readonly Issue[]) {
  const assignees = await viewAssignees(deps, issues, deps.now());
  return issues.map((issue) => ({ ...viewIssue(issue), assigned_to: assignees.get(issue.id) ?? null }));
}

/** In the same terms as the request (`date`, `count` with `window` in seconds, `users`). */
function viewIgnore(ignore: IgnoreCondition): IgnoreView {
  switch (ignore.until) {
    case 'date':
      return { until: ignore.until, date: formatTime(ignore.atMs) };
    case 'count': {
      const { until, count, windowMs, eventsBefore } = ignore;
      return {
        until,
        count,
        window: windowMs === null ? null : windowMs / 1000,
        events_before: eventsBefore,
      };
    }
    case 'users':
      return { until: ignore.until, users: ignore.users, users_before: ignore.usersBefore };
    default:
      return { until: ignore.until };
  }
}

/** With 24 hours, 100 activities and merges. `merged_into` is set if another id was asked for. Throws 404. */
export async function viewIssueDetails(
  deps: Pick<Deps, 'store' | 'now'>,
  projectId: number,
  askedId: number,
) {
  const { store } = deps;
  const issue = await getIssueAfterMerge(store, projectId, askedId);
  const issueId = issue.id;
  const { fromMs, toMs } = getLastHours(deps.now(), hoursShown);
  const hours = await store.listIssueHours(projectId, [issueId], fromMs, toMs);
  const activity = await store.listIssueActivity(projectId, issueId, { limit: activityShownMax, offset: 0 });
  const merges = await store.listMerges(projectId, issueId);
  const assignees = await viewAssignees(deps, [issue], deps.now());
  const { suspectCommit, links } = await viewTriage(deps, issue);
  return {
    ...viewIssue(issue),
    merged_into: issueId === askedId ? null : issueId,
    assigned_to: assignees.get(issueId) ?? null,
    suspect_commit: suspectCommit,
    links,
    grouping: viewGrouping(issue.grouping),
    hours: hours.map((hour) => ({ hour: formatTime(hour.atMs), events: hour.events })),
    activity: activity.rows.map(viewActivity),
    merges: merges.map(viewMerge),
  };
}

export function viewActivity(activity: Activity) {
  return {
    kind: activity.kind,
    actor: activity.actor,
    at: formatTime(activity.atMs),
    from: activity.from,
    to: activity.to,
    event_id: activity.eventId,
    release: activity.release,
    detail:
      activity.kind === 'ignored'
        ? viewIgnore(activity.detail as unknown as IgnoreCondition)
        : activity.detail,
  };
}

export function viewComment(comment: Comment): CommentView {
  return {
    comment_id: comment.id,
    issue_id: comment.issueId,
    author: comment.author,
    at: formatTime(comment.atMs),
    text: comment.body,
  };
}

export function viewMerge(merge: IssueMerge) {
  return {
    merge_id: merge.id,
    issue_ids: merge.issueIds,
    actor: merge.actor,
    at: formatTime(merge.atMs),
    undone_at: formatTime(merge.undoneAtMs),
  };
}
