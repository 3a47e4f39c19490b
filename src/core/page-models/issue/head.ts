import type { IssueTagView } from '../../../../schemas/issues.ts';
import type { Deps } from '../../deps.ts';
import { viewGrouping } from '../../grouping/group-event.ts';
import { listAssignees, viewAssignees } from '../../issues/assignees.ts';
import { viewTriage } from '../../issues/owners.ts';
import { newIssueUrl } from '../../issues/tracker-links.ts';
import { viewActivity, viewIssue, viewMerge } from '../../issues/views.ts';
import { dayMs, getLastSlots, slotEventCountMax } from '../../parsing/durations.ts';
import { sum } from '../../parsing/format/numbers.ts';
import { formatDate, formatTime } from '../../parsing/timestamps.ts';
import { storedCountMax } from '../../store/issue-queries.ts';
import type { Activity, Issue } from '../../store/issues.ts';
import { viewLinkedIncidents } from '../linked-incidents.ts';
import type { RequestContext } from '../request-context.ts';
import { findIssueOfPath } from './find-issue.ts';
import { findSimilarIssues } from './similar.ts';

const daysShown = 30;
const releasesShown = 8;

export type IssueHeadModel = Awaited<ReturnType<typeof issueHeadModel>>['head'];

const stateKinds = [
  'first_seen',
  'regressed',
  'ongoing',
  'ignore_ended',
  'resolved',
  'ignored',
  'unresolved',
] as const satisfies readonly Activity['kind'][];

export async function issueHeadModel(context: RequestContext) {
  const found = await findIssueOfPath(context);
  const { issue, project, askedId } = found;
  const { store } = context.deps;
  const isYou = (id: number) => id === context.currentUser.memberId;
  const last = (kinds: readonly Activity['kind'][]) => store.lastActivity(project.id, issue.id, kinds);
  // Parallel where possible, because each query to a remote database costs a round trip.
  const [stateBy, resolvedBy, stored, reports, days, slots, tags] = await Promise.all([
    last(stateKinds),
    issue.state.substatus === 'regressed' ? last(['resolved']) : null,
    store.storedEvents(project.id, issue.id),
    store.issueReports(project.id, issue.id),
    daysOf(context, issue),
    viewEventSlots(context, issue),
    viewIssueTags(context.deps, issue),
  ]);
  const [releases, merges, assignee, releaseNumbers, historyEntries, similar, assignable, incidents, triage] =
    await Promise.all([
      releasesOf(context, issue),
      store.listMerges(project.id, issue.id),
      assigneeOf(context, issue),
      releaseIds(context, issue, [stateBy, resolvedBy]),
      store.countIssueHistory(project.id, issue.id),
      findSimilarIssues(context, issue),
      listAssignees(context.deps, [project.id], context.nowMs),
      viewLinkedIncidents(context, 'issue', [issue.id, askedId]),
      viewTriage(context.deps, issue),
    ]);
  const head = {
    issue: {
      ...viewIssue(issue),
      project: { project_id: project.id, name: project.name },
      state_changed: formatTime(issue.state.changedAtMs),
      assigned_to: assignee,
      grouping: { ...viewGrouping(issue.grouping), hash: issue.grouping.hash },
    },
    asked_id: askedId,
    /** What led to the current state, and who had resolved it before; null if unknown. */
    state_by: stateBy === null ? null : viewActivity(stateBy),
    resolved_by: resolvedBy === null ? null : viewActivity(resolvedBy),
    stored: {
      events: stored.count,
      capped: stored.count >= storedCountMax,
      newest_event_id: stored.newestEventId,
      oldest_event_id: stored.oldestEventId,
    },
    reports: { count: reports.count, newest: formatTime(reports.newestAtMs) },
    days,
    /** The last day in five-minute slots, fewer if there are many events. Absent unless the URL asks for it. */
    ...(slots === null ? {} : { slots }),
    releases,
    release_ids: releaseNumbers,
    merges: merges.map(viewMerge),
    tag_count: tags.length,
    history_entries: historyEntries,
    similar,
    // Those with access to the project.
    members: assignable.members.map(({ id, name }) => ({ member_id: id, name, is_you: isYou(id) })),
    teams: assignable.teams.map(({ id, name }) => ({ team_id: id, name: `#${name}` })),
    ...incidents,
    suspect_commit: triage.suspectCommit,
    links: triage.links,
    suggested: triage.suggested,
    /** A filled-in form at the project's repository; null without one. */
    new_link_url: newIssueUrl(triage.settings.repositoryUrl, issue, `${context.pagesUrl}/issues/${issue.id}`),
  };
  return { head, found, tags };
}

