// Dates, durations and numbers of public status pages, by the language of the page. All times are UTC.
import type { PluralForms, StatusTexts } from './en.ts';
import { fillIn } from './texts.ts';

type Tag = Pick<StatusTexts, 'tag'>;

/** An `Intl` formatter is slow to make. */
function once<Made>(make: (tag: string) => Made): (texts: Tag) => Made {
  const formatters = new Map<string, Made>();
  return ({ tag }) => {
    const formatter = formatters.get(tag) ?? make(tag);
    formatters.set(tag, formatter);
    return formatter;
  };
}

const dates = (options: Intl.DateTimeFormatOptions) =>
  once((tag) => new Intl.DateTimeFormat(tag, { timeZone: 'UTC', ...options }));

const dayFormat = dates({ day: 'numeric', month: 'short' });
const fullDayFormat = dates({ day: 'numeric', month: 'short', year: 'numeric' });
const timeFormat = dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const percentFormat = once(
  (tag) =>
    new Intl.NumberFormat(tag, { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 }),
);
const wholePercentFormat = once((tag) => new Intl.NumberFormat(tag, { style: 'percent' }));
const numberFormat = once((tag) => new Intl.NumberFormat(tag));
const pluralRules = once((tag) => new Intl.PluralRules(tag));
const listFormat = once((tag) => new Intl.ListFormat(tag, { type: 'unit', style: 'narrow' }));
const unitFormats = {
  day: unit('day'),
  hour: unit('hour'),
  minute: unit('minute'),
  second: unit('second'),
};

function unit(name: string) {
  return once((tag) => new Intl.NumberFormat(tag, { style: 'unit', unit: name, unitDisplay: 'short' }));
}

/** `21 Nov`. */
export function formatDay(texts: Tag, ms: number): string {
  return dayFormat(texts).format(ms);
}

/** `16–20 Nov`. */
export function formatDays(texts: Tag, fromMs: number, toMs: number): string {
  return fromMs === toMs ? formatDay(texts, fromMs) : dayFormat(texts).formatRange(fromMs, toMs);
}

/** `21 Nov 2026`. */
export function formatFullDay(texts: Tag, ms: number): string {
  return fullDayFormat(texts).format(ms);
}

export function formatTimeOfDay(texts: Tag, ms: number): string {
  return timeFormat(texts).format(ms);
}

/** Rounded down: only what was always up is 100%. */
export function formatUptime(texts: Tag, share: number): string {
  if (share >= 1) return wholePercentFormat(texts).format(1);
  return percentFormat(texts).format(Math.floor(share * 10_000 + 1e-7) / 10_000);
}

const minuteMs = 60_000;

/** `2 hrs 10 mins`: the two largest units, in whole minutes from one minute on. */
export function formatLength(texts: Tag, ms: number): string {
  const minutes = Math.floor(ms / minuteMs);
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
  const amounts = {
    day: days,
    hour: hours,
    minute: days > 0 ? 0 : minutes % 60,
    second: minutes > 0 ? 0 : Math.max(1, Math.round(ms / 1_000)),
  };
  const units = (['day', 'hour', 'minute', 'second'] as const)
    .filter((name) => amounts[name] > 0)
    .map((name) => unitFormats[name](texts).format(amounts[name]));
  return listFormat(texts).format(units);
}

/** Before a full stop, which may also be that of an abbreviation. */
export function formatLengthAtEnd(texts: Tag, ms: number): string {
  return formatLength(texts, ms).replace(/\.$/, '');
}

export function fillInCount(
  texts: Tag,
  forms: PluralForms,
  count: number,
  values: Readonly<Record<string, string>> = {},
): string {
  const form = forms[pluralRules(texts).select(count)] ?? forms.other;
  return fillIn(form, { count: numberFormat(texts).format(count), ...values });
}
