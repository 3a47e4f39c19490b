// Spans of time in milliseconds, and the whole hours by which figures are kept. Pure; no clock.
import type { EpochMs } from './moments.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** Where hours are too long, events are counted in slots of so long by the clock. */
export const slotMs = 5 * minuteMs;
/** As many events are counted in slots at most, so that a look has an end; more than any rule can ask for. */
export const slotEventsMax = 500_000;

/** The moment at which the hour of a moment begins. */
export function hourOf(atMs: EpochMs): EpochMs {
  return atMs - (atMs % hourMs);
}

/**
 * The last slots, `ms` in all and the running one included: from the first moment of them to the first after.
 */
export function lastSlots(nowMs: EpochMs, ms: number): { readonly fromMs: EpochMs; readonly toMs: EpochMs } {
  const toMs = nowMs - (nowMs % slotMs) + slotMs;
  return { fromMs: toMs - ms, toMs };
}

/**
 * The last `hours` whole hours, the running one included: from the first moment of them to the first after.
 */
export function lastHours(
  nowMs: EpochMs,
  hours: number,
): { readonly fromMs: EpochMs; readonly toMs: EpochMs } {
  const toMs = hourOf(nowMs) + hourMs;
  return { fromMs: toMs - hours * hourMs, toMs };
}

const spanUnits = { s: 1000, m: minuteMs, h: hourMs, d: dayMs } as const;

/** Milliseconds of `90s`, `30m`, `24h`, `7d` or `0`; hours where no unit is said. Null for other texts. */
export function spanOf(text: string): number | null {
  const match = /^(\d{1,6})([smhd])?$/.exec(text);
  if (match === null) return null;
  return Number(match[1]) * spanUnits[(match[2] ?? 'h') as keyof typeof spanUnits];
}

/** A length of time in whole words: `90 s`, `60 min`, `36 h`. */
export function spanText(ms: number): string {
  const [unit, of] = wordUnits.find(([, each]) => ms >= 2 * each && ms % each === 0) ?? ['s', 1000];
  return `${ms / of} ${unit}`;
}

const wordUnits = [
  ['days', dayMs],
  ['h', hourMs],
  ['min', minuteMs],
] as const;
