// What happened to monitors and when: spans that incidents have, planned work, and short ones that nobody
// opened an incident for. Checks follow from them, so that a figure on one page is the sum of another.
import { dayMs, hourMs, minuteMs } from '../../../core/reading/spans.ts';
import { fiveMinutesMs, floorTo } from '../calendar.ts';
import { between, chance } from '../chance.ts';
import type { Watched } from './monitors.ts';

export interface Span {
  readonly fromMs: number;
  /** Not included; in the future for what goes on. */
  readonly toMs: number;
  readonly kind: 'down' | 'degraded' | 'maintenance';
  /** What a check of that time says. */
  readonly code: string;
  readonly message: string;
  /** Null where no incident was opened. */
  readonly incidentId: number | null;
}

/** One day in so many has a short trouble. */
const blipShare = 0.012;

/**
 * Short troubles of a monitor from the day of `fromMs` to that of `toMs`: at most one a day, by the day
 * alone. They begin with a five-minute slot; what never answers in time of its own has none.
 */
export function blipsOf(seed: string, monitor: Watched, fromMs: number, toMs: number): Span[] {
  if (monitor.usualMs === null || monitor.intervalMs > fiveMinutesMs) return [];
  const spans: Span[] = [];
  for (let day = floorTo(fromMs, dayMs); day < toMs; day += dayMs) {
    if (chance(seed, 'blip', monitor.id, day) >= blipShare) continue;
    // At night, so that none runs into what incidents do.
    const atMs = day + between(0, 35, seed, 'blip at', monitor.id, day) * fiveMinutesMs;
    const slots = between(1, 2, seed, 'blip for', monitor.id, day);
    const isSlow = chance(seed, 'blip slow', monitor.id, day) < 0.5;
    spans.push({
      fromMs: atMs,
      toMs: atMs + slots * fiveMinutesMs,
      kind: isSlow ? 'degraded' : 'down',
      code: isSlow ? monitor.code : '',
      message: isSlow ? 'took longer than it may' : 'no answer within its time',
      incidentId: null,
    });
  }
  return spans;
}

/** The planned work that a moment lies in: windows of two hours follow each other. */
export function plannedWindow(nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  const fromMs = floorTo(nowMs, 2 * hourMs);
  return { fromMs, toMs: fromMs + 2 * hourMs };
}

/** Since when the search has been slow: 19 minutes to ten, in the morning or in the evening. */
export function slowSince(nowMs: number): number {
  const offset = 9 * hourMs + 41 * minuteMs;
  return floorTo(nowMs - offset, 12 * hourMs) + offset;
}
