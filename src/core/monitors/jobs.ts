import { setTimeout as sleep } from 'node:timers/promises';
import { type AuditBy, actAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { isScarce, shareOfAddress } from '../fair-share.ts';
import type { CronTerms, JobRuns } from '../store/monitors/cron.ts';
import type { CheckOutcome, KeptMonitor, MonitorChange } from '../store/monitors/monitoring.ts';
import { type CheckIn, usualEnvironment } from './cron/check-ins.ts';
import { gapMs } from './cron/schedule.ts';
import { afterCheckIn, type JobStep, noRuns, withTerms } from './cron/standing.ts';
import { monitorEntry } from './monitors.ts';
import { monitorsMax, pageSlugOf, usualGoal, usualTimeoutMs } from './naming.ts';
import { usualTerms } from './terms.ts';
import { turnsOf } from './turns.ts';
import { expectsOf, targetOf } from './words.ts';

/** Anyone with the public key of a project can create them. */
const jobsMax = 100;
/** How long the end of a run waits for its start, and how many may wait at once. */
const waitsMs = [50, 100, 200, 400, 800, 1_500];
const waitingMax = 16;
const waiting = new WeakMap<Deps['store'], number>();

type Job = KeptMonitor & { readonly terms: { readonly cron: CronTerms }; readonly runs: JobRuns };

type Parts = Pick<Deps, 'store' | 'now' | 'config'>;

export interface CheckInSender {
  readonly by: AuditBy;
  readonly address: string | null;
}

export function isJob(monitor: KeptMonitor): monitor is Job {
  return monitor.terms.cron !== null && monitor.runs !== null;
}

export function jobOutcome(monitor: KeptMonitor, step: JobStep): CheckOutcome {
  const turns = turnsOf(monitor, step.standing, { isEnding: false });
  return { ...step, monitor, turns, certificateEndsAtMs: null };
}

/**
 * Throws 400 for an unknown monitor without a schedule, beyond 100 in a project, and beyond 10 of one address
 * once 75 exist. As anyone can send check-ins, the schedule only changes monitors that check-ins created.
 * Repeats change nothing.
 */
export async function takeCheckIn(
  deps: Parts,
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
      (await onceBegun(store, projectId, checkIn)) ??
      (await makeJob(deps, projectId, checkIn, atMs, sender));
    const monitor = await asItSays(deps, found, checkIn, atMs, sender);
    if (monitor === null || !isJob(monitor)) continue;
    const step = afterCheckIn(monitor, checkIn, monitor.terms.cron, atMs);
    if (step === null || (await store.saveChecks([jobOutcome(monitor, step)])) === 1) return;
    // Saved by another process meanwhile: read it again.
  }
}

// SDKs send start and end of a run without waiting in between, and only the start has the schedule. So the
// end of a short run can arrive before its monitor exists. Null if none appears.
async function onceBegun(
  store: Deps['store'],
  projectId: number,
  { id, slug, environment, status, terms }: CheckIn,
): Promise<KeptMonitor | null> {
  const others = waiting.get(store) ?? 0;
  if (terms !== null || id === null || status === 'in_progress' || others >= waitingMax) return null;
  waiting.set(store, others + 1);
  try {
    for (const ms of waitsMs) {
      await sleep(ms);
      const found = await store.findJob(projectId, { slug, environment });
      if (found !== null) return found;
    }
    return null;
  } finally {
    waiting.set(store, (waiting.get(store) ?? 1) - 1);
  }
}

async function makeJob(
  deps: Parts,
  projectId: number,
  { slug, environment, terms: cron, termsFault }: CheckIn,
  atMs: number,
  { by, address }: CheckInSender,
): Promise<KeptMonitor> {
  if (cron === null) {
    throw badRequest(
      'notifier_unknown_monitor',
      `There is no monitor ${slug} in ${environment}, and it cannot be created: ${termsFault}`,
    );
  }
  const name = environment === usualEnvironment ? slug : `${slug} (${environment})`;
  const job = { slug, environment };
  return actAudited(deps, by, async ({ store }) => {
    const there = await store.findJob(projectId, job);
    if (there !== null) return { result: there, told: null };
    await requirePlace({ store, config: deps.config }, projectId, address);
    const result = await store.addMonitor({
      projectId,
      name,
      slug: pageSlugOf(name),
      type: 'cron',
      ...termsWith({ ...usualTerms, cron }, cron, atMs),
      group: '',
      tags: [],
      goal: usualGoal,
      timeoutMs: usualTimeoutMs,
      createdAtMs: atMs,
      createdBy: 'a check-in',
      sender: address ?? '',
      nextCheckAtMs: null,
      tokenHash: null,
      job,
      runs: noRuns,
    });
    return { result, told: monitorEntry(result, 'monitor.created') };
  });
}

/** Throws 400 beyond the project's limit or the sender's share. */
async function requirePlace(
  { store, config }: Pick<Deps, 'store' | 'config'>,
  projectId: number,
  address: string | null,
): Promise<void> {
  const { all, ofSender } = await store.countJobs(projectId, address);
  const isShareUsed =
    config.rateLimits.enabled && isScarce(all, jobsMax) && ofSender >= shareOfAddress(jobsMax);
  if (all >= jobsMax || isShareUsed || (await store.countMonitors(projectId)) >= monitorsMax) {
    throw badRequest('notifier_too_many_monitors', 'The maximum number of monitors is reached.');
  }
}

async function asItSays(
  deps: Parts,
  monitor: KeptMonitor,
  { terms: cron }: CheckIn,
  atMs: number,
  { by }: CheckInSender,
): Promise<KeptMonitor | null> {
  if (cron === null || monitor.sender === null) return monitor;
  if (JSON.stringify(cron) === JSON.stringify(monitor.terms.cron)) return monitor;
  const change: MonitorChange = {
    ...monitor,
    ...termsWith({ ...monitor.terms, cron }, cron, atMs),
    runs: withTerms(monitor.runs ?? noRuns, cron, atMs),
  };
  return actAudited(deps, by, async ({ store }) => {
    const result = await store.changeMonitor(monitor, change);
    return { result, told: result === null ? null : monitorEntry(result, 'monitor.changed') };
  });
}

type OfTerms = Pick<KeptMonitor, 'terms' | 'target' | 'expects' | 'intervalMs'>;

function termsWith(terms: KeptMonitor['terms'], cron: CronTerms, atMs: number): OfTerms {
  const intervalMs = gapMs(cron.schedule, cron.timezone, atMs);
  const spans = { intervalMs, timeoutMs: usualTimeoutMs };
  return {
    terms,
    target: targetOf('cron', terms, spans),
    expects: expectsOf('cron', terms, spans),
    intervalMs,
  };
}
