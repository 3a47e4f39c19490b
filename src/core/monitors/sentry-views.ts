import type { SentryMonitor } from '../../../schemas/sentry-api.ts';
import type { MonitorRecord } from '../store/monitors/monitor-records.ts';
import type { MonitorState } from '../store/monitors/monitors.ts';
import type { Project } from '../store/projects.ts';

const statuses: Readonly<Record<MonitorState, SentryMonitor['environments'][number]['status']>> = {
  up: 'ok',
  degraded: 'error',
  down: 'error',
  pending: 'active',
  maintenance: 'active',
  paused: 'disabled',
};

/** Cron jobs of the projects. Environments of one job are separate monitors here, and one monitor in Sentry. */
export function viewSentryMonitors(
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
