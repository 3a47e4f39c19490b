import type { Deps } from '../../deps.ts';
import type { EpochMs } from '../../parsing/timestamps.ts';
import type { IncidentUpdate } from '../../store/incidents.ts';
import type {
  IncidentStep,
  MaintenanceWindow,
  MonitorRecord,
  WeeklySchedule,
  WindowChange,
  WindowTransition,
} from '../../store/monitors.ts';
import { nextRunMs } from '../cron/schedule.ts';

/** Starts, ends, repeats due windows with their incident; returns active ones. Errors of one go to `logError`. */
export async function advanceWindows(
  { store }: Pick<Deps, 'store'>,
  nowMs: number,
  logError: (error: unknown) => void,
): Promise<readonly MaintenanceWindow[]> {
  const windows: MaintenanceWindow[] = [];
  for (const window of await store.windowsNow(nowMs)) {
    const now = await advanceWindow({ store }, window, nowMs).catch((error: unknown) => {
      logError(error);
      return window;
    });
    if (now?.isInProgress === true) windows.push(now);
  }
  return windows;
}

async function advanceWindow({ store }: Pick<Deps, 'store'>, window: MaintenanceWindow, nowMs: number) {
  if (window.dueAtMs === null || window.dueAtMs > nowMs) return window;
  const covered = await findCoveredMonitors({ store }, window);
  // If another process changed it meanwhile, the old one would have monitors checked during maintenance.
  return (
    (await store.applyWindowTransition(window, nextTransition(window, covered, nowMs))) ??
    (await store.findWindow(window.id))
  );
}

export async function findCoveredMonitors(
  { store }: Pick<Deps, 'store'>,
  window: Pick<MaintenanceWindow, 'projectId' | 'covers'>,
): Promise<readonly MonitorRecord[]> {
  return (await store.listMonitors(window.projectId)).filter((each) => windowCovers(window, each));
}

function nextTransition(
  window: MaintenanceWindow,
  covered: readonly MonitorRecord[],
  nowMs: number,
): WindowTransition {
  const unchanged = unchangedWindow(window);
  const wakes = covered.map(({ id }) => id);
  const isOver = nowMs >= window.toMs;
  if (!window.isInProgress && !isOver) {
    return {
      change: { ...unchanged, isInProgress: true, dueAtMs: window.toMs },
      steps: [],
      wakes,
      atMs: nowMs,
    };
  }
  const next = window.weekly === null ? null : nextWeeklyOccurrence(window.weekly, nowMs);
  const change: WindowChange = {
    ...unchanged,
    ...(next ?? {}),
    isInProgress: false,
    dueAtMs: next === null ? null : next.fromMs,
  };
  const steps: IncidentStep[] = [endStep(window, window.toMs)];
  if (next !== null) steps.push({ does: 'plan', atMs: nowMs, affects: covered });
  return { change, steps, wakes: window.isInProgress ? wakes : [], atMs: nowMs };
}

export function endStep({ createdBy }: Pick<MaintenanceWindow, 'createdBy'>, atMs: number): IncidentStep {
  const update: IncidentUpdate = {
    atMs,
    author: createdBy,
    isPublic: true,
    body: '',
    from: 'planned',
    to: 'resolved',
  };
  return { does: 'end', atMs, update };
}

function unchangedWindow(window: MaintenanceWindow): WindowChange {
  const { title, message, covers: of, weekly, fromMs, toMs, isInProgress, dueAtMs } = window;
  return { title, message, covers: of, weekly, fromMs, toMs, isInProgress, dueAtMs };
}

/** The first occurrence that is not over at `atMs`. The length ignores changes of the clock. */
export function nextWeeklyOccurrence(weekly: WeeklySchedule, atMs: EpochMs) {
  const { weekdays, hour, minute, lengthMs, timezone } = weekly;
  const value = `${minute} ${hour} * * ${weekdays.join(',')}`;
  const fromMs = nextRunMs({ type: 'crontab', value }, timezone, atMs - lengthMs);
  if (fromMs === null) throw new Error('Each week has its days.');
  return { fromMs, toMs: fromMs + lengthMs };
}

export function windowCovers(
  { projectId, covers: of }: Pick<MaintenanceWindow, 'projectId' | 'covers'>,
  monitor: Pick<MonitorRecord, 'id' | 'projectId' | 'group' | 'tags'>,
): boolean {
  if (projectId !== null && monitor.projectId !== projectId) return false;
  return (
    of.all ||
    of.monitorIds.includes(monitor.id) ||
    (of.group !== '' && monitor.group === of.group) ||
    (of.tag !== '' && monitor.tags.includes(of.tag))
  );
}

export function maintenanceUntilMs(
  windows: readonly MaintenanceWindow[],
  monitor: Pick<MonitorRecord, 'id' | 'projectId' | 'group' | 'tags'>,
  atMs: EpochMs,
): EpochMs | null {
  const ends = windows
    .filter(({ isInProgress, fromMs, toMs }) => isInProgress && fromMs <= atMs && atMs < toMs)
    .filter((window) => windowCovers(window, monitor))
    .map(({ toMs }) => toMs);
  return ends.length === 0 ? null : Math.max(...ends);
}
