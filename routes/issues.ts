import type { z } from 'zod';
import {
  eventsQuery,
  issueBulkRequest,
  issueChangeRequest,
  issueCommentRequest,
  issueCommentsQuery,
  issuesQuery,
} from '../schemas/issues.ts';
import { keySource } from '../src/core/audit/audit.ts';
import type { Deps } from '../src/core/deps.ts';
import { createNotFoundError } from '../src/core/errors.ts';
import { viewEventSummary } from '../src/core/events/views.ts';
import { commentOnIssue, updateIssue } from '../src/core/issues/actions.ts';
import { changeIssuesOfProject } from '../src/core/issues/bulk-requests.ts';
import { toIssueFilter } from '../src/core/issues/change-requests.ts';
import { notifyMentioned } from '../src/core/issues/mentions.ts';
import { getIssueAfterMerge } from '../src/core/issues/resolve-merged.ts';
import { viewComment, viewIssueDetails, viewIssues } from '../src/core/issues/views.ts';
import { requireSearch, type SearchScope } from '../src/core/search/search.ts';
import type { EventFilter } from '../src/core/store/events.ts';
import { listResponse, toListWindow } from '../src/http/api/list-response.ts';
import { parseParameters } from '../src/http/api/parse-parameters.ts';
import { pathId } from '../src/http/api/path-id.ts';
import { type ApiRequest, created, type Handler, ok } from '../src/http/api/route.ts';

export function getIssues(deps: Deps): Handler {
  return async (request) => {
    const asked = parseParameters(issuesQuery, request);
    const terms = await requireSearch(deps, asked.query, scopeOf(request, 'issues'));
    const filter = { ...toIssueFilter(asked), terms, ...toListWindow(asked) };
    const page = await deps.store.listIssues(request.project.id, filter);
    const rows = await viewIssues(deps, page.rows);
    return listResponse(request, '/issues', asked, { rows, total: page.total });
  };
}

export function getIssue(deps: Deps): Handler {
  return async (request) => ok(await viewIssueDetails(deps, request.project.id, pathId(request, 'issue')));
}

export function postIssue(deps: Deps): Handler {
  return async (request) => {
    const asked = parseParameters(issueChangeRequest, request);
    const issueId = pathId(request, 'issue');
    await updateIssue(deps, request.project, issueId, asked, keySource(request));
    return ok({ accepted: true, ...(await viewIssueDetails(deps, request.project.id, issueId)) });
  };
}

export function postIssuesBulk(deps: Deps): Handler {
  return async (request) => {
    const asked = parseParameters(issueBulkRequest, request);
    const terms = await requireSearch(deps, asked.query, scopeOf(request, 'issues'));
    const done = await changeIssuesOfProject(deps, request.project, asked, terms, keySource(request));
    return ok({ accepted: true, ...done });
  };
}

export function getIssueComments(deps: Deps): Handler {
  return async (request) => {
    const asked = parseParameters(issueCommentsQuery, request);
    const askedId = pathId(request, 'issue');
    const issue = await getIssueAfterMerge(deps.store, request.project.id, askedId);
    const page = await deps.store.listComments(request.project.id, issue.id, toListWindow(asked));
    const rows = page.rows.map(viewComment);
    return listResponse(request, `/issues/${askedId}/comments`, asked, { rows, total: page.total });
  };
}

export function postIssueComment(deps: Deps): Handler {
  return async (request) => {
    const { text } = parseParameters(issueCommentRequest, request);
    const issue = await getIssueAfterMerge(deps.store, request.project.id, pathId(request, 'issue'));
    const source = keySource(request);
    const comment = await commentOnIssue(deps, issue, text, source);
    void notifyMentioned(deps, issue, comment, source);
    return created({ accepted: true, ...viewComment(comment) });
  };
}

export function getIssueEvents(deps: Deps): Handler {
  return async (request) => {
    const asked = parseParameters(eventsQuery, request);
    const issueId = pathId(request, 'issue');
    const issue = await getIssueAfterMerge(deps.store, request.project.id, issueId);
    const filter = await eventFilterOf(deps, request, asked);
    const page = await deps.store.listIssueEvents(request.project.id, issue.id, filter);
    if (page === null) throw createNotFoundError('issue');
    const rows = page.rows.map(viewEventSummary);
    return listResponse(request, `/issues/${issueId}/events`, asked, { rows, total: page.total });
  };
}

export function getEvents(deps: Deps): Handler {
  return async (request) => {
    const asked = parseParameters(eventsQuery, request);
    const filter = await eventFilterOf(deps, request, asked);
    const { rows, total } = await deps.store.listEvents(request.project.id, filter);
    return listResponse(request, '/events', asked, { rows: rows.map(viewEventSummary), total });
  };
}

async function eventFilterOf(
  deps: Deps,
  request: ApiRequest,
  asked: z.infer<typeof eventsQuery>,
): Promise<EventFilter> {
  const { search, query, release, environment, order } = asked;
  const terms = await requireSearch(deps, query, scopeOf(request, 'events'));
  return { search, terms, release, environment, descending: order === 'desc', ...toListWindow(asked) };
}

function scopeOf(request: ApiRequest, of: SearchScope['of']): SearchScope {
  return { projectIds: [request.project.id], of, memberId: null };
}
