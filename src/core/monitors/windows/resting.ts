// A monitor while work goes on at it: it is not asked and nobody is told, and its time is counted apart. A
// pure function of how it stood, of what is planned and of when.
import { hourMs, minuteMs } from '../../reading/spans.ts';
import type { CheckOutcome, KeptMonitor, Standing, WatchedTime } from '../../store/monitors/monitoring.ts';
import type { MaintenanceWindow } from '../../store/monitors/windows.ts';
import { atWorkUntilMs } from './times.ts';

/** How much of its time is counted at once. */
const countedMsMax = hourMs;

/** What is to be written of it; null where no work goes on, and none ends. */
export function restingOutcome(
  monitor: KeptMonitor,
  windows: readonly MaintenanceWindow[],
  atMs: number,
): CheckOutcome | null {
  const untilMs = atWorkUntilMs(windows, monitor, atMs);
  const isAtRest = monitor.state === 'maintenance';
  if (untilMs === null && !isAtRest) return null;
  const { countedToMs, stateSinceMs, certificateEndsAtMs, runs } = monitor;
  const common = {
    monitor,
    check: null,
    times: timesOf(monitor, atMs),
    turns: [],
    certificateEndsAtMs,
    runs,
  };
  const counted = { suspicion: null, countedToMs: Math.max(countedToMs, atMs) };
  if (untilMs === null) {
    const standing: Standing = { ...counted, state: 'pending', stateSinceMs: atMs, reason: '' };
    return { ...common, standing, nextCheckAtMs: atMs };
  }
  const sinceMs = isAtRest ? stateSinceMs : atMs;
  const standing: Standing = {
    ...counted,
    state: 'maintenance',
    stateSinceMs: sinceMs,
    reason: 'planned work',
  };
  const nextCheckAtMs = Math.min(untilMs, atMs + countedMsMax);
  return { ...common, standing, nextCheckAtMs, stateUntilMs: untilMs };
}

/** The time since it was last counted, as what it was; nobody's, where nobody looked for long. */
function timesOf(monitor: KeptMonitor, toMs: number): readonly WatchedTime[] {
  const { state, countedToMs: fromMs, type, intervalMs, timeoutMs, terms } = monitor;
  const isCounted = state !== 'pending' && state !== 'paused' && toMs > fromMs;
  if (!isCounted) return [];
  // What is at rest, and a job, is counted by the hour.
  const isHourly = state === 'maintenance' || type === 'cron';
  const watchedMsMax = isHourly ? countedMsMax + minuteMs : 2 * intervalMs + timeoutMs + terms.graceMs;
  return toMs - fromMs > watchedMsMax ? [] : [{ fromMs, toMs, state }];
}
