import type { NormalizedEvent } from '../../../schemas/event.ts';
import type { IssueUserView, UserView } from '../../../schemas/users.ts';
import type { Deps } from '../deps.ts';
import { listTags } from '../events/search-text.ts';
import { viewEventSummary } from '../events/views.ts';
import { viewFeedback } from '../feedback/views.ts';
import { viewIssue } from '../issues/views.ts';
import { dayMs } from '../parsing/durations.ts';
import { formatTime } from '../parsing/timestamps.ts';
import { createYielder } from '../parsing/yield-to-event-loop.ts';
import type { Issue } from '../store/issues.ts';
import type { OffsetWindow, Page } from '../store/pagination.ts';
import { type UserEvent, type UserIssue, userEventsMax } from '../store/users.ts';
import type { FoundUser } from './find.ts';
import { identityOfEvents } from './identity.ts';

const issuesShown = 100;
const eventsShown = 20;
const feedbackShown = 20;
/** Newest events whose browsers, systems and releases are counted. */
const seenWithEvents = 100;
const seenWithValues = 5;
/** Each can have 1 MiB. */
const payloadsOfSlice = 10;
export const daysShown = 30;

export type { IssueUserView, UserView } from '../../../schemas/users.ts';
export type UserDetailsView = ReturnType<typeof viewUserDetails>;

export function viewUser({ identity, parts }: FoundUser): UserView {
  const events = parts.reduce((sum, { summary }) => sum + summary.events, 0);
  const times = (which: 'firstSeenMs' | 'lastSeenMs'): number[] =>
    parts.flatMap(({ summary }) => summary[which] ?? []);
  const [first, last] = [times('firstSeenMs'), times('lastSeenMs')];
  return {
    user_hash: parts[0]?.ref.userHash ?? '',
    ...identity,
    events,
    events_capped: parts.some(({ summary }) => summary.events >= userEventsMax),
    first_seen: first.length === 0 ? null : formatTime(Math.min(...first)),
    last_seen: last.length === 0 ? null : formatTime(Math.max(...last)),
  };
}

export type UserRecords = Awaited<ReturnType<typeof readUserRecords>>;

/** `days` are UTC, the current one last. */
export async function readUserRecords({ store, now }: Pick<Deps, 'store' | 'now'>, user: FoundUser) {
  const firstDay = Math.floor(now() / dayMs) - daysShown + 1;
  const emails = user.identity.email === null ? [] : [user.identity.email.toLowerCase()];
  const perProject = await Promise.all(
    user.parts.map(async ({ ref }) => {
      const [listed, events, days, feedback] = await Promise.all([
        store.listUserIssues(ref),
        store.listUserEvents(ref, { before: null, limit: seenWithEvents }),
        store.countUserDays(ref, firstDay * dayMs),
        store.listUserFeedback(ref, emails, feedbackShown),
      ]);
      const known = await store.issuesOf(
        ref.projectId,
        listed.map(({ issueId }) => issueId),
      );
      const seenOf = new Map(listed.map((seen) => [seen.issueId, seen]));
      const issues = known.flatMap((issue) => {
        const seen = seenOf.get(issue.id);
        return seen === undefined ? [] : [{ issue, seen }];
      });
      return { issues, events, days, feedback };
    }),
  );
  const seenAtMs = ({ seen, issue }: { issue: Issue; seen: UserIssue }) =>
    seen.lastSeenMs ?? issue.firstSeenMs / 1e6;
  return {
    user,
    issues: perProject.flatMap(({ issues }) => issues).sort((one, other) => seenAtMs(other) - seenAtMs(one)),
    events: perProject
      .flatMap(({ events }) => events)
      .sort((one, other) => other.receivedAtMs - one.receivedAtMs || other.row - one.row),
    feedback: perProject
      .flatMap(({ feedback }) => feedback)
      .sort((one, other) => other.createdAtMs - one.createdAtMs)
      .slice(0, feedbackShown),
    days: Array.from({ length: daysShown }, (_day, at) => ({
      fromMs: (firstDay + at) * dayMs,
      events: perProject.reduce((sum, { days }) => sum + (days.get(firstDay + at) ?? 0), 0),
    })),
  };
}

export function viewUserDetails({ user, issues, events, feedback, days }: UserRecords) {
  return {
    ...viewUser(user),
    issues: issues.slice(0, issuesShown).map(({ issue, seen }) => ({
      ...viewIssue(issue),
      user_events: seen.events,
      user_last_seen: seen.lastSeenMs === null ? null : formatTime(seen.lastSeenMs),
    })),
    issues_total: issues.length,
    latest_events: events.slice(0, eventsShown).map(viewEventSummary),
    feedback: feedback.map(viewFeedback),
    days: days.map(({ fromMs, events: count }) => ({ from: formatTime(fromMs), events: count })),
    seen_with: countSeenWith(events),
  };
}

/** The users of the newest events of an issue, those seen last first. At most 100 a page: a payload of each is read. */
export async function listIssueUsers(
  { store }: Pick<Deps, 'store'>,
  { projectId, id }: Pick<Issue, 'projectId' | 'id'>,
  window: OffsetWindow,
): Promise<Page<IssueUserView>> {
  const { rows, total } = await store.listIssueUsers(projectId, id, window);
  const views: IssueUserView[] = [];
  const yieldToEventLoop = createYielder();
  for (let at = 0; at < rows.length; at += payloadsOfSlice) {
    const slice = rows.slice(at, at + payloadsOfSlice);
    const payloads = await store.readPayloads(
      projectId,
      slice.map(({ row }) => row),
    );
    for (const { userHash, events, lastSeenMs, row } of slice) {
      await yieldToEventLoop();
      const identity = identityOfEvents([{ payload: payloads.get(row) ?? null }]);
      views.push({ user_hash: userHash, ...identity, events, last_seen: formatTime(lastSeenMs) });
    }
  }
  return { rows: views, total };
}

/** Of the newest 100 events, the most frequent first. */
function countSeenWith(events: readonly UserEvent[]) {
  const newest = events.slice(0, seenWithEvents);
  const tags = newest.map(({ payload }) => new Map(payload === null ? [] : tagsOf(payload)));
  const counted = (values: ReadonlyArray<string | null | undefined>) => {
    const counts = new Map<string, number>();
    for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts]
      .sort(([, one], [, other]) => other - one)
      .slice(0, seenWithValues)
      .map(([value, times]) => ({ value, events: times }));
  };
  return {
    of_events: newest.length,
    browser: counted(tags.map((of) => of.get('browser'))),
    os: counted(tags.map((of) => of.get('os'))),
    release: counted(newest.map(({ release }) => release)),
    environment: counted(newest.map(({ environment }) => environment)),
  };
}

export function tagsOf(payload: string): Array<readonly [string, string]> {
  return listTags(JSON.parse(payload) as NormalizedEvent);
}
