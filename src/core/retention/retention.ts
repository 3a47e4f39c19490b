import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import { ProjectDeletedError } from '../errors.ts';
import { hourMs, minuteMs } from '../parsing/durations.ts';
import { formatTime } from '../parsing/timestamps.ts';
import {
  projectBytesSetting,
  retentionDisabledSetting,
  retentionStateSetting,
} from '../store/setting-names.ts';
import {
  listIssuesByProject,
  type PlanOptions,
  type ProjectPlan,
  planRetention,
  type RetentionLimits,
  storedBytesByProject,
} from './plan.ts';
import { isRunRequested, serializeStoredBytes } from './project-quotas.ts';
import { createRemover, type RemovalOptions, removeProjectExcess } from './removal.ts';
import {
  countEventsToRemove,
  nextRetentionState,
  parseRetentionState,
  type RetentionState,
  startsAtMs,
} from './state.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'config' | 'log' | 'measures'>;

/** A project can exceed its quota by what arrives within this time. */
const runIntervalMs = 10 * minuteMs;
/** While removal is held back: planning reads the oldest events of every issue. */
const heldBackIntervalMs = hourMs;

export interface RetentionRunOptions extends RemovalOptions, PlanOptions {
  /** An operator confirmed: nothing is held back. */
  readonly isConfirmed: boolean;
  readonly isDryRun: boolean;
}

export interface RetentionRun {
  /** `off`: no limit is set. `kept`: this database is marked to keep everything. */
  readonly status: 'on' | 'off' | 'kept';
  readonly plans: readonly ProjectPlan[];
  readonly state: RetentionState | null;
  readonly removed: ReadonlyMap<number, number>;
  readonly bytes: number;
  readonly bytesOf: ReadonlyMap<number, number>;
  readonly vacuum: 'steps' | 'none' | 'not needed' | null;
}

const requestPollMs = 5_000;

/** One run; it can be aborted at any time, the next continues. A whole run stores the bytes of each project, which
 * ingestion compares with the quota; not while removal is held back, so that nothing is refused then. */
export async function runRetention(deps: ServiceDeps, options: RetentionRunOptions): Promise<RetentionRun> {
  const result = await planAndRemove(deps, options);
  const { isDryRun, projectId, isOver } = options;
  if (isDryRun || projectId !== undefined || isOver()) return result;
  const isEnforced =
    result.status === 'on' && result.state?.heldBack === null && deps.config.retention.bytes > 0;
  const remaining = result.plans.map((plan) => [
    plan.projectId,
    Math.max(0, (plan.bytes ?? 0) - (result.bytesOf.get(plan.projectId) ?? 0)),
  ]);
  const storedBytes = isEnforced ? { roundMs: deps.now(), projects: Object.fromEntries(remaining) } : null;
  const before = await deps.store.findSetting(projectBytesSetting);
  const text = serializeStoredBytes(storedBytes);
  if (text !== (before ?? '')) await deps.store.setSetting(projectBytesSetting, text);
  return result;
}

async function planAndRemove(deps: ServiceDeps, options: RetentionRunOptions): Promise<RetentionRun> {
  const { store, config, now } = deps;
  const limits = config.retention;
  const empty = {
    plans: [],
    state: null,
    removed: new Map<number, number>(),
    bytes: 0,
    bytesOf: new Map<number, number>(),
    vacuum: null,
  };
  if (limits.days + limits.events + limits.bytes === 0) return { ...empty, status: 'off' };
  if ((await store.findSetting(retentionDisabledSetting)) !== null) return { ...empty, status: 'kept' };
  const plans = await planRetention(deps, limits, options);
  if (options.isOver()) return { ...empty, status: 'on' };
  const before = parseRetentionState(await store.findSetting(retentionStateSetting));
  const state = nextRetentionState(before, plans, limits, now(), options.isConfirmed);
  const isFullRun = options.projectId === undefined;
  if (options.isDryRun) return { ...empty, status: 'on', plans, state };
  if (isFullRun) await store.setSetting(retentionStateSetting, JSON.stringify(state));
  if (state.heldBack !== null) return { ...empty, status: 'on', plans, state };
  const done = await removeDue(deps, limits, plans, options);
  // Stored plans say what is still to be removed, which is nothing now.
  if (isFullRun) await store.setSetting(retentionStateSetting, JSON.stringify({ ...state, plans: [] }));
  const vacuum = await vacuumInSteps(deps, options);
  return { status: 'on', plans, state, ...done, vacuum };
}