async function assigneeOf({ deps, nowMs }: RequestContext, issue: Issue) {
  const assignee = (await viewAssignees(deps, [issue], nowMs)).get(issue.id) ?? null;
  if (assignee === null) return null;
  const activity = await deps.store.lastActivity(issue.projectId, issue.id, ['assigned']);
  return { ...assignee, by: activity?.actor ?? null, at: formatTime(activity?.atMs ?? null) };
}

/** Events per day in UTC, the current day last. */
async function daysOf({ deps, nowMs }: RequestContext, issue: Issue) {
  const toMs = nowMs - (nowMs % dayMs) + dayMs;
  const fromMs = toMs - daysShown * dayMs;
  const hours = await deps.store.listIssueHours(issue.projectId, [issue.id], fromMs, toMs);
  const sums = new Array<number>(daysShown).fill(0);
  for (const { atMs, events } of hours) {
    const at = Math.floor((atMs - fromMs) / dayMs);
    sums[at] = (sums[at] ?? 0) + events;
  }
  return sums.map((events, at) => ({ day: formatDate(fromMs + at * dayMs), events }));
}

async function releasesOf({ deps, nowMs }: RequestContext, issue: Issue) {
  const window = { limit: 50, offset: 0, orderBy: 'date_created', descending: true } as const;
  const { rows } = await deps.store.listReleases(issue.projectId, window);
  const fromMs = nowMs - daysShown * dayMs;
  return rows
    .map(({ version, dateReleasedMs, createdAtMs }) => ({ version, atMs: dateReleasedMs ?? createdAtMs }))
    .filter(({ atMs }) => atMs >= fromMs && atMs <= nowMs)
    .slice(0, releasesShown)
    .map(({ version, atMs }) => ({ version, at: formatTime(atMs) }))
    .reverse();
}

async function releaseIds(
  { deps }: RequestContext,
  { projectId, firstRelease, lastRelease, state }: Issue,
  activities: ReadonlyArray<Activity | null>,
): Promise<Record<string, number>> {
  const { resolution } = state;
  const resolvedIn = resolution?.in === 'release' ? resolution.release : null;
  const named = [
    firstRelease,
    lastRelease,
    resolvedIn,
    ...activities.map((activity) => activity?.release ?? null),
  ];
  const ids: [string, number][] = [];
  for (const version of new Set(named.filter((each) => each !== null))) {
    const release = await deps.store.findReleaseByVersion(projectId, version);
    if (release !== null) ids.push([version, release.id]);
  }
  return Object.fromEntries(ids);
}

export const spanOfDay = 'day';

/** The last day in the five-minute slots of alert rules, the current one last; null unless the URL asks. */
export async function viewEventSlots(
  { deps, nowMs, query }: RequestContext,
  { projectId, id: issueId }: Issue,
) {
  if (query.get('span') !== spanOfDay) return null;
  const { fromMs, toMs } = getLastSlots(nowMs, dayMs);
  const slots = await deps.store.listSeenSlots({ projectId, issueId, fromMs }, toMs, slotEventCountMax);
  return slots.map(({ atMs, events }) => ({ at: formatTime(atMs), events }));
}

export type TagView = IssueTagView;

/** Includes merged issues; most frequent first. */
export async function viewIssueTags(
  { store }: Pick<Deps, 'store'>,
  { projectId, id }: Pick<Issue, 'projectId' | 'id'>,
): Promise<TagView[]> {
  const values = await store.listIssueTags(projectId, id);
  return [...Map.groupBy(values, ({ tag }) => tag)]
    .map(([tag, rows]) => ({
      tag,
      events: sum(rows.map(({ events }) => events)),
      values: rows.map(({ value, events, firstSeenMs, lastSeenMs }) => ({
        value,
        events,
        first_seen: formatTime(firstSeenMs),
        last_seen: formatTime(lastSeenMs),
      })),
    }))
    .sort((one, other) => other.events - one.events || (one.tag < other.tag ? -1 : 1));
}

export type IssueTagsModel = Awaited<ReturnType<typeof issueTagsModel>>;

export async function issueTagsModel(context: RequestContext) {
  const { head, tags } = await issueHeadModel(context);
  return { ...head, tab: 'tags', tags };
}
