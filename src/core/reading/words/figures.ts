// Figures in words: one spelling on every page and in every letter. Pure.
import { dayMs, hourMs, minuteMs } from '../spans.ts';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const largeFromMs = 10 * hourMs;

/** A count in full: `18,402`. */
export function count(value: number): string {
  // Most counts need no separator, and the formatter takes a microsecond for each.
  return Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : whole.format(value);
}

/** `1 event`, `2,000 events`: a count and its noun. */
export function counted(value: number, one: string, many = `${one}s`): string {
  const figure = count(value);
  return `${figure} ${figure === '1' ? one : many}`;
}

/**
 * A share of a whole: `58%`; never `0%` or `100%` for what is not quite that. A whole of nothing has none.
 */
export function percent(part: number, all: number, decimals = 0): string {
  if (all <= 0) return '–';
  const share = (part / all) * 100;
  const least = 10 ** -decimals;
  if (part > 0 && share < least) return `<${least.toFixed(decimals)}%`;
  if (part < all && share > 100 - least) return `>${(100 - least).toFixed(decimals)}%`;
  return share === 100 ? '100%' : `${share.toFixed(decimals)}%`;
}

/** Uptime with two decimals, never rounded up to what it is not: `99.88%`, `100%`; null is a dash. */
export function uptimeText(share: number | null): string {
  if (share === null) return '–';
  if (share >= 1) return '100%';
  return `${(Math.floor(share * 10_000 + 1e-7) / 100).toFixed(2)}%`;
}

/** A length in its two largest units: `37 min`, `2 h 10 min`, `3 d 4 h`, `840 ms`. */
export function span(ms: number): string {
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

/** A length to the minute, so that it says no more than is measured: `none`, `24 min`, `2 h 10 min`. */
export function lengthText(ms: number): string {
  return ms === 0 ? 'none' : span(ms < 60_000 ? ms : Math.floor(ms / 60_000) * 60_000);
}

/** How long something took; of no time at all it is `at once`, and not `none`. */
export function soonText(ms: number, text: (ms: number) => string = lengthText): string {
  return ms === 0 ? 'at once' : text(ms);
}

/** The same as a large figure, which has no room for minutes beside tens of hours: `5 h 40 min`, `19 h`. */
export function largeLength(ms: number): string {
  return lengthText(ms < largeFromMs ? ms : Math.floor(ms / hourMs) * hourMs);
}
