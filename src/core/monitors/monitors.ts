import {
  checkedMonitorTypes,
  type MonitorChangeRequest,
  type MonitorRequest,
} from '../../../schemas/monitors.ts';
import { type AuditEvent, type AuditSource, audited, runAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import {
  createBadRequestError,
  createGetter,
  createInvalidParamError,
  createMissingParamsError,
  createTooManyError,
  type OwnerProjectId,
} from '../errors.ts';
import { requireLine, toOneLine } from '../parsing/display-text.ts';
import { minuteMs } from '../parsing/durations.ts';
import { readPauseEnd } from '../parsing/timestamps.ts';
import {
  type CronJobName,
  type MonitorChange,
  type MonitorRecord,
  type MonitorSettings,
  passiveMonitorTypes,
} from '../store/monitors.ts';
import { defaultEnvironment, monitorSlugOf } from './cron/check-ins.ts';
import { intervalToNextRunMs } from './cron/schedule.ts';
import { noRuns, withSchedule } from './cron/state.ts';
import { describeExpectation, describeTarget } from './descriptions.ts';
import { createHeartbeatToken, hashHeartbeatToken } from './heartbeat.ts';
import {
  defaultSettings,
  defaultSloTarget,
  defaultTimeoutMs,
  monitorPageSlug,
  monitorsMax,
  readMonitorSettings,
  refusePrivateTarget,
} from './settings.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'reach'>;

export const defaultIntervals = { intervalMs: minuteMs, timeoutMs: defaultTimeoutMs };
const defaultGraceMs = 5 * minuteMs;

export interface CreatedMonitor {
  readonly monitor: MonitorRecord;
  /** The token of a heartbeat's URL, shown only once; null for other types. */
  readonly token: string | null;
}

/** The first check is due at once. Throws 400 for an invalid target and beyond 2,000 monitors. */
export function createMonitor(
  deps: ServiceDeps & Pick<Deps, 'randomBytes'>,
  projectId: OwnerProjectId,
  input: MonitorRequest,
  by: AuditSource,
): Promise<CreatedMonitor> {
  return runAudited(deps, by, async (txDeps) => {
    const result = await addMonitor(txDeps, projectId, input, by.actor.name);
    return { result, auditEvent: monitorAuditEvent(result.monitor, 'monitor.created') };
  });
}

async function addMonitor(
  { store, now, randomBytes, reach }: ServiceDeps & Pick<Deps, 'randomBytes'>,
  projectId: OwnerProjectId,
  input: MonitorRequest,
  createdBy: string,
): Promise<CreatedMonitor> {
  if ((await store.countMonitors(projectId)) >= monitorsMax) {
    throw createTooManyError('notifier_too_many_monitors', `${monitorsMax} monitors`);
  }
  const { type } = input;
  const createdAtMs = now();
  const isCalled = type === 'heartbeat';
  const settings = readMonitorSettings(type, input, {
    ...defaultSettings,
    graceMs: isCalled ? defaultGraceMs : 0,
  });
  refusePrivateTarget(reach, type, settings);
  const name = requireLine(input.name, 'name');
  const spans = readIntervals(input, settings, defaultIntervals, createdAtMs);
  const job = readCheckInKey(input, projectId, name);
  const token = isCalled ? createHeartbeatToken(randomBytes) : null;
  if (job !== null && projectId !== null && (await store.findJob(projectId, job)) !== null) {
    throw createBadRequestError(
      'notifier_monitor_exists',
      `The project already has a monitor of the job ${job.slug}.`,
    );
  }
  const monitor = await store.addMonitor({
    projectId,
    slug: monitorPageSlug(name),
    name,
    type,
    target: describeTarget(type, settings, spans),
    expects: describeExpectation(type, settings, spans),
    settings,
    group: toOneLine(input.group ?? ''),
    tags: readTags(input.tags) ?? [],
    goal: readSloTarget(input.goal) ?? defaultSloTarget,
    ...spans,
    createdAtMs,
    createdBy,
    sender: null,
    nextCheckAtMs: passiveMonitorTypes.includes(type) ? null : createdAtMs,
    tokenHash: token === null ? null : hashHeartbeatToken(token),
    job,
    runs: job === null ? null : noRuns,
  });
  return { monitor, token };
}

export const getMonitor = createGetter('monitor', (store: Deps['store'], id) => store.findMonitorRecord(id));

/** Changed checks run at once. `new_address` replaces the token of a heartbeat; 400 for other types. */
export function updateMonitor(
  deps: ServiceDeps & Pick<Deps, 'randomBytes'>,
  projectId: OwnerProjectId,
  id: number,
  changes: MonitorChangeRequest,
  by: AuditSource,
): Promise<CreatedMonitor> {
  return runAudited(deps, by, async ({ store, randomBytes }) => {
    const monitor = await changeMonitor({ store }, projectId, id, (before) =>
      readMonitorChange(deps, before, changes),
    );
    const isRenewed = changes.new_address === true;
    if (isRenewed && monitor.type !== 'heartbeat') {
      throw createInvalidParamError({
        new_address: 'new_address is only used by monitors of the type heartbeat.',
      });
    }
    const token = isRenewed ? createHeartbeatToken(randomBytes) : null;
    if (token !== null) await store.changeMonitorToken(id, hashHeartbeatToken(token));
    const auditEvent = monitorAuditEvent(monitor, isRenewed ? 'monitor.url_rotated' : 'monitor.changed');
    return { result: { monitor, token }, auditEvent };
  });
}

async function changeMonitor(
  { store }: Pick<Deps, 'store'>,
  projectId: OwnerProjectId,
  id: number,
  next: (before: MonitorRecord) => MonitorChange,
): Promise<MonitorRecord> {
  for (;;) {
    const before = await getMonitor({ store }, projectId, id);
    // A check was saved meanwhile: read it again.
    const after = await store.changeMonitor(before, next(before));
    if (after !== null) return after;
  }
}

/** Makes the next check due now. Throws 400 if the monitor is paused, in maintenance or waits for calls. */
export const checkMonitorNow = audited(async ({ store, now }, projectId: OwnerProjectId, id: number) => {
  const result = await changeMonitor({ store }, projectId, id, (before) => {
    if (before.state === 'paused') {
      throw createBadRequestError('notifier_monitor_paused', 'The monitor is paused, so no checks run.');
    }
    if (passiveMonitorTypes.includes(before.type)) {
      throw createBadRequestError(
        'notifier_monitor_type',
        'This monitor is called by your job, so it runs no checks.',
      );
    }
    if (before.state === 'maintenance') {
      throw createBadRequestError(
        'notifier_monitor_maintenance',
        'Maintenance is in progress, so no checks run.',
      );
    }
    return { ...before, nextCheckAtMs: now() };
  });
  return { result, auditEvent: monitorAuditEvent(result, 'monitor.checked') };
});

export const deleteMonitor = audited(async ({ store }, projectId: OwnerProjectId, id: number) => {
  const existing = await getMonitor({ store }, projectId, id);
  const result = (await store.deleteMonitor(id)) ?? existing;
  return { result, auditEvent: monitorAuditEvent(result, 'monitor.deleted') };
});

export function monitorAuditEvent(
  { slug, projectId, name, type, target, intervalMs, state }: MonitorRecord,
  action: `monitor.${'created' | 'changed' | 'checked' | 'url_rotated' | 'deleted'}`,
): AuditEvent {
  const every = `each ${intervalMs / 1000} s${state === 'paused' ? ', paused' : ''}`;
  const isState = action === 'monitor.created' || action === 'monitor.changed';
  const summary = isState ? `${type} ${target}, ${every}` : '';
  return { action, object: { kind: 'monitor', id: slug, name }, projectId, summary };
}

function readMonitorChange(
  { now, reach }: Pick<Deps, 'now' | 'reach'>,
  before: MonitorRecord,
  changes: MonitorChangeRequest,
): MonitorChange {
  const { type, state, stateSinceMs, stateUntilMs, reason, pendingTransition, nextCheckAtMs } = before;
  const askedType = checkedMonitorTypes.find((each) => each === type);
  if (askedType === undefined) {
    throw createBadRequestError('notifier_monitor_type', `A ${type} monitor cannot be changed here.`);
  }
  const settings = readMonitorSettings(askedType, changes, before.settings);
  // An unchanged target may stay even if it is not allowed any more.
  const isOtherTarget = settings.url !== before.settings.url || settings.host !== before.settings.host;
  if (isOtherTarget) refusePrivateTarget(reach, askedType, settings);
  const spans = readIntervals(changes, settings, before, now());
  const { runs: previousRuns } = before;
  const { cron } = settings;
  // For cron jobs only the schedule counts: the interval computed from it differs from day to day.
  const isOther =
    cron === null
      ? JSON.stringify([settings, spans.intervalMs, spans.timeoutMs]) !==
        JSON.stringify([before.settings, before.intervalMs, before.timeoutMs])
      : scheduleKey(cron) !== scheduleKey(before.settings.cron);
  const runs =
    previousRuns === null || cron === null || !isOther
      ? previousRuns
      : withSchedule(previousRuns, cron, now());
  const needsRestart = state !== 'paused' && (isOther || previousRuns !== null);
  const restart = needsRestart
    ? { ...(isOther ? { pendingTransition: null } : {}), nextCheckAtMs: now() }
    : {};
  return {
    name: changes.name == null ? before.name : requireLine(changes.name, 'name'),
    target: describeTarget(askedType, settings, spans),
    expects: describeExpectation(askedType, settings, spans),
    settings,
    group: changes.group == null ? before.group : toOneLine(changes.group),
    tags: readTags(changes.tags) ?? before.tags,
    goal: readSloTarget(changes.goal) ?? before.goal,
    ...spans,
    state,
    stateSinceMs,
    stateUntilMs,
    reason,
    pendingTransition,
    nextCheckAtMs,
    runs,
    ...restart,
    ...readPauseChange(now(), before, changes),
  };
}

function scheduleKey(cron: MonitorSettings['cron']): string {
  return JSON.stringify([cron?.schedule, cron?.timezone]);
}

function readPauseChange(
  nowMs: number,
  { state }: MonitorRecord,
  changes: MonitorChangeRequest,
): Partial<MonitorChange> {
  const { paused } = changes;
  const untilMs = readPauseEnd(changes, nowMs);
  const common = { reason: '', pendingTransition: null };
  if (paused === true || untilMs !== null) {
    const since = state === 'paused' ? {} : { stateSinceMs: nowMs };
    return { ...common, state: 'paused', stateUntilMs: untilMs, nextCheckAtMs: untilMs, ...since };
  }
  if (paused !== false || state !== 'paused') return {};
  return { ...common, state: 'pending', stateSinceMs: nowMs, stateUntilMs: null, nextCheckAtMs: nowMs };
}

export function readIntervals(
  changes: MonitorChangeRequest,
  { cron }: MonitorSettings,
  before: Pick<MonitorRecord, 'intervalMs' | 'timeoutMs'>,
  nowMs: number,
): Pick<MonitorRecord, 'intervalMs' | 'timeoutMs'> {
  if (cron !== null) {
    return {
      intervalMs: intervalToNextRunMs(cron.schedule, cron.timezone, nowMs),
      timeoutMs: before.timeoutMs,
    };
  }
  const intervalMs = changes.interval == null ? before.intervalMs : changes.interval * 1000;
  const timeoutMs = changes.timeout == null ? before.timeoutMs : changes.timeout * 1000;
  if (timeoutMs <= intervalMs) return { intervalMs, timeoutMs };
  throw createInvalidParamError({ timeout: 'timeout must not be longer than interval.' });
}

/** The slug and environment of check-ins. Cron monitors need a project, because check-ins belong to one. */
function readCheckInKey(input: MonitorRequest, projectId: OwnerProjectId, name: string): CronJobName | null {
  const { type, monitor_slug: givenSlug, environment } = input;
  if (type !== 'cron') {
    const unusedField = givenSlug != null ? 'monitor_slug' : environment != null ? 'environment' : null;
    if (unusedField === null) return null;
    throw createInvalidParamError({
      [unusedField]: `${unusedField} is not used by monitors of the type ${type}.`,
    });
  }
  if (projectId === null) throw createMissingParamsError(['project']);
  const slug = monitorSlugOf(givenSlug ?? name);
  if (slug === null) {
    throw createInvalidParamError({
      monitor_slug: 'monitor_slug must contain letters or digits, for example nightly-import.',
    });
  }
  return { slug, environment: toOneLine(environment ?? '') || defaultEnvironment };
}

function readTags(tags: readonly string[] | null | undefined): string[] | null {
  if (tags == null) return null;
  return [...new Set(tags.map(toOneLine))].filter((tag) => tag !== '');
}

function readSloTarget(percent: number | null | undefined): number | null {
  // 99.9 / 100 is not exactly 0.999.
  return percent == null ? null : Number((percent / 100).toFixed(6));
}
