// API representations; the token of a heartbeat is left out.
import type { MonitorView } from '../../../schemas/monitors.ts';
import { momentText } from '../reading/moments.ts';
import type { KeptMonitor } from '../store/monitors/monitoring.ts';
import { cronView } from './cron/terms.ts';

export function viewMonitor(monitor: KeptMonitor): MonitorView {
  const { terms, lastCheck } = monitor;
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
    confirmations: terms.confirmations,
    slow_ms: terms.slowMs,
    certificate_days: terms.certificateDays,
    opens_incidents: terms.opensIncidents,
    ...(monitor.type === 'heartbeat' ? { grace: terms.graceMs / 1000 } : {}),
    ...ofJob(monitor),
    group: monitor.group,
    tags: [...monitor.tags],
    goal: Number((monitor.goal * 100).toFixed(4)),
    state: monitor.state,
    state_since: momentText(monitor.stateSinceMs),
    paused_until: momentText(monitor.state === 'paused' ? monitor.stateUntilMs : null),
    reason: monitor.reason,
    last_check:
      lastCheck === null
        ? null
        : {
            at: momentText(lastCheck.atMs),
            result: lastCheck.result,
            code: lastCheck.code,
            duration_ms: lastCheck.durationMs,
            message: lastCheck.message,
          },
    next_check_at: momentText(monitor.nextCheckAtMs),
    certificate_ends_at: momentText(monitor.certificateEndsAtMs),
    median_ms: monitor.medianMs,
    p95_ms: monitor.p95Ms,
    created_at: momentText(monitor.createdAtMs),
    created_by: monitor.createdBy,
  };
}

/** Values of headers and the body may be secret, so only names and the size are shown. */
function ofPage({ terms: { method, headers, body } }: KeptMonitor): Partial<MonitorView> {
  return {
    ...(method === 'GET' ? {} : { method }),
    ...(headers.length === 0 ? {} : { header_names: headers.map(([name]) => name) }),
    ...(body === '' ? {} : { body_bytes: Buffer.byteLength(body) }),
  };
}

function ofJob({ job, terms: { cron } }: KeptMonitor): Partial<MonitorView> {
  if (job === null || cron === null) return {};
  return { monitor_slug: job.slug, environment: job.environment, ...cronView(cron) };
}
