// How many events of an issue come in each hour, and at which moments of it. A pure count by issue and hour:
// what an hour had stays the same whatever the time is, and every other figure is a sum over hours.
import { dayMs, hourMs } from '../../../core/reading/spans.ts';
import { floorTo, weekdayOf, weekOf } from '../calendar.ts';
import { hashOf } from '../chance.ts';
import type { Life } from './lives.ts';
import type { Plan } from './plans.ts';

/** The events of one issue in its life, up to a moment. */
export interface Series {
  readonly fromMs: number;
  /** Events of each hour from `fromMs` on; of the last one only those that have come. */
  readonly counts: Int32Array;
  readonly total: number;
  /** How many came before a moment. */
  before(atMs: number): number;
  /** The moment of the event that so many came before. */
  momentOf(nth: number): number;
}

/** Share of a day's events in each hour, UTC: people, and machines that work at night. */
const rhythms = {
  people: [
    0.35, 0.25, 0.2, 0.18, 0.2, 0.3, 0.5, 0.8, 1.05, 1.2, 1.3, 1.35, 1.4, 1.3, 1.25, 1.25, 1.3, 1.4, 1.6, 1.7,
    1.6, 1.3, 0.9, 0.6,
  ],
  machines: [
    1.2, 1.7, 1.6, 1.2, 0.9, 0.8, 0.8, 0.9, 1, 1.05, 1.05, 1, 0.95, 0.95, 1, 1, 0.95, 0.9, 0.85, 0.85, 0.85,
    0.8, 0.85, 0.9,
  ],
} as const;
/** Monday first. */
const weekdays = [1.08, 1.1, 1.08, 1.06, 1.02, 0.86, 0.8];

/** How much a start brings beside what comes anyway, and what of it an hour keeps. */
const burst = { of: 1.6, keeps: Math.exp(-1 / 9) } as const;
/** Fewer events a day are rare. */
const rareDaily = 5;
const bursting: ReadonlySet<Plan['lives']> = new Set(['returning', 'weekly', 'done']);
/** What is weekly dies away within its week. */
const fades = { of: 3.2, overMs: 1.1 * dayMs, rest: 0.12 } as const;

/** What was drawn of an issue, hour by hour. */
interface Drawn {
  readonly counts: Int32Array;
  /** How many came before each hour, and at its end before now. */
  readonly before: Int32Array;
  /** Of the running hour as many as it will have. */
  readonly lastWhole: number;
}

/** The series of an issue. */
export function seriesOf(seed: string, plan: Plan, life: Life, isOfPeople: boolean, nowMs: number): Series {
  const fromMs = floorTo(life.starts[0], hourMs);
  const own = hashOf(seed, 'events', plan.id, life.number);
  const spanOf = spanFinder(life);
  const rhythm = isOfPeople ? rhythms.people : rhythms.machines;
  const { counts, before, lastWhole } = drawn(plan, { fromMs, nowMs, own, rhythm, spanOf });
  const { length } = counts;
  const total = before[length] ?? 0;
  // Moments of the running hour are drawn for all of its events, come or not.
  const whole = (hour: number): CountedSpan => ({
    ...(spanOf(fromMs + hour * hourMs) ?? { fromMs: 0, toMs: 0, isStart: false }),
    count: hour === length - 1 ? lastWhole : (counts[hour] ?? 0),
  });
  return {
    fromMs,
    counts,
    total,
    before(atMs) {
      const hour = Math.floor((atMs - fromMs) / hourMs);
      if (hour < 0) return 0;
      if (hour >= length) return total;
      return (before[hour] ?? 0) + comeUp(whole(hour), counts[hour] ?? 0, own, hour, atMs);
    },
    momentOf(nth) {
      let [low, high] = [0, length - 1];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((before[middle + 1] ?? 0) > nth) high = middle;
        else low = middle + 1;
      }
      return momentIn(whole(low), nth - (before[low] ?? 0), own, low);
    },
  };
}

interface Drawing {
  readonly fromMs: number;
  readonly nowMs: number;
  readonly own: number;
  readonly rhythm: readonly number[];
  readonly spanOf: (hourStart: number) => Span | null;
}

/** Whole hours of an issue's life as they were drawn, and from what the next one goes on. */
interface DrawnHours {
  readonly counts: Int32Array;
  readonly before: Int32Array;
  readonly hours: number;
  readonly expected: number;
  readonly spike: number;
}

/**
 * What was drawn once: hours that are over never change, and of a life of years only those since the last
 * time are drawn anew. By what tells lives apart; as many as there are of some demos.
 */
const drawnBefore = new Map<number, DrawnHours>();
const livesKept = 300;

