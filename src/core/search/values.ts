import { dayMs, hourMs, minuteMs } from '../parsing/durations.ts';
import { editDistance, findNearest } from '../parsing/nearest-name.ts';
import { parseTime } from '../parsing/timestamps.ts';
import type { NumberRange, Pattern } from '../store/search-terms.ts';
import type { RawToken } from './tokens.ts';

type Comparison = RawToken['comparison'];

const wildcardsMax = 10;

/** `\*` is a star and `\"` a quote. Null with more than 10 wildcards. */
export function patternOf(text: string): Pattern | null {
  const parts = [''];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const isEscape = sign === '\\' && /[*"]/.test(text.charAt(at + 1));
    if (isEscape) at += 1;
    // Several stars in a row are one.
    if (sign === '*') {
      if (parts.length === 1 || parts.at(-1) !== '') parts.push('');
    } else parts[parts.length - 1] += isEscape ? text.charAt(at) : sign;
  }
  // Control characters mark the parts of a search text.
  const clean = parts.map((part) => part.replaceAll(/[\u0000-\u001f]/g, ' '));
  return clean.length > wildcardsMax + 1 ? null : clean;
}

const amount = /^(\d{1,12}(?:\.\d{1,3})?)([km]?)$/i;
const factors: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000 };

export function numberRangeOf(text: string, comparison: Comparison): NumberRange | null {
  const found = amount.exec(text);
  if (found === null) return null;
  const number = Math.round(Number(found[1]) * (factors[(found[2] ?? '').toLowerCase()] ?? 1));
  return rangeOf(number, number, comparison);
}

const relative = /^([+-]?)(\d{1,5})([smhdw])$/;
const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: minuteMs,
  h: hourMs,
  d: dayMs,
  w: 7 * dayMs,
};

/** `-24h` is later than 24 hours ago, `+24h` earlier, `>24h` longer ago than that; `>-24h` compares moments. A date
 * is that day (UTC), a time that minute or second. */
export function timeRangeOf(text: string, comparison: Comparison, nowMs: number): NumberRange | null {
  const found = relative.exec(text);
  if (found !== null) {
    const atMs = nowMs - Number(found[2]) * (units[found[3] ?? ''] ?? 0);
    const isMoment = comparison !== null && found[1] !== '';
    if (isMoment) return rangeOf(atMs, atMs, comparison);
    if (comparison === null && found[1] === '') return null;
    const isLater = found[1] === '-' || comparison === '<' || comparison === '<=';
    return isLater ? { from: atMs, to: null } : { from: null, to: atMs };
  }
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return null;
  const fromMs = parseTime(text);
  if (fromMs === null) return null;
  const isDay = text.length === 10;
  const lengthMs = isDay ? dayMs : /:\d{2}:\d{2}/.test(text) ? 1_000 : minuteMs;
  // After a day means after its beginning, as in Sentry.
  if (comparison === '>' && isDay) return { from: fromMs, to: null };
  return rangeOf(fromMs, fromMs + lengthMs - 1, comparison);
}

function rangeOf(first: number, last: number, comparison: Comparison): NumberRange {
  switch (comparison) {
    case '>':
      return { from: last + 1, to: null };
    case '>=':
      return { from: first, to: null };
    case '<':
      return { from: null, to: first - 1 };
    case '<=':
      return { from: null, to: last };
    default:
      return { from: first, to: last };
  }
}

export function findNearestWord(word: string, known: readonly string[]): string | null {
  const meant = word.toLowerCase();
  return (
    findNearest(meant, known, (each) => editDistance(meant, each.toLowerCase())) ?? findLonger(meant, known)
  );
}

/** `lvl` is meant to be `level`: its letters stand in it in this order. */
function findLonger(meant: string, known: readonly string[]): string | null {
  if (meant.length < 3) return null;
  const holding = known.filter((each) => isWithin(meant, each.toLowerCase()));
  return holding.sort((one, other) => one.length - other.length)[0] ?? null;
}

function isWithin(meant: string, other: string): boolean {
  if (other[0] !== meant[0] || other.length > 2 * meant.length) return false;
  let at = 0;
  for (const sign of other) if (sign === meant[at]) at += 1;
  return at === meant.length;
}
