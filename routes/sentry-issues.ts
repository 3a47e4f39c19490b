// Issues and events for sentry-cli, below `/api/0/projects/` (docs/releases.md, "Sentry's tools").
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { NormalizedEvent } from '../schemas/event.ts';
import type { IssueBulkRequest } from '../schemas/issues.ts';
import { type SentryEvent, type SentryIssue, sentryIssueChange } from '../schemas/sentry-api.ts';
import { keySource } from '../src/core/audit/audit.ts';
import { getPagesUrl } from '../src/core/config/public-urls.ts';
import type { Deps } from '../src/core/deps.ts';
import { createInvalidParamError, RestError } from '../src/core/errors.ts';
import { listTags } from '../src/core/events/search-text.ts';
import { changeIssuesOfProject } from '../src/core/issues/bulk-requests.ts';
import { formatTime } from '../src/core/parsing/timestamps.ts';
import { createYielder } from '../src/core/parsing/yield-to-event-loop.ts';
import { scrubQueryParameter } from '../src/core/scrub/record.ts';
import { requireSearch } from '../src/core/search/search.ts';
import type { Issue } from '../src/core/store/issues.ts';
import type { LiveEvent } from '../src/core/store/page-queries.ts';
import type { Project } from '../src/core/store/projects.ts';
import { parseValue } from '../src/http/api/parse-parameters.ts';
import type { SentryCaller, SentryHandler } from '../src/http/sentry-cli/middleware.ts';

const issuesNamedMax = 1_000;
/** Each can have 1 MiB. */
const payloadsOfSlice = 10;

/** As in Sentry, no `query` at all means the unresolved ones, an empty one all. */
export const getSentryIssues: SentryHandler = async (deps, request, caller, response) => {
  const project = requireNamedProject(request, caller);
  const query = queryOf(request).get('query') ?? 'is:unresolved';
  const terms = await requireSearch(deps, query, scopeOf(project));
  const offset = readCursor(request) ?? 0;
  const window = { orderBy: 'last_seen', descending: true, limit: pageRows, offset } as const;
  const { rows, total } = await deps.store.listIssues(project.id, { terms, ...window });
  setNextPage(request, response, offset + pageRows < total ? offset + pageRows : null);
  const pagesUrl = getPagesUrl(deps.config);
  return rows.map((issue) => viewSentryIssue(project, issue, pagesUrl));
};

/** The issues with the given ids, else those that fit `status` and `query`: at most 1,000, those seen last. */
export const putSentryIssues: SentryHandler = async (deps, request, caller) => {
  const project = requireNamedProject(request, caller);
  const change = toChange(deps, parseValue(sentryIssueChange, request.body));
  const selected = await selectIssues(deps, project, queryOf(request));
  const terms = await requireSearch(deps, selected.query, scopeOf(project));
  await changeIssuesOfProject(deps, project, { ...selected, ...change }, terms, keySource(caller), null);
  return { status: change.status, statusDetails: {} };
};

/** Newest first; the cursor is a row, so that events that arrive meanwhile move no page. */
export const getSentryEvents: SentryHandler = async (deps, request, caller, response) => {
  const { id } = requireNamedProject(request, caller);
  const found = await deps.store.listProjectEvents(id, readCursor(request), pageRows + 1);
  setNextPage(request, response, found[pageRows]?.row ?? null);
  const events = found.slice(0, pageRows);
  const views: SentryEvent[] = [];
  const yieldToEventLoop = createYielder();
  for (let at = 0; at < events.length; at += payloadsOfSlice) {
    const slice = events.slice(at, at + payloadsOfSlice);
    const rows = slice.map(({ row }) => row);
    const payloads = await deps.store.readPayloads(id, rows);
    for (const event of slice) {
      await yieldToEventLoop();
      views.push(viewSentryEvent(event, payloads.get(event.row)));
    }
  }
  return views;
};

/** The key decides the project, and here a change must not reach another one than the one that was named. */
function requireNamedProject({ params }: Request, { project }: SentryCaller): Project {
  const { project: named } = params;
  if (named === project.name || named === String(project.id)) return project;
  throw new RestError(
    'notifier_project_invalid_id',
    `This key is of the project ${project.name}. Name that one, or use a key of the other.`,
    404,
  );
}

function toChange(
  { now }: Deps,
  { status, ignoreDuration, snoozeDuration }: z.infer<typeof sentryIssueChange>,
): Pick<IssueBulkRequest, 'status' | 'in' | 'until' | 'date'> {
  const minutes = ignoreDuration ?? snoozeDuration ?? null;
  const forever = { in: 'now', until: 'forever' } as const;
  switch (status) {
    case 'resolved':
    case 'unresolved':
      return { status, ...forever };
    case 'resolvedInNextRelease':
      return { status: 'resolved', in: 'next_release', until: 'forever' };
    default:
      if (minutes === null) return { status: 'ignored', ...forever };
      return {
        status: 'ignored',
        in: 'now',
        until: 'date',
        date: new Date(now() + minutes * 60_000).toISOString(),
      };
  }
}

const statusTerms: Readonly<Record<string, string>> = {
  resolved: 'is:resolved',
  unresolved: 'is:unresolved',
  ignored: 'is:ignored',
  muted: 'is:ignored',
};

