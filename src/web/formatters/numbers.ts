import { formatCount } from '../../core/parsing/format/numbers.ts';

export {
  formatCount as count,
  formatCountWithNoun as counted,
  formatPercent as percent,
} from '../../core/parsing/format/numbers.ts';

export function formatCountOrDash(value: number): string {
  return value === 0 ? '–' : formatCount(value);
}

/** `12k`, `3.4k`, `1.2M`. */
export function formatShortCount(value: number): string {
  if (value < 1000) return String(Math.round(value));
  const [unit, size] = value < 999_500 ? ['k', 1000] : value < 999_500_000 ? ['M', 1e6] : ['G', 1e9];
  const scaled = value / size;
  return `${scaled < 10 ? Number(scaled.toFixed(1)) : Math.round(scaled)}${unit}`;
}

/** Decimal units: `812 B`, `3.1 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const unitIndex = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const scaled = bytes / 1000 ** unitIndex;
  return `${unitIndex === 0 || scaled >= 100 ? Math.round(scaled) : Number(scaled.toFixed(1))} ${units[unitIndex]}`;
}

/** `12% more than the 7 before`; null if `before` is 0. */
export function formatDifference(now: number, before: number, thanWhat: string): string | null {
  if (before === 0) return null;
  const change = Math.round(((now - before) / before) * 100);
  if (change === 0) return `as many as ${thanWhat}`;
  return `${formatCount(Math.abs(change))}% ${change > 0 ? 'more' : 'less'} than ${thanWhat}`;
}
