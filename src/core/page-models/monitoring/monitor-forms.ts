import { cronView } from '../../monitors/cron/settings.ts';
import type { MonitorRecord } from '../../store/monitors.ts';
import { pageNotFound, type RequestContext } from '../request-context.ts';

export type { MonitorTrial } from '../../monitors/try-monitor.ts';

/** `keyword` is HTTP(S) with an expected text. */
export const offeredTypes = ['http', 'tcp', 'dns', 'tls', 'heartbeat', 'cron'] as const;
export type OfferedType = (typeof offeredTypes)[number];

export type NewMonitorModel = Awaited<ReturnType<typeof newMonitorModel>>;

export type NewMonitorFormModel = ReturnType<typeof newMonitorFormModelOf>;

export type MonitorSettingsModel = Awaited<ReturnType<typeof monitorSettingsModel>>;

export async function newMonitorModel() {
  return { types: offeredTypes };
}

export async function newMonitorFormModel(context: RequestContext): Promise<NewMonitorFormModel> {
  const type = offeredTypes.find((each) => each === context.path['type']);
  if (type === undefined) throw pageNotFound('This type of monitor', 'Choose one of the types listed.');
  return newMonitorFormModelOf(context, type);
}

export function newMonitorFormModelOf({ projects }: RequestContext, type: OfferedType) {
  return { type, projects: projects.map(({ id, name }) => ({ project_id: id, name })) };
}

/** Without query strings, which may be secret. */
export async function monitorSettingsModel(context: RequestContext) {
  const { slug, name, type, target, intervalMs, timeoutMs, settings, group, tags } =
    await getMonitorOfPath(context);
  return {
    slug,
    name,
    type,
    target,
    interval: intervalMs / 1000,
    timeout: timeoutMs / 1000,
    confirmations: settings.confirmations,
    slow_ms: settings.slowMs,
    certificate_days: settings.certificateDays,
    opens_incidents: settings.opensIncidents,
    method: settings.method,
    /** Values of headers and the body may be secret. */
    header_names: settings.headers.map(([name]) => name),
    has_body: settings.body !== '',
    host: settings.host,
    port: settings.port,
    record: settings.record,
    status: settings.status,
    contains: settings.contains,
    answers: settings.answers,
    grace: settings.graceMs / 1000,
    group,
    tags,
    cron: settings.cron === null ? null : cronView(settings.cron),
  };
}

export async function getMonitorOfPath({ deps, path }: RequestContext): Promise<MonitorRecord> {
  const monitor = await deps.store.findMonitor(path['slug'] ?? '');
  if (monitor === null) throw pageNotFound('A monitor with this name');
  return monitor;
}
