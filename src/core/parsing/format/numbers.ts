import { dayMs, hourMs, minuteMs } from '../durations.ts';

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

const integerFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const largeFromMs = 10 * hourMs;

/** `18,402`. */
export function formatCount(value: number): string {
  // The formatter takes a microsecond; small numbers do not need it.
  return Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : integerFormat.format(value);
}

/** `1 event`, `2,000 events`. */
export function formatCountWithNoun(value: number, singular: string, plural = `${singular}s`): string {
  const count = formatCount(value);
  return `${count} ${count === '1' ? singular : plural}`;
}

/** `58%`; `<1%` and `>99%` instead of rounding to 0 or 100; a dash if there is nothing. */
export function formatPercent(part: number, all: number, decimals = 0): string {
  if (all <= 0) return '–';
  const share = (part / all) * 100;
  const minShown = 10 ** -decimals;
  if (part > 0 && share < minShown) return `<${minShown.toFixed(decimals)}%`;
  if (part < all && share > 100 - minShown) return `>${(100 - minShown).toFixed(decimals)}%`;
  return share === 100 ? '100%' : `${share.toFixed(decimals)}%`;
}

/** Two decimals, rounded down: `99.88%`, `100%`; null is a dash. */
export function formatUptime(share: number | null): string {
  if (share === null) return '–';
  if (share >= 1) return '100%';
  return `${(Math.floor(share * 10_000 + 1e-7) / 100).toFixed(2)}%`;
}

/** `37 min`, `2 h 10 min`, `3 d 4 h`, `840 ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${Number((ms / 1000).toFixed(1))} s`;
  const units: ReadonlyArray<readonly [string, number]> = [
    ['d', dayMs],
    ['h', hourMs],
    ['min', minuteMs],
    ['s', 1000],
  ];
  const at = units.findIndex(([, length]) => ms >= length);
  const [unit = 's', length = 1000] = units[at] ?? [];
  const [nextUnit, nextLength] = units[at + 1] ?? [null, 1];
  const larger = Math.floor(ms / length);
  const rest = Math.floor((ms - larger * length) / nextLength);
  return nextUnit === null || rest === 0 ? `${larger} ${unit}` : `${larger} ${unit} ${rest} ${nextUnit}`;
}

/** Whole minutes: `none`, `24 min`, `2 h 10 min`. */
export function formatDurationToMinute(ms: number): string {
  return ms === 0 ? 'none' : formatDuration(ms < 60_000 ? ms : Math.floor(ms / 60_000) * 60_000);
}

/** Zero is `at once`. */
export function formatDelay(ms: number, text: (ms: number) => string = formatDurationToMinute): string {
  return ms === 0 ? 'at once' : text(ms);
}

/** Whole hours from ten hours on: `5 h 40 min`, `19 h`. */
export function formatDurationToHour(ms: number): string {
  return formatDurationToMinute(ms < largeFromMs ? ms : Math.floor(ms / hourMs) * hourMs);
}

/** The lower one of two; null for no values. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/** Nearest rank; null for no values. */
export function percentileOf(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
