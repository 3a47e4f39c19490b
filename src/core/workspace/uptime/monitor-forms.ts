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
  /** Values of headers and the body may be secret. */
  readonly header_names: readonly string[];
  readonly has_body: boolean;
  readonly status: string;
  readonly contains: string;
  readonly answers: string;
  readonly grace: number;
  readonly group: string;
  readonly tags: readonly string[];
  readonly cron: CronView | null;
}

export async function newMonitorModel({ projects }: Visit): Promise<NewMonitorModel> {
  return { types: askedTypes, projects: projects.map(({ id, name }) => ({ project_id: id, name })) };
}

/** Without query strings, which may be secret. */
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

export async function keptMonitor({ deps, path }: Visit): Promise<KeptMonitor> {
  const found = await deps.store.findMonitor(path['slug'] ?? '');
  const monitor = found === null ? null : await deps.store.findKeptMonitor(found.id);
  if (monitor === null) throw notHere('A monitor with this name');
  return monitor;
}
