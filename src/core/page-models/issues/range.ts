import { dayMs, hourMs, startOfHour } from '../../parsing/durations.ts';
import { momentInZone } from '../../parsing/format/time-zones.ts';
import { formatTime, parseTime } from '../../parsing/timestamps.ts';

export type TimeRange = ReturnType<typeof resolveRange>;

const ranges: Readonly<Record<string, { readonly ms: number; readonly stepMs: number }>> = {
  '1h': { ms: hourMs, stepMs: hourMs },
  '24h': { ms: dayMs, stepMs: hourMs },
  '7d': { ms: 7 * dayMs, stepMs: 2 * hourMs },
  '14d': { ms: 14 * dayMs, stepMs: 6 * hourMs },
  '30d': { ms: 30 * dayMs, stepMs: 12 * hourMs },
  '90d': { ms: 90 * dayMs, stepMs: dayMs },
};

export const defaultRange = '7d';
const barsMax = 96;
const rangeDaysMax = 366;

export function resolveRange(range: string, nowMs: number) {
  const known = Object.hasOwn(ranges, range) ? ranges[range] : undefined;
  if (known !== undefined) {
    const toMs = Math.floor(nowMs / known.stepMs) * known.stepMs + known.stepMs;
    const isHour = known.ms === hourMs;
    const fromMs = isHour ? startOfHour(nowMs - hourMs) : toMs - known.ms;
    return { fromMs, toMs, sinceMs: isHour ? nowMs - hourMs : fromMs, isOpen: true, stepMs: known.stepMs };
  }
  const [fromMs, toMs] = parseRange(range) ?? [startOfHour(nowMs), startOfHour(nowMs) + hourMs];
  const hours = Math.round((toMs - fromMs) / hourMs);
  const steps = [1, 2, 3, 4, 6, 8, 12, 24, 48, 96, 168];
  const step =
    steps.find((each) => hours / each <= barsMax && hours % each === 0) ?? Math.ceil(hours / barsMax);
  return { fromMs, toMs, sinceMs: fromMs, isOpen: toMs > nowMs, stepMs: step * hourMs };
}

export function isRange(range: string): boolean {
  return Object.hasOwn(ranges, range) || parseRange(range) !== null;
}

/** `FROM..TO`, extended to whole hours; null if invalid. */
function parseRange(range: string): readonly [number, number] | null {
  const [from, to, more] = range.split('..');
  if (from === undefined || to === undefined || more !== undefined) return null;
  if (!isDated(from) || !isDated(to)) return null;
  const [fromMs, toMs] = [parseTime(from), parseTime(to)];
  if (fromMs === null || toMs === null) return null;
  const hourRange = [startOfHour(fromMs), Math.ceil(toMs / hourMs) * hourMs] as const;
  return hourRange[1] > hourRange[0] &&
    hourRange[1] - hourRange[0] <= rangeDaysMax * dayMs &&
    hourRange[0] >= 0
    ? hourRange
    : null;
}

/** Refuses bare numbers, which would also parse as a moment. */
function isDated(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(text);
}

const wrongDate = 'Enter a date such as 2026-11-21 15:35.';

/** Two local times as a person typed them; a date alone means its beginning, as the end the end of that day. */
export function readTypedRange(from: string, to: string, zone: string) {
  const [fromMs, toMs] = [localTime(from, zone, 0), localTime(to, zone, 1)];
  const errors = {
    from: fromMs === null ? wrongDate : null,
    to: toMs === null ? wrongDate : null,
  };
  if (fromMs === null || toMs === null) return { from, to, wrong: errors, range: null };
  const order =
    fromMs >= toMs
      ? 'From must be before To.'
      : toMs - fromMs > rangeDaysMax * dayMs || fromMs < 0
        ? `The range is longer than ${rangeDaysMax} days.`
        : null;
  if (order !== null) return { from, to, wrong: { from: order, to: null }, range: null };
  return { from, to, wrong: errors, range: `${formatTime(fromMs)}..${formatTime(toMs)}` };
}

function localTime(text: string, zone: string, daysLater: number): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?$/.exec(text.trim());
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match
    .slice(1)
    .map((each) => Number(each ?? 0));
  const shownMs = Date.UTC(year, month - 1, day, hour, minute);
  const isReal = new Date(shownMs).toISOString().startsWith(text.trim().slice(0, 10));
  if (!isReal || hour > 23 || minute > 59) return null;
  return momentInZone(zone, match[4] === undefined ? shownMs + daysLater * dayMs : shownMs);
}
