// The events of a report: over time by level, and by weekday and hour.
import { levels } from '../../../../schemas/event.ts';
import { momentText } from '../../reading/moments.ts';
import { dayMs, hourMs } from '../../reading/spans.ts';
import type { LevelHour } from '../../store/issue-pages.ts';
import { projectIdsOf } from '../delivery/lists.ts';
import type { Look } from '../visit.ts';
import type { Period } from './period.ts';

const barMs = { week: 6 * hourMs, month: dayMs } as const;

export interface EventsSection {
  readonly bar_hours: number;
  /** As many as fit into the period; those to come are empty. */
  readonly bars: ReadonlyArray<{
    readonly at: string;
    readonly fatal: number;
    readonly error: number;
    readonly warning: number;
    readonly info: number;
    readonly debug: number;
  }>;
  /** Seven rows from Monday, each of 24 counts, UTC. */
  readonly weekday_hours: ReadonlyArray<readonly number[]>;
}

/** What the projects that are looked at took in a period. */
export async function eventsSection(look: Look, { kind, fromMs, toMs }: Period): Promise<EventsSection> {
  const hours = await look.deps.store.listLevelHours(projectIdsOf(look), fromMs, toMs, null);
  const ms = barMs[kind];
  const bars = Array.from({ length: Math.ceil((toMs - fromMs) / ms) }, (_, at) => ({
    at: momentText(fromMs + at * ms),
    fatal: 0,
    error: 0,
    warning: 0,
    info: 0,
    debug: 0,
  }));
  const heat = Array.from({ length: 7 }, () => new Array<number>(24).fill(0));
  for (const hour of hours) {
    const bar = bars[Math.floor((hour.atMs - fromMs) / ms)];
    for (const level of levels) if (bar !== undefined) bar[level] += hour[level];
    const date = new Date(hour.atMs);
    const row = heat[(date.getUTCDay() + 6) % 7];
    if (row !== undefined) row[date.getUTCHours()] = (row[date.getUTCHours()] ?? 0) + sumOf(hour);
  }
  return { bar_hours: ms / hourMs, bars, weekday_hours: heat };
}

function sumOf(hour: LevelHour): number {
  return levels.reduce((sum, level) => sum + hour[level], 0);
}
