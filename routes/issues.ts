import type { z } from 'zod';
import {
  eventsQuery,
  issueBulkRequest,
  issueChangeRequest,
  issueCommentRequest,
  issueCommentsQuery,
  issueSplitRequest,
  issuesQuery,
} from '../schemas/issues.ts';
import { issueUsersQuery } from '../schemas/users.ts';
import { getPagesUrl } from '../src/core/config/public-urls.ts';
import type { Deps } from '../src/core/deps.ts';
import { createForbiddenError, createNotFoundError } from '../src/core/errors.ts';
import { viewEventSummary } from '../src/core/events/views.ts';
import { parseEventId } from '../src/core/ids.ts';
import { commentOnIssue, deleteComment, deleteIssue, updateIssue } from '../src/core/issues/actions.ts';
import { changeIssuesOfProject } from '../src/core/issues/bulk-requests.ts';
import { undoBulkAction } from '../src/core/issues/bulk-undo.ts';
import { toIssueFilter } from '../src/core/issues/change-requests.ts';
import { notifyMentioned } from '../src/core/issues/mentions.ts';
import { getIssueAfterMerge } from '../src/core/issues/resolve-merged.ts';
import { splitOffHashes } from '../src/core/issues/split.ts';
import { viewComment, viewIssue, viewIssueDetails, viewIssues } from '../src/core/issues/views.ts';
import { limitStore } from '../src/core/members/project-scope.ts';
import { viewIssueTags } from '../src/core/page-models/issue/head.ts';
import { canRemoveComment } from '../src/core/page-models/issue/history.ts';
import { eventMarkdown, issueMarkdown } from '../src/core/page-models/issue/markdown.ts';
import { viewIssueHashes } from '../src/core/page-models/issue/split.ts';
import { contextWithoutPage, type RequestContext } from '../src/core/page-models/request-context.ts';
import { requireSearch, type SearchScope } from '../src/core/search/search.ts';
import type { EventFilter } from '../src/core/store/events.ts';
import type { Issue } from '../src/core/store/issues.ts';
import { listIssueUsers } from '../src/core/users/views.ts';
import { listResponse, toListWindow } from '../src/http/api/list-response.ts';
import { pathId } from '../src/http/api/parse-parameters.ts';
import {
  type ApiRequest,
  type ApiResponse,
  created,
  handler,
  inputHandler,
  memberHandler,
  ok,
} from '../src/http/api/route.ts';

export const getIssues = inputHandler(issuesQuery, async (deps, request, query) => {
  const terms = await requireSearch(deps, query.query, scopeOf(request, 'issues'));
  const filter = { ...toIssueFilter(query), terms, ...toListWindow(query) };
  const page = await deps.store.listIssues(request.project.id, filter);
  const rows = await viewIssues(deps, page.rows);
  return listResponse(request, '/issues', query, { rows, total: page.total });
});

export const getIssue = handler(async (deps, request) =>
  ok(await viewIssueDetails(deps, request.project.id, pathId(request, 'issue'))),
);

export const getIssueUsers = inputHandler(issueUsersQuery, async (deps, request, query) => {
  const issue = await issueOfPath(deps, request);
  const page = await listIssueUsers(deps, issue, toListWindow(query));
  return listResponse(request, `/issues/${issue.id}/users`, query, page);
});

export const getIssueMarkdown = handler(async (deps, request) => {
  const { id } = await issueOfPath(deps, request);
  const visit = contextOf(deps, request);
  return markdown((await issueMarkdown({ ...visit, path: { id: String(id) } })).text);
});

export const getEventMarkdown = handler(async (deps, request) => {
  const eventId = parseEventId(request.path['event_id'] ?? '');
  const event = eventId === null ? null : await deps.store.findEvent(request.project.id, eventId);
  if (event === null) throw createNotFoundError('event');
  return markdown(eventMarkdown(contextOf(deps, request), event));
});

function markdown(text: string): ApiResponse {
  const raw = { contentType: 'text/markdown; charset=utf-8', bytes: Buffer.from(text) };
  return { status: 200, body: null, raw };
}

function contextOf(deps: Deps, { project, restUrl, by }: ApiRequest): RequestContext {
  return contextWithoutPage({
    deps: { ...deps, store: limitStore(deps.store, [project.id]) },
    currentUser: { memberId: null, name: '', role: 'viewer', sessionId: null, csrfToken: '' },
    projects: [project],
    hasAllProjects: false,
    apiUrl: restUrl(''),
    pagesUrl: getPagesUrl(deps.config),
    by,
  });
}

/** Its events are removed in the background, and those of issues merged into it. */
export const deleteOneIssue = handler(async (deps, request) => {
  const issue = await issueOfPath(deps, request);
  await deleteIssue(deps, issue, request.by);
  return ok({ deleted: true, previous: viewIssue(issue) });
});

