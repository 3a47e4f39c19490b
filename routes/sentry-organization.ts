// What sentry-cli lists of the organisation, and what it is refused (docs/releases.md, "Sentry's tools").
import type { Deps } from '../src/core/deps.ts';
import { RestError } from '../src/core/errors.ts';
import { findProjectScope } from '../src/core/members/project-scope.ts';
import { viewSentryMonitors } from '../src/core/monitors/sentry-views.ts';
import { viewSentryOrganization, viewSentryProject } from '../src/core/projects/sentry-views.ts';
import type { Project } from '../src/core/store/projects.ts';
import type { SentryCaller, SentryHandler } from '../src/http/sentry-cli/middleware.ts';

/** All of what a caller may read: there are no further pages. */
export function getSentryOrganizations(deps: Deps): SentryHandler {
  return async (request, caller) => [viewSentryOrganization(await listProjectsOf(deps, caller, request))];
}

export function getSentryProjects(deps: Deps): SentryHandler {
  return async (request, caller) => (await listProjectsOf(deps, caller, request)).map(viewSentryProject);
}

export function getSentryMonitors(deps: Deps): SentryHandler {
  return async (request, caller) => {
    const projects = await listProjectsOf(deps, caller, request);
    const [only, second] = projects;
    const projectId = only !== undefined && second === undefined ? only.id : null;
    return viewSentryMonitors(projects, await deps.store.listMonitorRecords(projectId));
  };
}

/** A key has its project; a token those of its member, or the one that the request names. */
async function listProjectsOf(
  { store }: Deps,
  { member, project }: SentryCaller,
  { headers }: Parameters<SentryHandler>[0],
): Promise<readonly Project[]> {
  if (member === null || headers['x-notifier-project'] !== undefined) return [project];
  const scope = await findProjectScope(store, { memberId: member.id });
  return (await store.listProjects()).filter(({ id }) => scope === null || scope.includes(id));
}

/** 400, because sentry-cli tells of a 404 only that the project was not found. */
export function refuseSentryTool(what: string): SentryHandler {
  return async () => {
    throw new RestError('notifier_not_supported', `Notifier does not store ${what}.`, 400);
  };
}