async function removeDue(
  { store, now }: ServiceDeps,
  limits: RetentionLimits,
  plans: readonly ProjectPlan[],
  options: RetentionRunOptions,
): Promise<Pick<RetentionRun, 'removed' | 'bytes' | 'bytesOf'>> {
  const removed = new Map<number, number>();
  const bytesOf = new Map<number, number>();
  const due = plans.filter((plan) => countEventsToRemove([plan]) > 0);
  if (due.length === 0) return { removed, bytes: 0, bytesOf };
  const remover = createRemover(store, await store.beginRemoval(), options);
  const issues = await listIssuesByProject(store, options);
  const weights = limits.bytes === 0 ? null : await storedBytesByProject(store, options);
  let bytes = 0;
  for (const { projectId } of due) {
    const usage = { issues: issues.get(projectId) ?? [], bytes: weights?.get(projectId) ?? null };
    try {
      const totals = await removeProjectExcess(remover, limits, usage, now());
      removed.set(projectId, totals.events);
      bytesOf.set(projectId, totals.bytes);
      bytes += totals.bytes;
    } catch (error) {
      // The project is being deleted, with all its events.
      if (!(error instanceof ProjectDeletedError)) throw error;
    }
    if (remover.isOver()) break;
  }
  return { removed, bytes, bytesOf };
}

/** Returns free space to the file system; pauses between steps as long as each took. */
async function vacuumInSteps({ store }: ServiceDeps, { isOver, sleep }: RetentionRunOptions) {
  for (;;) {
    const startedMs = performance.now();
    const { mode, done } = await store.vacuumStep();
    if (done || isOver()) return mode;
    await sleep(Math.max(1, performance.now() - startedMs));
  }
}

type Sleep = (milliseconds: number, options: { signal: AbortSignal; ref: false }) => Promise<unknown>;

/** Runs now and then every ten minutes (hourly while removal is held back). */
export function startRetention(
  deps: ServiceDeps,
  rest: Sleep = (milliseconds, options) => pause(milliseconds, undefined, options),
) {
  const ended = new AbortController();
  let woken = new AbortController();
  const sleep = (milliseconds: number): Promise<void> =>
    pause(milliseconds, undefined, { signal: ended.signal, ref: false }).catch(() => {});
  const isOver = (): boolean => ended.signal.aborted;
  const options = { isOver, sleep, onProgress: () => {}, isConfirmed: false, isDryRun: false };
  async function run(): Promise<void> {
    for (let lastNote = ''; !isOver(); ) {
      try {
        const result = await runRetention(deps, options);
        const heldBack = result.state?.heldBack ?? '';
        if (heldBack !== lastNote && result.state !== null) logHeldBack(deps, result.state);
        lastNote = heldBack;
        logRemoved(deps, result);
      } catch (error) {
        // Errors are expected when the store closes during a batch.
        if (!isOver()) deps.log.warn({ error: String(error) }, 'retention failed');
      }
      const signal = AbortSignal.any([ended.signal, woken.signal]);
      await rest(lastNote === '' ? runIntervalMs : heldBackIntervalMs, { signal, ref: false }).catch(
        () => {},
      );
      woken = new AbortController();
    }
  }
  const wake = (): void => woken.abort();
  async function watchForRequests(): Promise<void> {
    while (deps.config.retention.bytes > 0 && !isOver()) {
      await sleep(requestPollMs);
      if (!isOver() && (await isRunRequested(deps.store).catch(() => false))) wake();
    }
  }
  const running = Promise.all([run(), watchForRequests()]);
  return {
    /** Starts a run now, or another after the current one. */
    wake,
    async stop() {
      ended.abort();
      await running;
    },
  };
}

function logHeldBack({ log }: ServiceDeps, state: RetentionState): void {
  const { heldBack, plans } = state;
  if (heldBack === null) return;
  const beginsAt = startsAtMs(state);
  const fields = { why: heldBack, events: countEventsToRemove(plans), projects: plans.length };
  const begins = beginsAt === null ? {} : { begins: formatTime(beginsAt) };
  log.warn(
    { ...fields, ...begins },
    'retention is on hold: check with notifier prune, then run notifier prune --yes',
  );
}

function logRemoved({ log, measures: metrics }: ServiceDeps, { removed, bytes }: RetentionRun): void {
  const events = [...removed.values()].reduce((sum, each) => sum + each, 0);
  if (events > 0) metrics?.count('retentionRemoved', ['events'], events);
  if (events > 0) log.info({ events, bytes, projects: removed.size }, 'retention deleted events');
}
