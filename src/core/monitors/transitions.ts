import { hourMs, minuteMs } from '../parsing/durations.ts';
import type { MonitorRecord, MonitorStatus, MonitorTransition } from '../store/monitors/monitor-records.ts';
import { passiveMonitorTypes } from '../store/monitors/monitors.ts';

/** The first good check is no news, but it ends alerts from before a pause. */
export function findTransitions(
  monitor: Pick<MonitorRecord, 'name' | 'slug' | 'type' | 'target' | 'state' | 'stateSinceMs'>,
  { state, stateSinceMs, reason }: Pick<MonitorStatus, 'state' | 'stateSinceMs' | 'reason'>,
  { isEnding }: { readonly isEnding: boolean },
): MonitorTransition[] {
  const { name: title, slug, target } = monitor;
  if (state === monitor.state) return [];
  const turn = (kind: MonitorTransition['kind'], detail: string, isNews = true): MonitorTransition => ({
    kind,
    isNews,
    sinceMs: stateSinceMs,
    summary: { title, detail, path: `/monitors/${slug}` },
  });
  // Heartbeats and cron jobs have no target.
  const why = passiveMonitorTypes.includes(monitor.type) ? reason : `${reason}, ${target}`;
  if (state === 'down') return [turn('monitor.down', why)];
  const length = durationText(stateSinceMs - monitor.stateSinceMs);
  return [
    ...(monitor.state === 'pending' ? [turn('monitor.up', 'after a time without checks', false)] : []),
    ...(monitor.state === 'down' ? [turn('monitor.up', `was down for ${length}`)] : []),
    ...(state === 'degraded' && !isEnding ? [turn('monitor.slow', why)] : []),
  ];
}

function durationText(ms: number): string {
  const units = [
    ['hour', hourMs],
    ['minute', minuteMs],
  ] as const;
  const [word, size] = units.find(([, unitMs]) => ms >= 2 * unitMs) ?? (['second', 1_000] as const);
  const count = Math.round(ms / size);
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
