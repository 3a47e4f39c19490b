// API representations; the token of a heartbeat is left out.
import type { MonitorView } from '../../../schemas/monitors.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { MonitorRecord } from '../store/monitors.ts';
import { cronView } from './cron/settings.ts';

export function viewMonitor(monitor: MonitorRecord): MonitorView {
  const { settings, lastCheck } = monitor;
  return {
    monitor_id: monitor.id,
    slug: monitor.slug,
    name: monitor.name,
    type: monitor.type,
    target: monitor.target,
    expects: monitor.expects,
    ...ofPage(monitor),
    interval: monitor.intervalMs / 1000,
    timeout: monitor.timeoutMs / 1000,
    confirmations: settings.confirmations,
    slow_ms: settings.slowMs,
    certificate_days: settings.certificateDays,
    opens_incidents: settings.opensIncidents,
    ...(monitor.type === 'heartbeat' ? { grace: settings.graceMs / 1000 } : {}),
    ...ofJob(monitor),
    group: monitor.group,
    tags: [...monitor.tags],
    goal: Number((monitor.goal * 100).toFixed(4)),
    state: monitor.state,
    state_since: formatTime(monitor.stateSinceMs),
    paused_until: formatTime(monitor.state === 'paused' ? monitor.stateUntilMs : null),
    reason: monitor.reason,
    last_check:
      lastCheck === null
        ? null
        : {
            at: formatTime(lastCheck.atMs),
            result: lastCheck.result,
            code: lastCheck.code,
            duration_ms: lastCheck.durationMs,
            message: lastCheck.message,
          },
    next_check_at: formatTime(monitor.nextCheckAtMs),
    certificate_ends_at: formatTime(monitor.certificateEndsAtMs),
    median_ms: monitor.medianMs,
    p95_ms: monitor.p95Ms,
    created_at: formatTime(monitor.createdAtMs),
    created_by: monitor.createdBy,
  };
}

/** Values of headers and the body may be secret, so only names and the size are shown. */
function ofPage({ settings: { method, headers, body } }: MonitorRecord): Partial<MonitorView> {
  return {
    ...(method === 'GET' ? {} : { method }),
    ...(headers.length === 0 ? {} : { header_names: headers.map(([name]) => name) }),
    ...(body === '' ? {} : { body_bytes: Buffer.byteLength(body) }),
  };
}

function ofJob({ job, settings: { cron } }: MonitorRecord): Partial<MonitorView> {
  if (job === null || cron === null) return {};
  return { monitor_slug: job.slug, environment: job.environment, ...cronView(cron) };
}
