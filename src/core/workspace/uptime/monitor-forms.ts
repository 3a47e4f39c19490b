// What the forms of monitors are filled in with.
import { askedTypes } from '../../../../schemas/monitors.ts';
import { type CronView, cronView } from '../../monitors/cron/terms.ts';
import type { KeptMonitor } from '../../store/monitors/monitoring.ts';
import type { ProjectName } from '../delivery/lists.ts';
import { notHere, type Visit } from '../visit.ts';

export interface NewMonitorModel {
  readonly types: typeof askedTypes;
  readonly projects: readonly ProjectName[];
}

export interface MonitorSettingsModel {
  readonly slug: string;
  readonly name: string;
  readonly type: KeptMonitor['type'];
  readonly target: string;
  readonly interval: number;
  readonly timeout: number;
  readonly confirmations: number;
  readonly slow_ms: number;
  readonly certificate_days: number;
  readonly opens_incidents: boolean;
  readonly method: string;
  /** What headers and the body say may be a secret. */
  readonly header_names: readonly string[];
  readonly has_body: boolean;
  readonly status: string;
  readonly contains: string;
  readonly answers: string;
  readonly grace: number;
  readonly group: string;
  readonly tags: readonly string[];
  /** When its runs are to come, in the words of `monitor_config`; null for what is no job. */
  readonly cron: CronView | null;
}

/** What a monitor can be made of. */
export async function newMonitorModel({ projects }: Visit): Promise<NewMonitorModel> {
  return { types: askedTypes, projects: projects.map(({ id, name }) => ({ project_id: id, name })) };
}

/** What there is to change of a monitor; what stands behind a question mark is not part of it. */
export async function monitorSettingsModel(visit: Visit): Promise<MonitorSettingsModel> {
  const { slug, name, type, target, intervalMs, timeoutMs, terms, group, tags } = await keptMonitor(visit);
  return {
    slug,
    name,
    type,
    target,
    interval: intervalMs / 1000,
    timeout: timeoutMs / 1000,
    confirmations: terms.confirmations,
    slow_ms: terms.slowMs,
    certificate_days: terms.certificateDays,
    opens_incidents: terms.opensIncidents,
    method: terms.method,
    header_names: terms.headers.map(([name]) => name),
    has_body: terms.body !== '',
    status: terms.status,
    contains: terms.contains,
    answers: terms.answers,
    grace: terms.graceMs / 1000,
    group,
    tags,
    cron: terms.cron === null ? null : cronView(terms.cron),
  };
}

/** The workspace's own monitor that the address names; 404 for none. */
export async function keptMonitor({ deps, path }: Visit): Promise<KeptMonitor> {
  const found = await deps.store.findMonitor(path['slug'] ?? '');
  const monitor = found === null ? null : await deps.store.findKeptMonitor(found.id);
  if (monitor === null) throw notHere('A monitor with this name');
  return monitor;
}
