import { viewEventSummary } from '../../events/views.ts';
import { parseEventId } from '../../ids.ts';
import { readSearch } from '../../search/search.ts';
import type { EventSummary } from '../../store/events.ts';
import { type EventCursor, type EventDirection, storedCountMax } from '../../store/issue-queries.ts';
import { listIssueUsers } from '../../users/views.ts';
import { pageNumberParam } from '../list-params.ts';
import { maskIdentity } from '../mask-user.ts';
import type { RequestContext } from '../request-context.ts';
import type { FoundIssue } from './find-issue.ts';
import { type IssueHeadModel, issueHeadModel } from './head.ts';
import { historyModel } from './history.ts';
import { comparedIssuesMax } from './similar.ts';

const eventsShown = 50;
const usersShown = 25;

export type IssueEventsModel = Awaited<ReturnType<typeof issueEventsModel>>;

export type IssueHistoryModel = Awaited<ReturnType<typeof issueHistoryModel>>;

export type IssueUsersModel = Awaited<ReturnType<typeof issueUsersModel>>;

export type IssueSimilarModel = Awaited<ReturnType<typeof issueSimilarModel>>;

/** Newest first. */
export async function issueEventsModel(context: RequestContext) {
  const { head, found } = await issueHeadModel(context);
  const q = (context.query.get('q') ?? '').trim();
  if (q !== '') return { ...head, tab: 'events', q, ...(await findEvents(context, found, q)) };
  const direction = directionOf(context.query);
  const { project, issue } = found;
  const rows = await context.deps.store.walkIssueEvents(project.id, issue.id, direction, eventsShown + 1);
  const hasMore = rows.length > eventsShown;
  const isOlder = direction.way === 'older';
  const events = isOlder ? rows.slice(0, eventsShown) : rows.slice(-eventsShown);
  const [first, last] = [events.at(0), events.at(-1)];
  const olderLies = isOlder ? hasMore : true;
  const newerLies = isOlder ? direction.than !== null : hasMore;
  return {
    ...head,
    tab: 'events',
    ...{ q, mistakes: [] as string[], matching: null },
    events: events.map(viewEventSummary),
    /** Cursors; null at the ends. */
    older: last !== undefined && olderLies ? formatCursor(last) : null,
    newer: first !== undefined && newerLies ? formatCursor(first) : null,
  };
}

/** The newest that match; the API lists them all. */
async function findEvents({ deps, currentUser }: RequestContext, { project, issue }: FoundIssue, q: string) {
  const scope = { projectIds: [project.id], of: 'events', memberId: currentUser.memberId } as const;
  const { resolved: terms, mistakes } = await readSearch(deps, q, scope);
  const window = { limit: eventsShown, offset: 0, descending: true };
  const page = await deps.store.listIssueEvents(project.id, issue.id, { ...window, terms });
  return {
    mistakes: mistakes.map(({ message }) => message),
    matching: page?.total ?? 0,
    events: (page?.rows ?? []).map(viewEventSummary),
    ...{ older: null, newer: null },
  };
}

export async function issueUsersModel(context: RequestContext) {
  const { head, found } = await issueHeadModel(context);
  const page = pageNumberParam(context);
  const offset = Math.min((page - 1) * usersShown, storedCountMax);
  const window = { limit: usersShown, offset };
  const { rows, total } = await listIssueUsers(context.deps, found.issue, window);
  return {
    ...head,
    tab: 'users',
    /** Masked, as on the page of a user; those seen last first. */
    users: rows.map(maskIdentity),
    users_total: total,
    /** Numbers of pages; null at the ends. */
    newer: page > 1 ? page - 1 : null,
    older: offset + usersShown < total ? page + 1 : null,
  };
}

export async function issueHistoryModel(context: RequestContext) {
  const { head, found } = await issueHeadModel(context);
  return { ...head, tab: 'activity', history: await historyModel(context, found) };
}

export async function issueSimilarModel(context: RequestContext) {
  const { head } = await issueHeadModel(context);
  return { ...head, tab: 'similar', compared: comparedIssuesMax };
}

export async function issueConfirmationModel(context: RequestContext): Promise<IssueHeadModel> {
  return (await issueHeadModel(context)).head;
}

function directionOf(query: URLSearchParams): EventDirection {
  const after = parseCursor(query.get('after'));
  return after === null
    ? { way: 'older', than: parseCursor(query.get('before')) }
    : { way: 'newer', than: after };
}

function formatCursor({ receivedAtMs, eventId }: EventSummary): string {
  return `${receivedAtMs}.${eventId}`;
}

function parseCursor(text: string | null): EventCursor | null {
  const match = /^(\d{1,15})\.([0-9a-f]{32})$/.exec(text ?? '');
  const eventId = parseEventId(match?.[2] ?? '');
  return match === null || eventId === null ? null : { receivedAtMs: Number(match[1]), eventId };
}
