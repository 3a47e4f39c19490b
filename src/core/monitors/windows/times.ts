import type { EpochMs } from '../../reading/moments.ts';
import type { KeptMonitor } from '../../store/monitors/monitoring.ts';
import type { MaintenanceWindow, WeeklyWork } from '../../store/monitors/windows.ts';
import { nextBeginMs } from '../cron/schedule.ts';

interface Work {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
}

/** The first occurrence that is not over at `atMs`. The length ignores changes of the clock. */
export function weeklyWork(weekly: WeeklyWork, atMs: EpochMs): Work {
  const { weekdays, hour, minute, lengthMs, timezone } = weekly;
  const value = `${minute} ${hour} * * ${weekdays.join(',')}`;
  const fromMs = nextBeginMs({ type: 'crontab', value }, timezone, atMs - lengthMs);
  if (fromMs === null) throw new Error('Each week has its days.');
  return { fromMs, toMs: fromMs + lengthMs };
}

export function covers(
  { projectId, covers: of }: Pick<MaintenanceWindow, 'projectId' | 'covers'>,
  monitor: Pick<KeptMonitor, 'id' | 'projectId' | 'group' | 'tags'>,
): boolean {
  if (projectId !== null && monitor.projectId !== projectId) return false;
  return (
    of.all ||
    of.monitorIds.includes(monitor.id) ||
    (of.group !== '' && monitor.group === of.group) ||
    (of.tag !== '' && monitor.tags.includes(of.tag))
  );
}

export function atWorkUntilMs(
  windows: readonly MaintenanceWindow[],
  monitor: Pick<KeptMonitor, 'id' | 'projectId' | 'group' | 'tags'>,
  atMs: EpochMs,
): EpochMs | null {
  const ends = windows
    .filter(({ isUnderWay, fromMs, toMs }) => isUnderWay && fromMs <= atMs && atMs < toMs)
    .filter((window) => covers(window, monitor))
    .map(({ toMs }) => toMs);
  return ends.length === 0 ? null : Math.max(...ends);
}
