import { setTimeout as sleep } from 'node:timers/promises';
import { type AuditSource, runAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError } from '../errors.ts';
import { addressShareOfQuota, isQuotaScarce } from '../fair-share.ts';
import type {
  CheckOutcome,
  CronJobRuns,
  CronSettings,
  MonitorChange,
  MonitorRecord,
} from '../store/monitors.ts';
import { type CheckIn, defaultEnvironment } from './cron/check-ins.ts';
import { intervalToNextRunMs } from './cron/schedule.ts';
import { applyCheckIn, type CronMonitorStep, noRuns, withSchedule } from './cron/state.ts';
import { describeExpectation, describeTarget } from './descriptions.ts';
import { monitorAuditEvent } from './monitors.ts';
import {
  defaultSettings,
  defaultSloTarget,
  defaultTimeoutMs,
  monitorPageSlug,
  monitorsMax,
} from './settings.ts';
import { findTransitions } from './state.ts';

/** Anyone with the public key of a project can create them. */
const cronMonitorsMax = 100;
/** How long the end of a run waits for its start, and how many may wait at once. */
const monitorWaitsMs = [50, 100, 200, 400, 800, 1_500];
const waitingCheckInsMax = 16;
const waiting = new WeakMap<Deps['store'], number>();

type CronMonitor = MonitorRecord & {
  readonly settings: { readonly cron: CronSettings };
  readonly runs: CronJobRuns;
};

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'config'>;

export interface CheckInSender {
  readonly by: AuditSource;
  readonly address: string | null;
}

export function isCronMonitor(monitor: MonitorRecord): monitor is CronMonitor {
  return monitor.settings.cron !== null && monitor.runs !== null;
}

export function cronMonitorOutcome(monitor: MonitorRecord, step: CronMonitorStep): CheckOutcome {
  const turns = findTransitions(monitor, step.status, { isEnding: false });
  return { ...step, monitor, turns, certificateEndsAtMs: null };
}

/** Throws 400 for an unknown monitor without a schedule, beyond 100 in a project, and beyond 10 of one address once
 * 75 exist. The schedule only changes monitors that check-ins created. Repeats change nothing. */
export async function receiveCheckIn(
  deps: ServiceDeps,
  projectId: number,
  checkIn: CheckIn,
  atMs: number,
  sender: CheckInSender,
): Promise<void> {
  const { store } = deps;
  const { slug, environment } = checkIn;
  for (;;) {
    const found =
      (await store.findJob(projectId, { slug, environment })) ??
      (await waitForMonitor(store, projectId, checkIn)) ??
      (await createCronMonitor(deps, projectId, checkIn, atMs, sender));
    const monitor = await applyCheckInSchedule(deps, found, checkIn, atMs, sender);
    if (monitor === null || !isCronMonitor(monitor)) continue;
    const step = applyCheckIn(monitor, checkIn, monitor.settings.cron, atMs);
    if (step === null || (await store.saveChecks([cronMonitorOutcome(monitor, step)])) === 1) return;
    // Saved by another process meanwhile: read it again.
  }
}

// SDKs do not wait: the end of a short run may come before its start, which has the schedule. Null if none.
async function waitForMonitor(
  store: Deps['store'],
  projectId: number,
  { id, slug, environment, status, settings }: CheckIn,
): Promise<MonitorRecord | null> {
  const others = waiting.get(store) ?? 0;
  if (settings !== null || id === null || status === 'in_progress' || others >= waitingCheckInsMax)
    return null;
  waiting.set(store, others + 1);
  try {
    for (const ms of monitorWaitsMs) {
      await sleep(ms);
      const found = await store.findJob(projectId, { slug, environment });
      if (found !== null) return found;
    }
    return null;
  } finally {
    waiting.set(store, (waiting.get(store) ?? 1) - 1);
  }
}

async function createCronMonitor(
  deps: ServiceDeps,
  projectId: number,
  { slug, environment, settings: cron, settingsFault }: CheckIn,
  atMs: number,
  { by, address }: CheckInSender,
): Promise<MonitorRecord> {
  if (cron === null) {
    throw createBadRequestError(
      'notifier_unknown_monitor',
      `There is no monitor ${slug} in ${environment}, and it cannot be created: ${settingsFault}`,
    );
  }
  const name = environment === defaultEnvironment ? slug : `${slug} (${environment})`;
  const job = { slug, environment };
  return runAudited(deps, by, async ({ store }) => {
    const existing = await store.findJob(projectId, job);
    if (existing !== null) return { result: existing, auditEvent: null };
    await requireCapacity({ store, config: deps.config }, projectId, address);
    const result = await store.addMonitor({
      projectId,
      name,
      slug: monitorPageSlug(name),
      type: 'cron',
      ...withCronSchedule({ ...defaultSettings, cron }, cron, atMs),
      group: '',
      tags: [],
      goal: defaultSloTarget,
      timeoutMs: defaultTimeoutMs,
      createdAtMs: atMs,
      createdBy: 'a check-in',
      sender: address ?? '',
      nextCheckAtMs: null,
      tokenHash: null,
      job,
      runs: noRuns,
    });
    return { result, auditEvent: monitorAuditEvent(result, 'monitor.created') };
  });
}

/** Throws 400 beyond the project's limit or the sender's share. */
async function requireCapacity(
  { store, config }: Pick<Deps, 'store' | 'config'>,
  projectId: number,
  address: string | null,
): Promise<void> {
  const { all, ofSender } = await store.countJobs(projectId, address);
  const isShareUsed =
    config.rateLimits.enabled &&
    isQuotaScarce(all, cronMonitorsMax) &&
    ofSender >= addressShareOfQuota(cronMonitorsMax);
  if (all >= cronMonitorsMax || isShareUsed || (await store.countMonitors(projectId)) >= monitorsMax) {
    throw createBadRequestError('notifier_too_many_monitors', 'The maximum number of monitors is reached.');
  }
}

async function applyCheckInSchedule(
  deps: ServiceDeps,
  monitor: MonitorRecord,
  { settings: cron }: CheckIn,
  atMs: number,
  { by }: CheckInSender,
): Promise<MonitorRecord | null> {
  if (cron === null || monitor.sender === null) return monitor;
  if (JSON.stringify(cron) === JSON.stringify(monitor.settings.cron)) return monitor;
  const change: MonitorChange = {
    ...monitor,
    ...withCronSchedule({ ...monitor.settings, cron }, cron, atMs),
    runs: withSchedule(monitor.runs ?? noRuns, cron, atMs),
  };
  return runAudited(deps, by, async ({ store }) => {
    const result = await store.changeMonitor(monitor, change);
    return { result, auditEvent: result === null ? null : monitorAuditEvent(result, 'monitor.changed') };
  });
}

type OfSettings = Pick<MonitorRecord, 'settings' | 'target' | 'expects' | 'intervalMs'>;

function withCronSchedule(settings: MonitorRecord['settings'], cron: CronSettings, atMs: number): OfSettings {
  const intervalMs = intervalToNextRunMs(cron.schedule, cron.timezone, atMs);
  const spans = { intervalMs, timeoutMs: defaultTimeoutMs };
  return {
    settings,
    target: describeTarget('cron', settings, spans),
    expects: describeExpectation('cron', settings, spans),
    intervalMs,
  };
}