function drawn(plan: Plan, { fromMs, nowMs, own, rhythm, spanOf }: Drawing): Drawn {
  const length = Math.floor((nowMs - fromMs) / hourMs) + 1;
  const counts = new Int32Array(length);
  const before = new Int32Array(length + 1);
  const known = drawnBefore.get(own);
  const isKnown = known !== undefined && known.hours < length;
  if (isKnown) {
    counts.set(known.counts);
    before.set(known.before);
  }
  // Where the rounding begins, so that rare events of several issues do not come together.
  const offset = unitOf(own, 7);
  let expected = isKnown ? known.expected : 0;
  let spike = isKnown ? known.spike : 0;
  let lastWhole = 0;
  for (let hour = isKnown ? known.hours : 0; hour < length; hour += 1) {
    if (hour === length - 1) {
      keep(own, {
        counts: counts.slice(0, hour),
        before: before.slice(0, hour + 1),
        hours: hour,
        expected,
        spike,
      });
    }
    const hourStart = fromMs + hour * hourMs;
    const span = spanOf(hourStart);
    let count = 0;
    if (span !== null) {
      if (span.isStart) spike = bursting.has(plan.lives) ? burst.of : 0;
      const shape = shapeOf(plan, hourStart - fromMs, rhythm[hourOfDay(hourStart)] ?? 1, hourStart, own);
      const more = (plan.daily / 24) * ((span.toMs - span.fromMs) / hourMs) * shape * (1 + spike);
      spike *= burst.keeps;
      count = Math.floor(expected + more + offset) - Math.floor(expected + offset) + (span.isStart ? 1 : 0);
      expected += more;
      lastWhole = count;
      // Of the running hour there is as much as has come.
      if (hour === length - 1) count = comeUp({ ...span, count }, count, own, hour, nowMs + 1);
    }
    counts[hour] = count;
    before[hour + 1] = (before[hour] ?? 0) + count;
  }
  return { counts, before, lastWhole };
}

function keep(own: number, hours: DrawnHours): void {
  const known = drawnBefore.get(own);
  if (known !== undefined && known.hours >= hours.hours) return;
  if (drawnBefore.size >= livesKept) drawnBefore.clear();
  drawnBefore.set(own, hours);
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether an event comes as it begins. */
  readonly isStart: boolean;
}

/** What of an hour lies within a life; hours are asked for in any order, mostly one after the other. */
function spanFinder({ spans, starts }: Life): (hourStart: number) => Span | null {
  let at = 0;
  return (hourStart) => {
    if (at >= spans.length || (spans[at]?.[0] ?? 0) > hourStart) at = 0;
    while (at < spans.length && (spans[at]?.[1] ?? 0) <= hourStart) at += 1;
    const span = spans[at];
    if (span === undefined || span[0] >= hourStart + hourMs) return null;
    const fromMs = Math.max(span[0], hourStart);
    return {
      fromMs,
      toMs: Math.min(span[1], hourStart + hourMs),
      isStart: fromMs === span[0] && starts.includes(fromMs),
    };
  };
}

/** Hours differ by the time of the day and the day of the week, and weeks, days and hours by chance. */
function shapeOf(plan: Plan, ageMs: number, ofDay: number, hourStart: number, own: number): number {
  const hour = Math.floor(hourStart / hourMs);
  const byChance = 0.4 + 1.8 * unitOf(own, hour) ** 2;
  if (plan.lives === 'trouble') return 0.7 + 0.6 * unitOf(own, hour);
  const ofWeek = 0.75 + 0.5 * unitOf(own, weekOf(hourStart) * 31);
  // Rare events do not come by the clock: some days bring several.
  const day = Math.floor(hourStart / dayMs);
  const ofRare = plan.daily < rareDaily ? 0.1 + 3.6 * unitOf(own, day * 77) ** 3 : 1;
  const rest = ofDay * (weekdays[weekdayOf(hourStart)] ?? 1) * byChance * ofWeek * ofRare;
  if (plan.lives !== 'weekly') return rest;
  return rest * (fades.rest + fades.of * Math.exp(-ageMs / fades.overMs)) * 0.4;
}

/** The part of an hour in which events come, and how many. */
interface CountedSpan extends Span {
  readonly count: number;
}

/** How many of the first events of an hour come before a moment. */
function comeUp(span: CountedSpan, first: number, own: number, hour: number, atMs: number): number {
  let come = 0;
  while (come < first && momentIn(span, come, own, hour) < atMs) come += 1;
  return come;
}

/** The moment of one of the events of an hour: each has a part of it for itself. */
function momentIn(
  { fromMs, toMs, isStart, count }: CountedSpan,
  nth: number,
  own: number,
  hour: number,
): number {
  if (isStart && nth === 0) return fromMs;
  const within = (nth + 0.05 + 0.9 * unitOf(own ^ hour, nth + 11)) / count;
  return fromMs + Math.floor((toMs - fromMs) * within);
}

function hourOfDay(atMs: number): number {
  return Math.floor((atMs % dayMs) / hourMs);
}

/** From 0 up to, not including, 1: `chance` for a great many numbers. */
export function unitOf(own: number, nth: number): number {
  let mixed = Math.imul(own ^ Math.imul(nth + 1, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x27d4eb2f);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}
