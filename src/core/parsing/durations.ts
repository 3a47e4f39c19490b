import type { EpochMs } from './timestamps.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** Slot length for counts finer than an hour. */
export const slotMs = 5 * minuteMs;
export const slotEventCountMax = 500_000;

export function startOfHour(atMs: EpochMs): EpochMs {
  return atMs - (atMs % hourMs);
}

/** The last `ms` in whole slots, including the current one. */
export function getLastSlots(nowMs: EpochMs, ms: number, lengthMs = slotMs) {
  const toMs = nowMs - (nowMs % lengthMs) + lengthMs;
  return { fromMs: toMs - ms, toMs };
}

/** The last `hours` whole hours, including the current one. */
export function getLastHours(nowMs: EpochMs, hours: number) {
  return getLastSlots(nowMs, hours * hourMs, hourMs);
}

const spanUnits = { s: 1000, m: minuteMs, h: hourMs, d: dayMs } as const;

/** `90s`, `30m`, `24h`, `7d` or `0`; the default unit is hours. Null if invalid. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,6})([smhd])?$/.exec(text);
  if (match === null) return null;
  return Number(match[1]) * spanUnits[(match[2] ?? 'h') as keyof typeof spanUnits];
}

/** `90 s`, `60 min`, `36 h`. */
export function formatShortDuration(ms: number): string {
  const [unit, of] = wordUnits.find(([, each]) => ms >= 2 * each && ms % each === 0) ?? ['s', 1000];
  return `${ms / of} ${unit}`;
}

const wordUnits = [
  ['days', dayMs],
  ['h', hourMs],
  ['min', minuteMs],
] as const;
