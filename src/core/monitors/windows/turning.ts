// How a window goes on: its work begins, ends, and comes again; what that changes of the incident that pages
// show of it, and which monitors are to be looked at. The loop of monitors asks for it.
import type { Deps } from '../../deps.ts';
import type { IncidentUpdate } from '../../store/incidents/incidents.ts';
import type { KeptMonitor } from '../../store/monitors/monitoring.ts';
import type { MaintenanceWindow, WindowChange, WindowTurn, WorkStep } from '../../store/monitors/windows.ts';
import { covers, weeklyWork } from './times.ts';

/**
 * Lets begin and end what does so by now, and answers what is under way then. `tell` takes a failure, which
 * keeps no other window from going on, and no monitor from being asked.
 */
export async function turnWindows(
  { store }: Pick<Deps, 'store'>,
  nowMs: number,
  tell: (error: unknown) => void,
): Promise<readonly MaintenanceWindow[]> {
  const windows: MaintenanceWindow[] = [];
  for (const window of await store.windowsNow(nowMs)) {
    const now = await turned({ store }, window, nowMs).catch((error: unknown) => {
      tell(error);
      return window;
    });
    if (now?.isUnderWay === true) windows.push(now);
  }
  return windows;
}

/** The window as it is then; null where it is gone. */
async function turned(
  { store }: Pick<Deps, 'store'>,
  window: MaintenanceWindow,
  nowMs: number,
): Promise<MaintenanceWindow | null> {
  if (window.dueAtMs === null || window.dueAtMs > nowMs) return window;
  const covered = await coveredBy({ store }, window);
  // Who turned or changed it in between saw to it: as it was it would have monitors asked at work that began.
  return (
    (await store.turnWindow(window, turnOf(window, covered, nowMs))) ?? (await store.findWindow(window.id))
  );
}

/** Those that a window is about now. */
export async function coveredBy(
  { store }: Pick<Deps, 'store'>,
  window: Pick<MaintenanceWindow, 'projectId' | 'covers'>,
): Promise<readonly KeptMonitor[]> {
  return (await store.listKeptMonitors(window.projectId)).filter((each) => covers(window, each));
}

/** What its moment brings: it begins, or it is over and the next is planned. */
function turnOf(window: MaintenanceWindow, covered: readonly KeptMonitor[], nowMs: number): WindowTurn {
  const kept = changeOf(window);
  const wakes = covered.map(({ id }) => id);
  const isOver = nowMs >= window.toMs;
  if (!window.isUnderWay && !isOver) {
    return { change: { ...kept, isUnderWay: true, dueAtMs: window.toMs }, steps: [], wakes, atMs: nowMs };
  }
  const next = window.weekly === null ? null : weeklyWork(window.weekly, nowMs);
  const change: WindowChange = {
    ...kept,
    ...(next ?? {}),
    isUnderWay: false,
    dueAtMs: next === null ? null : next.fromMs,
  };
  const steps: WorkStep[] = [endOf(window, window.toMs)];
  if (next !== null) steps.push({ does: 'plan', atMs: nowMs, affects: covered });
  return { change, steps, wakes: window.isUnderWay ? wakes : [], atMs: nowMs };
}

/** The end of its work, as everybody may read it. */
export function endOf({ createdBy }: Pick<MaintenanceWindow, 'createdBy'>, atMs: number): WorkStep {
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

/** What of a window a change writes, as it is. */
function changeOf(window: MaintenanceWindow): WindowChange {
  const { title, message, covers: of, weekly, fromMs, toMs, isUnderWay, dueAtMs } = window;
  return { title, message, covers: of, weekly, fromMs, toMs, isUnderWay, dueAtMs };
}
