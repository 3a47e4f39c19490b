import { levels } from '../../../schemas/event.ts';
import { sum } from '../parsing/format/numbers.ts';
import type { LevelHour } from '../store/issue-queries.ts';

export function countEvents(hours: readonly LevelHour[]): number {
  return sum(hours.flatMap((hour) => levels.map((level) => hour[level])));
}

export function buildLevelBars(hours: readonly LevelHour[], fromMs: number, toMs: number, stepMs: number) {
  const bars = Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, () => {
    return { fatal: 0, error: 0, warning: 0, info: 0, debug: 0 };
  });
  for (const hour of hours) {
    const bar = bars[Math.floor((hour.atMs - fromMs) / stepMs)];
    for (const level of levels) if (bar !== undefined) bar[level] += hour[level];
  }
  return bars;
}
