import type { EpochMs } from '../../parsing/timestamps.ts';
import type { MaintenanceWindow, WeeklySchedule } from '../../store/monitors/maintenance-windows.ts';
import type { MonitorRecord } from '../../store/monitors/monitor-records.ts';
import { nextRunMs } from '../cron/schedule.ts';

interface Occurrence {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
}

/** The first occurrence that is not over at `atMs`. The length ignores changes of the clock. */
export function nextWeeklyOccurrence(weekly: WeeklySchedule, atMs: EpochMs): Occurrence {
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
