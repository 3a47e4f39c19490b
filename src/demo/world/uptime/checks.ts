// Checks and what is summed up of them, as functions of time: nothing is kept, so that ninety days cost what
// is asked of them. A slot of five minutes is what the spans that it begins in make of it.
import { dayMs, hourMs, minuteMs } from '../../../core/reading/spans.ts';
import type { Check, MonitorSlice } from '../../../core/store/monitors/monitors.ts';
import { fiveMinutesMs, floorTo, weekdayOf } from '../calendar.ts';
import { chance, spread } from '../chance.ts';
import type { Watched } from './monitors.ts';
import type { Span } from './troubles.ts';

/** A monitor with all that happened to it, in order of time. */
export interface Timeline {
  readonly seed: string;
  readonly monitor: Watched;
  readonly spans: readonly Span[];
  /** Nothing is checked before, and nothing from then on. */
  readonly fromMs: number;
  readonly toMs: number;
}

const places = ['Falkenstein', 'Helsinki'];

/** Slots that are looked at for how long answers of a slice took. */
const samplesMax = 12;

/** The span that a moment lies in; null in quiet times. */
function spanAt({ spans }: Timeline, atMs: number): Span | null {
  return spans.find((span) => span.fromMs <= atMs && atMs < span.toMs) ?? null;
}

/** The span that a slot is touched by; null in quiet ones. */
function spanOfSlot({ spans }: Timeline, slotMs: number): Span | null {
  return spans.find((span) => span.fromMs < slotMs + fiveMinutesMs && slotMs < span.toMs) ?? null;
}

/** How long the answer of a slot took; null where nothing answers, or nobody asks. */
function tookMs(timeline: Timeline, slotMs: number): number | null {
  const { seed, monitor } = timeline;
  if (monitor.usualMs === null) return null;
  const span = spanOfSlot(timeline, slotMs);
  if (span !== null && span.kind !== 'degraded' && span.code === '') return null;
  const hour = (slotMs % dayMs) / hourMs;
  // Busiest at three in the afternoon, quiet at weekends.
  const busy = 1 + 0.22 * Math.cos(((hour - 15) / 24) * 2 * Math.PI);
  const weekend = weekdayOf(slotMs) >= 5 ? 0.92 : 1;
  const noise = Math.exp(0.18 * spread(seed, 'took', monitor.id, slotMs));
  const slow = span?.kind === 'degraded' ? 4.5 : span?.kind === 'down' ? 0.25 : 1;
  return Math.max(1, Math.round(monitor.usualMs * busy * weekend * noise * slow));
}

/** How many slots a span of time touches. */
function slotsWithin(fromMs: number, toMs: number): number {
  return Math.max(0, Math.ceil(toMs / fiveMinutesMs) - Math.floor(fromMs / fiveMinutesMs));
}

/** A slice of a monitor's time; null where it was not watched yet. Its ends are slots. */
export function sliceOf(timeline: Timeline, fromMs: number, untilMs: number): MonitorSlice | null {
  const begins = Math.max(fromMs, timeline.fromMs);
  const ends = Math.min(untilMs, timeline.toMs);
  if (ends <= begins) return null;
  const msOf = (kind: Span['kind']): number =>
    timeline.spans
      .filter((span) => span.kind === kind)
      .reduce((sum, span) => {
        const slots = slotsWithin(Math.max(span.fromMs, begins), Math.min(span.toMs, ends));
        return sum + slots * fiveMinutesMs;
      }, 0);
  const all = slotsWithin(begins, ends) * fiveMinutesMs;
  const maintenanceMs = msOf('maintenance');
  const { intervalMs } = timeline.monitor;
  return {
    atMs: fromMs,
    watchedMs: all - maintenanceMs,
    downMs: msOf('down'),
    degradedMs: msOf('degraded'),
    maintenanceMs,
    checks: Math.floor(all / intervalMs),
    ...middle(timeline, begins, ends),
  };
}

function middle(timeline: Timeline, fromMs: number, toMs: number): Pick<MonitorSlice, 'medianMs' | 'p95Ms'> {
  const slots = slotsWithin(fromMs, toMs);
  const step = Math.max(1, Math.floor(slots / samplesMax));
  const firstMs = floorTo(fromMs, fiveMinutesMs);
  const took: number[] = [];
  for (let slot = 0; slot < slots; slot += step) {
    const ms = tookMs(timeline, firstMs + slot * fiveMinutesMs);
    if (ms !== null) took.push(ms);
  }
  const medianMs = took.sort((one, other) => one - other)[Math.floor(took.length / 2)] ?? null;
  if (medianMs === null) return { medianMs: null, p95Ms: null };
  const tail = 1.9 + 0.7 * chance(timeline.seed, 'tail', timeline.monitor.id, firstMs);
  return { medianMs, p95Ms: Math.max(took.at(-1) ?? medianMs, Math.round(medianMs * tail)) };
}

/** Slices of `stepMs` from `fromMs` on, those that were watched, oldest first; each as `of` makes it. */
export function slicesOf(
  timeline: Timeline,
  fromMs: number,
  toMs: number,
  stepMs: number,
  of = sliceOf,
): MonitorSlice[] {
  const slices: MonitorSlice[] = [];
  for (let atMs = floorTo(fromMs, stepMs); atMs < toMs; atMs += stepMs) {
    const slice = of(timeline, atMs, atMs + stepMs);
    if (slice !== null) slices.push(slice);
  }
  return slices;
}

/** The newest checks, newest first. Each has its second within the interval. */
export function checksOf(timeline: Timeline, limit: number): Check[] {
  const { seed, monitor, fromMs, toMs } = timeline;
  const checks: Check[] = [];
  const secondMs = monitor.asksAtMs ?? 1000 * Math.floor(chance(seed, 'second', monitor.id) * 240);
  let atMs = floorTo(toMs, monitor.intervalMs) + secondMs;
  if (atMs >= toMs) atMs -= monitor.intervalMs;
  for (let nth = 0; nth < limit && atMs >= fromMs; nth += 1, atMs -= monitor.intervalMs) {
    const check = checkAt(timeline, atMs);
    if (check !== null) checks.push(check);
  }
  return checks;
}

/** The check of a moment; null in planned work, when nobody asks. */
function checkAt(timeline: Timeline, atMs: number): Check | null {
  const { monitor } = timeline;
  const slotMs = floorTo(atMs, fiveMinutesMs);
  const span = spanAt(timeline, atMs);
  if (span?.kind === 'maintenance') return null;
  return {
    atMs,
    result: span === null ? 'up' : span.kind === 'down' ? 'down' : 'degraded',
    code: span === null ? monitor.code : span.code,
    durationMs: tookMs(timeline, slotMs),
    from: monitor.usualMs === null ? 'the job itself' : (places[Math.floor(atMs / minuteMs / 5) % 2] ?? ''),
    message: span?.message ?? '',
  };
}