export const getIssueTags = handler(async (deps, request) =>
  ok(await viewIssueTags(deps, await issueOfPath(deps, request))),
);

/** What a split can move, each with its newest event. */
export const getIssueHashes = handler(async (deps, request) => {
  const issue = await issueOfPath(deps, request);
  return ok(viewIssueHashes((await deps.store.listIssueKeys(request.project.id, issue.id)).keys));
});

export const postIssueSplit = inputHandler(issueSplitRequest, async (deps, request, { hashes }) => {
  const { project } = request;
  const issue = await issueOfPath(deps, request);
  const into = await splitOffHashes(deps, project, issue, [...new Set(hashes)], request.by);
  return created({ accepted: true, ...(await viewIssueDetails(deps, project.id, into)) });
});

function issueOfPath({ store }: Deps, request: ApiRequest): Promise<Issue> {
  return getIssueAfterMerge(store, request.project.id, pathId(request, 'issue'));
}

export const postIssue = inputHandler(issueChangeRequest, async (deps, request, changes) => {
  const issueId = pathId(request, 'issue');
  await updateIssue(deps, request.project, issueId, changes, request.by);
  return ok({ accepted: true, ...(await viewIssueDetails(deps, request.project.id, issueId)) });
});

export const postIssuesBulk = inputHandler(issueBulkRequest, async (deps, request, input) => {
  const terms = await requireSearch(deps, input.query, scopeOf(request, 'issues'));
  const { project, member, by } = request;
  const done = await changeIssuesOfProject(deps, project, input, terms, by, member?.id ?? null);
  return ok({ accepted: true, ...done });
});

/** The newest change of several issues that the member made, here or on the pages. */
export const postIssuesBulkUndo = memberHandler(async (request) => {
  const id = pathId(request, 'issue');
  return ok({ accepted: true, ...(await undoBulkAction(request.deps, request.member.id, id, request.by)) });
});

export const getIssueComments = inputHandler(issueCommentsQuery, async (deps, request, query) => {
  const askedId = pathId(request, 'issue');
  const issue = await issueOfPath(deps, request);
  const page = await deps.store.listComments(request.project.id, issue.id, toListWindow(query));
  const rows = page.rows.map(viewComment);
  return listResponse(request, `/issues/${askedId}/comments`, query, { rows, total: page.total });
});

export const postIssueComment = inputHandler(issueCommentRequest, async (deps, request, { text }) => {
  const issue = await issueOfPath(deps, request);
  const source = request.by;
  const comment = await commentOnIssue(deps, issue, text, source);
  void notifyMentioned(deps, issue, comment, source);
  return created({ accepted: true, ...viewComment(comment) });
});

/** By its author or an admin, as on the page; a key is nobody's, and acts as an admin. */
export const deleteIssueComment = handler(async (deps, request) => {
  const issue = await issueOfPath(deps, request);
  const id = pathId(request, 'comment', 'comment_id');
  const comment = await deps.store.findComment(request.project.id, issue.id, id);
  if (comment === null) throw createNotFoundError('comment');
  const { member } = request;
  const isAllowed = member === null || canRemoveComment(comment, { memberId: member.id, role: member.role });
  if (!isAllowed) throw createForbiddenError('author');
  await deleteComment(deps, issue, comment, request.by);
  return ok({ deleted: true, previous: viewComment(comment) });
});

export const getIssueEvents = inputHandler(eventsQuery, async (deps, request, query) => {
  const issueId = pathId(request, 'issue');
  const issue = await issueOfPath(deps, request);
  const filter = await eventFilterOf(deps, request, query);
  const page = await deps.store.listIssueEvents(request.project.id, issue.id, filter);
  if (page === null) throw createNotFoundError('issue');
  const rows = page.rows.map(viewEventSummary);
  return listResponse(request, `/issues/${issueId}/events`, query, { rows, total: page.total });
});

export const getEvents = inputHandler(eventsQuery, async (deps, request, query) => {
  const filter = await eventFilterOf(deps, request, query);
  const { rows, total } = await deps.store.listEvents(request.project.id, filter);
  return listResponse(request, '/events', query, { rows: rows.map(viewEventSummary), total });
});

async function eventFilterOf(
  deps: Deps,
  request: ApiRequest,
  filters: z.infer<typeof eventsQuery>,
): Promise<EventFilter> {
  const { search, query, release, environment, order } = filters;
  const terms = await requireSearch(deps, query, scopeOf(request, 'events'));
  return { search, terms, release, environment, descending: order === 'desc', ...toListWindow(filters) };
}

function scopeOf(request: ApiRequest, of: SearchScope['of']): SearchScope {
  return { projectIds: [request.project.id], of, memberId: null };
}