const selectorNames: readonly string[] = ['id', 'status', 'query'];

/** Without any name all. Throws 400 for what it does not know, 404 for an id that is not there: nothing is changed. */
async function selectIssues(
  { store }: Deps,
  project: Project,
  query: URLSearchParams,
): Promise<Pick<IssueBulkRequest, 'ids' | 'query'>> {
  for (const name of query.keys()) {
    if (selectorNames.includes(name)) continue;
    throw createInvalidParamError({
      [name]: `${name} does not select issues here. Use id, status or query, or none of them for all issues.`,
    });
  }
  const [texts, search, status] = [
    query.getAll('id'),
    singleValue(query, 'query'),
    singleValue(query, 'status'),
  ];
  if (texts.length === 0) {
    return { query: [status === null ? '' : termOfStatus(status), search ?? ''].join(' ').trim() };
  }
  for (const [name, text] of Object.entries({ status, query: search })) {
    if (text !== null) throw createInvalidParamError({ [name]: `${name} cannot be used together with id.` });
  }
  if (texts.length > issuesNamedMax) {
    throw createInvalidParamError({ id: `id can be given ${issuesNamedMax} times at most.` });
  }
  const ids = texts.map((text) => {
    if (!/^[1-9]\d{0,14}$/.test(text))
      throw createInvalidParamError({ id: 'id must be the number of an issue.' });
    return Number(text);
  });
  for (const id of ids) {
    if ((await store.findIssue(project.id, id)) !== null) continue;
    throw new RestError('notifier_issue_invalid_id', `There is no issue ${id} in ${project.name}.`, 404);
  }
  return { ids };
}

function singleValue(query: URLSearchParams, name: string): string | null {
  const [text = null, ...others] = query.getAll(name);
  if (others.length > 0) throw createInvalidParamError({ [name]: `${name} can be given once.` });
  return text;
}

function termOfStatus(status: string): string {
  const term = Object.hasOwn(statusTerms, status) ? statusTerms[status] : undefined;
  if (term !== undefined) return term;
  throw createInvalidParamError({
    status: 'status is not one of resolved, unresolved, ignored and muted.',
  });
}

function scopeOf({ id }: Project): Parameters<typeof requireSearch>[2] {
  return { projectIds: [id], of: 'issues', memberId: null };
}

/** Our issues have one number, which is also the short id. */
function viewSentryIssue({ id, name }: Project, issue: Issue, pagesUrl: string): SentryIssue {
  return {
    id: String(issue.id),
    shortId: String(issue.id),
    title: issue.title,
    culprit: issue.culprit,
    permalink: `${pagesUrl}/issues/${issue.id}`,
    level: issue.level,
    status: issue.state.status,
    substatus: issue.state.substatus,
    platform: issue.platform,
    project: { id: String(id), slug: name, name },
    count: String(issue.eventsCount),
    userCount: issue.usersCount,
    firstSeen: formatTime(issue.firstSeenMs),
    lastSeen: formatTime(issue.lastSeenMs),
  };
}

/** Without a payload (it is damaged) the event has neither user nor tags. */
function viewSentryEvent(event: LiveEvent, payload: string | undefined): SentryEvent {
  const read = payload === undefined ? null : (JSON.parse(payload) as NormalizedEvent);
  const tags = read === null ? [] : listTags(read);
  return {
    id: event.eventId,
    eventID: event.eventId,
    groupID: String(event.issueId),
    projectID: String(event.projectId),
    title: event.title,
    culprit: event.culprit,
    dateCreated: formatTime(event.receivedAtMs),
    user: viewUser(read?.user),
    tags: tags.map(([key, value]) => ({ key, value })),
  };
}

function viewUser(user: NormalizedEvent['user']): SentryEvent['user'] {
  if (user === undefined || user === null) return null;
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? `${value}` : null;
  const { id, username, email, ip_address } = user;
  return { id: text(id), username: text(username), email: text(email), ip_address: text(ip_address) };
}

// Lists in pages as in Sentry: `cursor=0:PLACE:0`, and the next one in a `Link` header.

const pageRows = 100;

/** Without Express's reader, which is off: its meaning of brackets is not Sentry's. */
function queryOf({ url }: Request): URLSearchParams {
  return new URL(url, 'http://localhost').searchParams;
}

/** Where the page begins; null for the first page. Throws 400 for a cursor of something else. */
function readCursor(request: Request): number | null {
  const text = queryOf(request).get('cursor') ?? '';
  if (text === '') return null;
  const offset = /^0:(\d{1,15}):0$/.exec(text)?.[1];
  if (offset === undefined)
    throw createInvalidParamError({ cursor: 'cursor must be one of the Link header.' });
  return Number(offset);
}

/** `next` is where the next page begins; null if there is none. */
function setNextPage(request: Request, response: Response, next: number | null): void {
  const cursor = `0:${next ?? 0}:0`;
  const query = new URLSearchParams();
  for (const [name, value] of queryOf(request)) {
    if (name !== 'cursor') query.append(...scrubQueryParameter(name, value));
  }
  query.append('cursor', cursor);
  const url = `${request.baseUrl}${request.path}?${query.toString()}`;
  response.setHeader('Link', `<${url}>; rel="next"; results="${next !== null}"; cursor="${cursor}"`);
}
