import { issueChangeRequest, issueEventsQuery, issuesQuery } from '../schemas/issues.ts';
import { byKey } from '../src/core/audit/audit.ts';
import type { Deps } from '../src/core/deps.ts';
import { invalidId } from '../src/core/errors.ts';
import { viewEventSummary } from '../src/core/events/views.ts';
import { issueFilterOf } from '../src/core/issues/requests.ts';
import { getStandingIssue } from '../src/core/issues/standing.ts';
import { viewIssue, viewIssueWhole } from '../src/core/issues/views.ts';
import { updateIssue } from '../src/core/issues/work.ts';
import { listed, windowOf } from '../src/http/api/collection.ts';
import { parseBody } from '../src/http/api/parse-body.ts';
import { pathId } from '../src/http/api/path-id.ts';
import { type Handler, ok } from '../src/http/api/route.ts';

export function getIssues(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(issuesQuery, request);
    const filter = { ...issueFilterOf(asked), ...windowOf(asked) };
    const page = await deps.store.listIssues(request.project.id, filter);
    return listed(request, '/issues', asked, { rows: page.rows.map(viewIssue), total: page.total });
  };
}

export function getIssue(deps: Deps): Handler {
  return async (request) => ok(await viewIssueWhole(deps, request.project.id, pathId(request, 'issue')));
}

export function postIssue(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(issueChangeRequest, request);
    const issueId = pathId(request, 'issue');
    await updateIssue(deps, request.project, issueId, asked, byKey(request));
    return ok({ accepted: true, ...(await viewIssueWhole(deps, request.project.id, issueId)) });
  };
}

export function getIssueEvents(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(issueEventsQuery, request);
    const issueId = pathId(request, 'issue');
    const issue = await getStandingIssue(deps.store, request.project.id, issueId);
    const page = await deps.store.listIssueEvents(request.project.id, issue.id, {
      search: asked.search,
      release: asked.release,
      environment: asked.environment,
      descending: asked.order === 'desc',
      ...windowOf(asked),
    });
    if (page === null) throw invalidId('issue');
    const rows = page.rows.map(viewEventSummary);
    return listed(request, `/issues/${issueId}/events`, asked, { rows, total: page.total });
  };
}
