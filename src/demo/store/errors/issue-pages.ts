// What the page of one issue reads: its events, its history, what visitors wrote of it.

import { hourMs } from '../../../core/reading/spans.ts';
import type {
  EventWay,
  HistoryEntry,
  HistoryPlace,
  IssuePageStore,
} from '../../../core/store/issue-pages.ts';
import type { IssueFilter, IssueStore } from '../../../core/store/issues.ts';
import { mergesInto } from '../../world/errors/acts.ts';
import type { WorldIssue } from '../../world/errors/issues.ts';
import type { StoredPlace } from '../../world/errors/stored.ts';
import type { ErrorsWorld } from '../../world/errors/world.ts';
import { holding } from '../finding.ts';
import { preparedOf, summaryOf } from './events.ts';
import { fitting } from './fitting.ts';

/** What this file answers. */
export type IssuePageReads = Pick<
  IssuePageStore,
  | 'findIssueAnywhere'
  | 'storedEvents'
  | 'walkIssueEvents'
  | 'issueReports'
  | 'eventsOfUser'
  | 'listIssueHistory'
  | 'countIssueHistory'
  | 'lastActivity'
  | 'findComment'
>;
/** What this file answers. */
export type IssueReads = Pick<
  IssueStore,
  | 'listIssues'
  | 'issuesOf'
  | 'findIssue'
  | 'listIssueEvents'
  | 'listIssueActivity'
  | 'listIssueHours'
  | 'listMerges'
>;

/** The reads of one issue. */
export function issuePageReads(world: ErrorsWorld): IssuePageReads {
  const find = (projectId: number, issueId: number) => issueIn(world, projectId, issueId);
  return {
    findIssueAnywhere: async (issueId) => world.issueById(issueId)?.issue ?? null,
    async storedEvents(projectId, issueId) {
      const events = find(projectId, issueId) === null ? [] : world.storedOf(issueId);
      return {
        newestEventId: events.at(-1)?.eventId ?? null,
        oldestEventId: events.at(0)?.eventId ?? null,
        count: events.length,
      };
    },
    async walkIssueEvents(projectId, issueId, way, limit) {
      const events = find(projectId, issueId) === null ? [] : world.storedOf(issueId);
      return walked(events, way, limit).map((place) => summaryOf(place));
    },
    async issueReports(projectId, issueId) {
      const about = world.reports.filter(
        ({ feedback }) => feedback.projectId === projectId && feedback.issueId === issueId && !feedback.spam,
      );
      return { count: about.length, newestAtMs: about[0]?.feedback.createdAtMs ?? null };
    },
    async eventsOfUser(projectId, issueId, eventId, among) {
      const asked = world.storedById(eventId);
      if (asked === null || find(projectId, issueId) === null) return null;
      const { userHash } = preparedOf(asked);
      if (userHash === null) return null;
      const newest = world.storedOf(issueId).slice(-among);
      return newest.filter((place) => preparedOf(place).userHash === userHash).length;
    },
    async listIssueHistory(projectId, issueId, { limit, before }) {
      const found = find(projectId, issueId);
      if (found === null) return [];
      return historyOf(found)
        .filter((entry) => before === null || isBehind(entry, before))
        .slice(0, limit);
    },
    async countIssueHistory(projectId, issueId) {
      const found = find(projectId, issueId);
      return found === null ? 0 : historyOf(found).length;
    },
    async lastActivity(projectId, issueId, kinds) {
      return find(projectId, issueId)?.acts.findLast(({ kind }) => kinds.includes(kind)) ?? null;
    },
    async findComment(projectId, issueId, commentId) {
      const group = find(projectId, issueId)?.group ?? [];
      return group.flatMap(({ comments }) => comments).find(({ id }) => id === commentId) ?? null;
    },
  };
}

function issueIn(world: ErrorsWorld, projectId: number, issueId: number): WorldIssue | null {
  const found = world.issueById(issueId);
  return found?.projectId === projectId ? found : null;
}

function walked(events: readonly StoredPlace[], way: EventWay, limit: number): StoredPlace[] {
  const newest = events.toReversed();
  if (way.than === null) return newest.slice(0, limit);
  const { eventId, receivedAtMs } = way.than;
  const row = events.find((place) => place.eventId === eventId)?.row ?? 0;
  const orderOf = (place: StoredPlace): number => place.atMs - receivedAtMs || place.row - row;
  if (way.way === 'older') return newest.filter((place) => orderOf(place) < 0).slice(0, limit);
  return newest.filter((place) => orderOf(place) > 0).slice(-limit);
}

/** What happened and what was written, the newest first; of one moment comments stand above acts. */
function historyOf({ acts, group }: WorldIssue): HistoryEntry[] {
  const entries: HistoryEntry[] = [
    ...group.flatMap(({ comments }) =>
      comments.map((comment) => ({ kind: 'comment' as const, atMs: comment.atMs, comment })),
    ),
    ...acts.map((act) => ({ kind: 'act' as const, atMs: act.atMs, act })),
  ];
  return entries.sort((one, other) => placeOrder(placeOf(other), placeOf(one)));
}

