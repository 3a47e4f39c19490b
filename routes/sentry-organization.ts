// What sentry-cli lists of the organisation, and what it is refused (docs/releases.md, "Sentry's tools").

import type { SentryMonitor, SentryOrganization, SentryProject } from '../schemas/sentry-api.ts';
import type { Deps } from '../src/core/deps.ts';
import { RestError } from '../src/core/errors.ts';
import { findProjectScope } from '../src/core/members/project-scope.ts';
import { formatTime } from '../src/core/parsing/timestamps.ts';
import type { MonitorRecord, MonitorState } from '../src/core/store/monitors.ts';
import type { Project } from '../src/core/store/projects.ts';
import type { SentryCaller, SentryHandler } from '../src/http/sentry-cli/middleware.ts';

/** All of what a caller may read: there are no further pages. */
export const getSentryOrganizations: SentryHandler = async (deps, request, caller) => [
  viewSentryOrganization(await listProjectsOf(deps, caller, request)),
];

export const getSentryProjects: SentryHandler = async (deps, request, caller) =>
  (await listProjectsOf(deps, caller, request)).map(viewSentryProject);

export const getSentryMonitors: SentryHandler = async (deps, request, caller) => {
  const projects = await listProjectsOf(deps, caller, request);
  const [project, second] = projects;
  const projectId = project !== undefined && second === undefined ? project.id : null;
  return viewSentryMonitors(projects, await deps.store.listMonitors(projectId));
};

/** A key has its project; a token those of its member, or the one that the request names. */
async function listProjectsOf(
  { store }: Deps,
  { member, project }: SentryCaller,
  { headers }: Parameters<SentryHandler>[1],
): Promise<readonly Project[]> {
  if (member === null || headers['x-notifier-project'] !== undefined) return [project];
  const scope = await findProjectScope(store, { memberId: member.id });
  return (await store.listProjects()).filter(({ id }) => scope === null || scope.includes(id));
}

/** 400, because sentry-cli tells of a 404 only that the project was not found. */
export function refuseSentryTool(feature: string): SentryHandler {
  return async () => {
    throw new RestError('notifier_not_supported', `Notifier does not store ${feature}.`, 400);
  };
}

function viewSentryProject({ id, name, createdAtMs }: Project): SentryProject {
  return { id: String(id), slug: name, name, dateCreated: formatTime(createdAtMs), team: null };
}

/** As old as the oldest of the projects that the caller sees. */
function viewSentryOrganization(projects: readonly Project[]): SentryOrganization {
  const createdAtMs = Math.min(...projects.map((project) => project.createdAtMs));
  return {
    id: '1',
    slug: 'notifier',
    name: 'Notifier',
    dateCreated: formatTime(createdAtMs),
    isEarlyAdopter: false,
    require2FA: false,
    requireEmailVerification: false,
    features: [],
  };
}

const statuses: Readonly<Record<MonitorState, SentryMonitor['environments'][number]['status']>> = {
  up: 'ok',
  degraded: 'error',
  down: 'error',
  pending: 'active',
  maintenance: 'active',
  paused: 'disabled',
};

/** Cron jobs of the projects. Environments of one job are separate monitors here, and one monitor in Sentry. */
function viewSentryMonitors(
  projects: readonly Project[],
  monitors: readonly MonitorRecord[],
): SentryMonitor[] {
  const jobs = new Map<string, SentryMonitor>();
  for (const { id, job, name, projectId, state } of monitors) {
    const project = projects.find((each) => each.id === projectId);
    if (job === null || project === undefined) continue;
    const key = `${project.id}/${job.slug}`;
    const known = jobs.get(key);
    const environments = [...(known?.environments ?? []), { name: job.environment, status: statuses[state] }];
    const isDisabled = environments.every(({ status }) => status === 'disabled');
    jobs.set(key, {
      id: known?.id ?? String(id),
      slug: job.slug,
      name: known?.name ?? name,
      status: isDisabled ? 'disabled' : 'active',
      type: 'cron_job',
      project: { id: String(project.id), slug: project.name, name: project.name },
      environments,
    });
  }
  return [...jobs.values()];
}
