import { hourMs, minuteMs } from '../reading/spans.ts';
import type { KeptMonitor, MonitorTurn, Standing } from '../store/monitors/monitoring.ts';
import { calledTypes } from '../store/monitors/monitors.ts';

/** The first good check is no news, but it ends alerts from before a pause. */
export function turnsOf(
  monitor: Pick<KeptMonitor, 'name' | 'slug' | 'type' | 'target' | 'state' | 'stateSinceMs'>,
  { state, stateSinceMs, reason }: Pick<Standing, 'state' | 'stateSinceMs' | 'reason'>,
  { isEnding }: { readonly isEnding: boolean },
): MonitorTurn[] {
  const { name: title, slug, target } = monitor;
  if (state === monitor.state) return [];
  const turn = (kind: MonitorTurn['kind'], detail: string, isNews = true): MonitorTurn => ({
    kind,
    isNews,
    sinceMs: stateSinceMs,
    said: { title, detail, path: `/monitors/${slug}` },
  });
  // Heartbeats and cron jobs have no target.
  const why = calledTypes.includes(monitor.type) ? reason : `${reason}, ${target}`;
  if (state === 'down') return [turn('monitor.down', why)];
  const length = lengthWords(stateSinceMs - monitor.stateSinceMs);
  return [
    ...(monitor.state === 'pending' ? [turn('monitor.up', 'after a time without checks', false)] : []),
    ...(monitor.state === 'down' ? [turn('monitor.up', `was down for ${length}`)] : []),
    ...(state === 'degraded' && !isEnding ? [turn('monitor.slow', why)] : []),
  ];
}

function lengthWords(ms: number): string {
  const units = [
    ['hour', hourMs],
    ['minute', minuteMs],
  ] as const;
  const [word, size] = units.find(([, unitMs]) => ms >= 2 * unitMs) ?? (['second', 1_000] as const);
  const count = Math.round(ms / size);
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
