import { askedTypes, type MonitorChangeRequest, type MonitorRequest } from '../../../schemas/monitors.ts';
import { type AuditBy, type AuditedAct, actAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { badRequest, invalidParam, missingParams, type Owner, ofOwner } from '../errors.ts';
import { parseMoment } from '../reading/moments.ts';
import { oneLine } from '../reading/one-line.ts';
import { minuteMs } from '../reading/spans.ts';
import type { JobName } from '../store/monitors/cron.ts';
import type { KeptMonitor, MonitorChange, MonitorTerms } from '../store/monitors/monitoring.ts';
import { calledTypes } from '../store/monitors/monitors.ts';
import { newToken, tokenHash } from './calls.ts';
import { jobSlugOf, usualEnvironment } from './cron/check-ins.ts';
import { gapMs } from './cron/schedule.ts';
import { noRuns, withTerms } from './cron/standing.ts';
import { monitorsMax, pageSlugOf, usualGoal, usualTimeoutMs } from './naming.ts';
import { refusePrivate, termsOf, usualTerms } from './terms.ts';
import { expectsOf, targetOf } from './words.ts';

type Parts = Pick<Deps, 'store' | 'now' | 'reach'>;

const usualIntervalMs = 60_000;
const usualGraceMs = 5 * minuteMs;

export interface MadeMonitor {
  readonly monitor: KeptMonitor;
  /** The token of a heartbeat's URL, shown only once; null for other types. */
  readonly token: string | null;
}

/** The first check is due at once. Throws 400 for an invalid target and beyond 2,000 monitors. */
export function createMonitor(
  deps: Parts & Pick<Deps, 'randomBytes'>,
  projectId: Owner,
  asked: MonitorRequest,
  by: AuditBy,
): Promise<MadeMonitor> {
  return actAudited(deps, by, async (parts) => {
    const result = await addMonitor(parts, projectId, asked, by.actor.name);
    return { result, told: monitorEntry(result.monitor, 'monitor.created') };
  });
}

async function addMonitor(
  { store, now, randomBytes, reach }: Parts & Pick<Deps, 'randomBytes'>,
  projectId: Owner,
  asked: MonitorRequest,
  createdBy: string,
): Promise<MadeMonitor> {
  if ((await store.countMonitors(projectId)) >= monitorsMax) {
    throw badRequest('notifier_too_many_monitors', `A project may have at most ${monitorsMax} monitors.`);
  }
  const { type } = asked;
  const createdAtMs = now();
  const isCalled = type === 'heartbeat';
  const terms = termsOf(type, asked, { ...usualTerms, graceMs: isCalled ? usualGraceMs : 0 });
  refusePrivate(reach, type, terms);
  const name = nameOf(asked.name);
  const usual = { intervalMs: usualIntervalMs, timeoutMs: usualTimeoutMs };
  const spans = spansOf(asked, terms, usual, createdAtMs);
  const job = jobOf(asked, projectId, name);
  const token = isCalled ? newToken(randomBytes) : null;
  if (job !== null && projectId !== null && (await store.findJob(projectId, job)) !== null) {
    throw badRequest('notifier_monitor_exists', `The project already has a monitor of the job ${job.slug}.`);
  }
  const monitor = await store.addMonitor({
    projectId,
    slug: pageSlugOf(name),
    name,
    type,
    target: targetOf(type, terms, spans),
    expects: expectsOf(type, terms, spans),
    terms,
    group: oneLine(asked.group ?? ''),
    tags: tagsOf(asked.tags) ?? [],
    goal: goalOf(asked.goal) ?? usualGoal,
    ...spans,
    createdAtMs,
    createdBy,
    sender: null,
    nextCheckAtMs: calledTypes.includes(type) ? null : createdAtMs,
    tokenHash: token === null ? null : tokenHash(token),
    job,
    runs: job === null ? null : noRuns,
  });
  return { monitor, token };
}

export async function getMonitor(
  { store }: Pick<Deps, 'store'>,
  projectId: Owner,
  id: number,
): Promise<KeptMonitor> {
  return ofOwner(await store.findKeptMonitor(id), projectId, 'monitor');
}

/** Changed checks run at once. `new_address` replaces the token of a heartbeat; 400 for other types. */
export function updateMonitor(
  deps: Parts & Pick<Deps, 'randomBytes'>,
  projectId: Owner,
  id: number,
  asked: MonitorChangeRequest,
  by: AuditBy,
): Promise<MadeMonitor> {
  return actAudited(deps, by, async ({ store, randomBytes }) => {
    const monitor = await changed({ store }, projectId, id, (before) => changeOf(deps, before, asked));
    const isRenewed = asked.new_address === true;
    if (isRenewed && monitor.type !== 'heartbeat') {
      throw invalidParam({ new_address: 'new_address is only used by monitors of the type heartbeat.' });
    }
    const token = isRenewed ? newToken(randomBytes) : null;
    if (token !== null) await store.changeMonitorToken(id, tokenHash(token));
    const told = monitorEntry(monitor, isRenewed ? 'monitor.readdressed' : 'monitor.changed');
    return { result: { monitor, token }, told };
  });
}

async function changed(
  { store }: Pick<Deps, 'store'>,
  projectId: Owner,
  id: number,
  next: (before: KeptMonitor) => MonitorChange,
): Promise<KeptMonitor> {
  for (;;) {
    const before = await getMonitor({ store }, projectId, id);
    // A check was saved meanwhile: read it again.
    const after = await store.changeMonitor(before, next(before));
    if (after !== null) return after;
  }
}

/** Makes the next check due now. Throws 400 if the monitor is paused, in maintenance or waits for calls. */
export function hurryMonitor(
  deps: Pick<Deps, 'store' | 'now'>,
  id: number,
  by: AuditBy,
): Promise<KeptMonitor> {
  return actAudited(deps, by, async ({ store, now }) => {
    const result = await changed({ store }, null, id, (before) => {
      if (before.state === 'paused') {
        throw badRequest('notifier_monitor_paused', 'The monitor is paused, so no checks run.');
      }
      if (calledTypes.includes(before.type)) {
        throw badRequest(
          'notifier_monitor_type',
          'This monitor is called by your job, so it runs no checks.',
        );
      }
      if (before.state === 'maintenance') {
        throw badRequest('notifier_monitor_maintenance', 'Maintenance is in progress, so no checks run.');
      }
      return { ...before, nextCheckAtMs: now() };
    });
    return { result, told: monitorEntry(result, 'monitor.asked') };
  });
}

export function deleteMonitor(
  deps: Pick<Deps, 'store' | 'now'>,
  projectId: Owner,
  id: number,
  by: AuditBy,
): Promise<KeptMonitor> {
  return actAudited(deps, by, async ({ store }) => {
    const there = await getMonitor({ store }, projectId, id);
    const result = (await store.deleteMonitor(id)) ?? there;
    return { result, told: monitorEntry(result, 'monitor.deleted') };
  });
}

export function monitorEntry(
  { slug, projectId, name, type, target, intervalMs, state }: KeptMonitor,
  action: `monitor.${'created' | 'changed' | 'asked' | 'readdressed' | 'deleted'}`,
): AuditedAct {
  const every = `each ${intervalMs / 1000} s${state === 'paused' ? ', paused' : ''}`;
  const isState = action === 'monitor.created' || action === 'monitor.changed';
  const summary = isState ? `${type} ${target}, ${every}` : '';
  return { action, object: { kind: 'monitor', id: slug, name }, projectId, summary };
}

function changeOf(
  { now, reach }: Pick<Deps, 'now' | 'reach'>,
  before: KeptMonitor,
  asked: MonitorChangeRequest,
): MonitorChange {
  const { type, state, stateSinceMs, stateUntilMs, reason, suspicion, nextCheckAtMs } = before;
  const askedType = askedTypes.find((each) => each === type);
  if (askedType === undefined) {
    throw badRequest('notifier_monitor_type', `A ${type} monitor cannot be changed here.`);
  }
  const terms = termsOf(askedType, asked, before.terms);
  // An unchanged target may stay even if it is not allowed any more.
  const isOtherTarget = terms.url !== before.terms.url || terms.host !== before.terms.host;
  if (isOtherTarget) refusePrivate(reach, askedType, terms);
  const spans = spansOf(asked, terms, before, now());
  const { runs: stood } = before;
  const { cron } = terms;
  // For cron jobs only the schedule counts: the interval computed from it differs from day to day.
  const isOther =
    cron === null
      ? JSON.stringify([terms, spans.intervalMs, spans.timeoutMs]) !==
        JSON.stringify([before.terms, before.intervalMs, before.timeoutMs])
      : whenOf(cron) !== whenOf(before.terms.cron);
  const runs = stood === null || cron === null || !isOther ? stood : withTerms(stood, cron, now());
  const isAnew = state !== 'paused' && (isOther || stood !== null);
  const anew = isAnew ? { ...(isOther ? { suspicion: null } : {}), nextCheckAtMs: now() } : {};
  return {
    name: asked.name == null ? before.name : nameOf(asked.name),
    target: targetOf(askedType, terms, spans),
    expects: expectsOf(askedType, terms, spans),
    terms,
    group: asked.group == null ? before.group : oneLine(asked.group),
    tags: tagsOf(asked.tags) ?? before.tags,
    goal: goalOf(asked.goal) ?? before.goal,
    ...spans,
    state,
    stateSinceMs,
    stateUntilMs,
    reason,
    suspicion,
    nextCheckAtMs,
    runs,
    ...anew,
    ...pauseOf(now(), before, asked),
  };
}

function whenOf(cron: MonitorTerms['cron']): string {
  return JSON.stringify([cron?.schedule, cron?.timezone]);
}

function pauseOf(
  nowMs: number,
  { state }: KeptMonitor,
  { paused, paused_until: until }: MonitorChangeRequest,
): Partial<MonitorChange> {
  const untilMs = until == null || until === '' ? null : parseMoment(until);
  if (untilMs === null && until != null && until !== '') {
    throw invalidParam({ paused_until: 'paused_until must be a date, for example 2026-12-01T08:00:00Z.' });
  }
  if (untilMs !== null && (paused === false || untilMs <= nowMs)) {
    throw invalidParam({ paused_until: 'paused_until must be in the future, and requires paused.' });
  }
  const common = { reason: '', suspicion: null };
  if (paused === true || untilMs !== null) {
    const since = state === 'paused' ? {} : { stateSinceMs: nowMs };
    return { ...common, state: 'paused', stateUntilMs: untilMs, nextCheckAtMs: untilMs, ...since };
  }
  if (paused !== false || state !== 'paused') return {};
  return { ...common, state: 'pending', stateSinceMs: nowMs, stateUntilMs: null, nextCheckAtMs: nowMs };
}

function spansOf(
  asked: MonitorChangeRequest,
  { cron }: MonitorTerms,
  before: Pick<KeptMonitor, 'intervalMs' | 'timeoutMs'>,
  nowMs: number,
): Pick<KeptMonitor, 'intervalMs' | 'timeoutMs'> {
  if (cron !== null) {
    return { intervalMs: gapMs(cron.schedule, cron.timezone, nowMs), timeoutMs: before.timeoutMs };
  }
  const intervalMs = asked.interval == null ? before.intervalMs : asked.interval * 1000;
  const timeoutMs = asked.timeout == null ? before.timeoutMs : asked.timeout * 1000;
  if (timeoutMs <= intervalMs) return { intervalMs, timeoutMs };
  throw invalidParam({ timeout: 'timeout must not be longer than interval.' });
}

/** The slug and environment of check-ins. Cron monitors need a project, because check-ins belong to one. */
function jobOf(asked: MonitorRequest, projectId: Owner, name: string): JobName | null {
  const { type, monitor_slug: said, environment } = asked;
  if (type !== 'cron') {
    const wrong = said != null ? 'monitor_slug' : environment != null ? 'environment' : null;
    if (wrong === null) return null;
    throw invalidParam({ [wrong]: `${wrong} is not used by monitors of the type ${type}.` });
  }
  if (projectId === null) throw missingParams(['project']);
  const slug = jobSlugOf(said ?? name);
  if (slug === null) {
    throw invalidParam({
      monitor_slug: 'monitor_slug must contain letters or digits, for example nightly-import.',
    });
  }
  return { slug, environment: oneLine(environment ?? '') || usualEnvironment };
}

function nameOf(name: string): string {
  const line = oneLine(name);
  if (line === '') throw invalidParam({ name: 'name must not be empty.' });
  return line;
}

function tagsOf(tags: readonly string[] | null | undefined): string[] | null {
  if (tags == null) return null;
  return [...new Set(tags.map(oneLine))].filter((tag) => tag !== '');
}

function goalOf(percent: number | null | undefined): number | null {
  // 99.9 / 100 is not exactly 0.999.
  return percent == null ? null : Number((percent / 100).toFixed(6));
}
