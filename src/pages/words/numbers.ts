// Numbers, sizes and shares in words: one spelling on every page. Times are times.ts's.
import { count } from '../../core/reading/words/figures.ts';

export { count, counted, percent } from '../../core/reading/words/figures.ts';

/** A count in a column of figures, where none is a dash. */
export function countOrDash(value: number): string {
  return value === 0 ? '–' : count(value);
}

/** A count on an axis or beside a place: `12k`, `3.4k`, `1.2M`. */
export function shortCount(value: number): string {
  if (value < 1000) return String(Math.round(value));
  const [unit, size] = value < 999_500 ? ['k', 1000] : value < 999_500_000 ? ['M', 1e6] : ['G', 1e9];
  const scaled = value / size;
  return `${scaled < 10 ? Number(scaled.toFixed(1)) : Math.round(scaled)}${unit}`;
}

/** Bytes as people say them, in steps of a thousand: `812 B`, `3.1 MB`. */
export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const place = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const scaled = bytes / 1000 ** place;
  return `${place === 0 || scaled >= 100 ? Math.round(scaled) : Number(scaled.toFixed(1))} ${units[place]}`;
}

/**
 * How a count differs from the one before, in words: `12% more than the 7 before`; null where it cannot be
 * said.
 */
export function difference(now: number, before: number, thanWhat: string): string | null {
  if (before === 0) return null;
  const change = Math.round(((now - before) / before) * 100);
  if (change === 0) return `as many as ${thanWhat}`;
  return `${count(Math.abs(change))}% ${change > 0 ? 'more' : 'less'} than ${thanWhat}`;
}