function placeOf(entry: HistoryEntry): HistoryPlace {
  const { id } = entry.kind === 'act' ? entry.act : entry.comment;
  return { atMs: entry.atMs, kind: entry.kind, id };
}

function isBehind(entry: HistoryEntry, place: HistoryPlace): boolean {
  return placeOrder(placeOf(entry), place) < 0;
}

function placeOrder(one: HistoryPlace, other: HistoryPlace): number {
  if (one.atMs !== other.atMs) return one.atMs - other.atMs;
  if (one.kind !== other.kind) return one.kind === 'comment' ? 1 : -1;
  return one.id - other.id;
}

/** The reads of issues of one project. */
export function issueReads(world: ErrorsWorld): IssueReads {
  const find = (projectId: number, issueId: number) => issueIn(world, projectId, issueId);
  return {
    async listIssues(projectId, filter) {
      const found = issuesFitting(world, projectId, filter);
      const rows = found.slice(filter.offset, filter.offset + filter.limit).map(({ issue }) => issue);
      return { rows, total: found.length };
    },
    issuesOf: async (projectId, ids) => ids.flatMap((id) => find(projectId, id)?.issue ?? []),
    findIssue: async (projectId, issueId) => find(projectId, issueId)?.issue ?? null,
    async listIssueEvents(projectId, issueId, filter) {
      if (find(projectId, issueId) === null) return null;
      const found = world
        .storedOf(issueId)
        .map((place) => summaryOf(place))
        .filter(
          (event) =>
            holding([event.title, event.culprit], filter.search) &&
            (filter.release === undefined || event.release === filter.release) &&
            (filter.environment === undefined || event.environment === filter.environment),
        );
      const ordered = filter.descending ? found.toReversed() : found;
      return { rows: ordered.slice(filter.offset, filter.offset + filter.limit), total: found.length };
    },
    async listIssueActivity(projectId, issueId, { limit, offset }) {
      const acts = find(projectId, issueId)?.acts.toReversed() ?? [];
      return { rows: acts.slice(offset, offset + limit), total: acts.length };
    },
    async listIssueHours(projectId, issueIds, fromMs, toMs) {
      const heads = issueIds.slice(0, hourIssuesMax).flatMap((id) => find(projectId, id) ?? []);
      return heads
        .flatMap(({ group, issue }) => hoursOf(group, issue.id, fromMs, toMs))
        .sort((one, other) => one.atMs - other.atMs || one.issueId - other.issueId);
    },
    async listMerges(projectId, issueId) {
      const found = find(projectId, issueId);
      if (found === null) return [];
      const parts = found.group.slice(1).map(({ plan }) => plan);
      return mergesInto(parts)
        .map((merge) => ({ ...merge, undoneAtMs: null }))
        .sort((one, other) => other.atMs - one.atMs);
    },
  };
}

const hourIssuesMax = 100;

function hoursOf(group: WorldIssue['group'], issueId: number, fromMs: number, toMs: number) {
  const sums = new Map<number, number>();
  for (const { series } of group) {
    const first = Math.max(0, Math.ceil((fromMs - series.fromMs) / hourMs));
    const end = Math.min(series.counts.length, Math.ceil((toMs - series.fromMs) / hourMs));
    for (let hour = first; hour < end; hour += 1) {
      const atMs = series.fromMs + hour * hourMs;
      const events = series.counts[hour] ?? 0;
      if (events > 0) sums.set(atMs, events + (sums.get(atMs) ?? 0));
    }
  }
  return [...sums].map(([atMs, events]) => ({ issueId, atMs, events }));
}

function issuesFitting(world: ErrorsWorld, projectId: number, filter: IssueFilter): WorldIssue[] {
  const { release, environment, status, substatus, level, platform, firstRelease } = filter;
  const seen = fitting(world, { projectIds: [projectId], fromMs: 0, toMs: null, release, environment });
  const found = seen.filter(
    ({ issue }) =>
      holding([issue.title, issue.culprit], filter.search) &&
      (status === undefined || issue.state.status === status) &&
      (substatus === undefined || issue.state.substatus === substatus) &&
      (level === undefined || issue.level === level) &&
      (platform === undefined || issue.platform === platform) &&
      (firstRelease === undefined || issue.firstRelease === firstRelease),
  );
  const sortedBy = ({ issue }: WorldIssue): number =>
    ({
      last_seen: issue.lastSeenMs,
      first_seen: issue.firstSeenMs,
      events: issue.eventsCount,
      users: issue.usersCount,
      id: issue.id,
    })[filter.orderBy];
  const turn = filter.descending ? -1 : 1;
  return found.sort(
    (one, other) => turn * (sortedBy(one) - sortedBy(other) || one.issue.id - other.issue.id),
  );
}
