// How each monitor was and is: its line of time, and what stands above it.
import { dayMs } from '../../../core/reading/spans.ts';
import type { Incident } from '../../../core/store/incidents/incidents.ts';
import type { Monitor, MonitorState } from '../../../core/store/monitors/monitors.ts';
import { fiveMinutesMs, weekOf } from '../calendar.ts';
import { between } from '../chance.ts';
import { rememberedFromMs, type Trouble } from '../story.ts';
import { checksOf, sliceOf, type Timeline } from './checks.ts';
import { paused, pendingSlug, type Watched, watched } from './monitors.ts';
import { pastTroubleOf } from './past-incidents.ts';
import { blipsOf, type Span } from './troubles.ts';

/** A span that goes on ends after everything. */
const goesOn = Number.POSITIVE_INFINITY;

/** The line of time of each monitor, by its id. */
export function timelinesAt(
  seed: string,
  trouble: Trouble,
  incidents: readonly Incident[],
  nowMs: number,
): ReadonlyMap<number, Timeline> {
  const remembered = rememberedFromMs(nowMs);
  return new Map(
    watched.map((monitor) => {
      const own = incidents.filter(({ affects }) =>
        affects.some(({ kind, id }) => kind === 'monitor' && id === monitor.id),
      );
      const spans = [
        ...blipsOf(seed, monitor, remembered, nowMs),
        ...own.map((each) => spanOf(each, trouble)),
      ];
      return [
        monitor.id,
        { seed, monitor, spans: ordered(spans), ...watchedSpan(monitor, remembered, nowMs) },
      ];
    }),
  );
}

function ordered(spans: readonly Span[]): Span[] {
  return [...spans].sort((one, other) => one.fromMs - other.fromMs);
}

/** From when to when it was checked. */
function watchedSpan({ slug, madeAtMs }: Watched, remembered: number, nowMs: number) {
  if (slug === pendingSlug) return { fromMs: nowMs, toMs: nowMs };
  const toMs = slug === paused.slug ? Math.min(paused.sinceMs, nowMs) : nowMs;
  return { fromMs: Math.max(madeAtMs, remembered), toMs };
}

function spanOf(incident: Incident, trouble: Trouble): Span {
  const { id, startedAtMs, resolvedAtMs, mendedAtMs, severity, plannedEndAtMs } = incident;
  if (severity === 'planned') {
    const toMs = plannedEndAtMs ?? goesOn;
    return { fromMs: startedAtMs, toMs, kind: 'maintenance', code: '', message: '', incidentId: id };
  }
  const span = { fromMs: startedAtMs, toMs: mendedAtMs ?? resolvedAtMs ?? goesOn, incidentId: id };
  if (id === trouble.incidentId) {
    return { ...span, kind: 'down', code: '502', message: 'answered 502 instead of 200' };
  }
  if (resolvedAtMs === null) {
    return { ...span, kind: 'degraded', code: '200', message: 'took longer than it may' };
  }
  const { kind, code } = pastTroubleOf(weekOf(startedAtMs));
  const message = kind === 'down' ? 'not as expected' : 'took longer than it may';
  return { ...span, kind, code, message };
}

/** A monitor as it stands at `nowMs`. */
export function monitorAt(timeline: Timeline, nowMs: number): Monitor {
  const { monitor, seed, spans } = timeline;
  const { usualMs, code, certificateDays, asksAtMs, madeAtMs, ...facts } = monitor;
  const now = spans.findLast((span) => span.fromMs <= nowMs && nowMs < span.toMs) ?? null;
  const { state, reason, sinceMs, untilMs } = standing(timeline, now, nowMs);
  const [lastCheck = null] = checksOf(timeline, 1);
  const day = sliceOf(timeline, nowMs - dayMs, nowMs);
  const isAsked = state !== 'paused' && state !== 'maintenance';
  return {
    ...facts,
    createdAtMs: state === 'pending' ? sinceMs : madeAtMs,
    state,
    stateSinceMs: sinceMs,
    reason,
    lastCheck,
    nextCheckAtMs: !isAsked ? null : (lastCheck?.atMs ?? nowMs - fiveMinutesMs + 40_000) + monitor.intervalMs,
    certificateEndsAtMs: certificateDays === null ? null : certificateEnd(seed, monitor, nowMs),
    stateUntilMs: untilMs,
    medianMs: day?.medianMs ?? null,
    p95Ms: day?.p95Ms ?? null,
  };
}

interface Standing {
  readonly state: MonitorState;
  readonly reason: string;
  readonly sinceMs: number;
  readonly untilMs: number | null;
}

function standing({ monitor, spans, fromMs }: Timeline, now: Span | null, nowMs: number): Standing {
  if (monitor.slug === pendingSlug) {
    return { state: 'pending', reason: 'first check in 40 s', sinceMs: nowMs - 20_000, untilMs: null };
  }
  if (monitor.slug === paused.slug && nowMs >= paused.sinceMs) {
    return { state: 'paused', reason: paused.why, sinceMs: paused.sinceMs, untilMs: null };
  }
  if (now === null) {
    const before = spans.findLast(({ toMs }) => toMs <= nowMs);
    return { state: 'up', reason: '', sinceMs: before?.toMs ?? fromMs, untilMs: null };
  }
  const since = { sinceMs: now.fromMs, untilMs: Number.isFinite(now.toMs) ? now.toMs : null };
  if (now.kind === 'maintenance') return { state: 'maintenance', reason: 'planned work', ...since };
  if (now.kind === 'degraded') return { state: 'degraded', reason: 'slower than it may be', ...since };
  return { state: 'down', reason: now.code === '' ? 'no answer' : `answers ${now.code}`, ...since };
}

/** Renewed when a third of its days is left, but for one that somebody has to see to by hand. */
function certificateEnd(seed: string, { id, slug, certificateDays }: Watched, nowMs: number): number {
  const today = nowMs - (nowMs % dayMs);
  if (slug === 'payments-gateway') return today + 6 * dayMs + 12 * 3_600_000;
  const days = certificateDays ?? 90;
  const renewedEvery = days - 30;
  const offset = between(0, renewedEvery - 1, seed, 'renewed', id);
  const age = (((today / dayMs - offset) % renewedEvery) + renewedEvery) % renewedEvery;
  return today + (days - age) * dayMs + 9 * 3_600_000;
}
