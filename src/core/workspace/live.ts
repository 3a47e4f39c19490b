// The live tail as a page shows it before anything comes: the newest events, and what became of those of this
// hour.
import type { Level } from '../../../schemas/event.ts';
import { momentText } from '../reading/moments.ts';
import { hourMs, hourOf, minuteMs } from '../reading/spans.ts';
import type { LiveEvent, OutcomeSum } from '../store/workspace.ts';
import { askedWords, newestFitting, rowsBackMax, tailFilterOf } from './tail-filter.ts';
import { rowToGoOnFrom } from './tail-rows.ts';
import { lookedAt, type Visit } from './visit.ts';

const rowsShown = 50;
const secondsShown = 60;
/** Events of the last minute that are counted. */
const minuteMax = 1_000;

/** An event that passed by. */
export interface LiveRow {
  /** Where it stands among all: what comes later has a higher one. */
  readonly row: number;
  readonly event_id: string;
  readonly issue_id: number;
  readonly project_id: number;
  readonly project: string;
  readonly received_at: string;
  readonly level: Level;
  readonly title: string;
  readonly culprit: string;
}

/** What became of the events of an hour. */
export interface LiveCounts {
  readonly kept: number;
  readonly refused: number;
  /** Why, the most first. */
  readonly reasons: ReadonlyArray<{ readonly reason: string; readonly quantity: number }>;
}

export interface LiveModel {
  readonly level: Level | null;
  /** Words that stand in each title; null for any. */
  readonly q: string | null;
  /** The number to go on from, for who follows; some of the events may come again. */
  readonly after: number;
  /** The newest that fit, newest first. */
  readonly events: readonly LiveRow[];
  readonly this_hour: LiveCounts;
  readonly hour_before: LiveCounts;
  /** Events of each second of the last minute, oldest first; at most as many as one look reads. */
  readonly last_minute: readonly number[];
}

/** The model of /live. */
export async function liveModel(visit: Visit): Promise<LiveModel> {
  const { deps, nowMs, projects, project } = visit;
  const { store } = deps;
  const filter = tailFilterOf(visit.query, project?.id ?? null);
  const upToRow = await store.newestEventRow();
  const after = await rowToGoOnFrom(store, upToRow, rowsShown);
  const afterRow = Math.max(0, upToRow - rowsBackMax);
  const newest = await newestFitting(store, { afterRow, upToRow }, filter, minuteMax);
  const ids = lookedAt(visit).map(({ id }) => id);
  const thisHour = hourOf(nowMs);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return {
    level: filter.level,
    q: askedWords(visit.query),
    after,
    events: newest.slice(0, rowsShown).map((event) => liveRow(event, names.get(event.projectId) ?? '')),
    this_hour: countsOf(await store.sumOutcomes(ids, thisHour, thisHour + hourMs)),
    hour_before: countsOf(await store.sumOutcomes(ids, thisHour - hourMs, thisHour)),
    last_minute: perSecond(newest, nowMs),
  };
}

/** An event as the page and the stream tell it. */
export function liveRow(event: LiveEvent, project: string): LiveRow {
  return {
    row: event.row,
    event_id: event.eventId,
    issue_id: event.issueId,
    project_id: event.projectId,
    project,
    received_at: momentText(event.receivedAtMs),
    level: event.level,
    title: event.title,
    culprit: event.culprit,
  };
}

/** What was kept, and what was not; what a client says that it left away itself was not refused here. */
export function countsOf(sums: readonly OutcomeSum[]): LiveCounts {
  const kept = sums.filter(({ outcome }) => outcome === 'accepted');
  const refused = sums.filter(({ outcome }) => isRefusal(outcome));
  const reasons = new Map<string, number>();
  for (const { outcome, reason, quantity } of refused) {
    const name = reason === '' ? outcome : reason;
    reasons.set(name, (reasons.get(name) ?? 0) + quantity);
  }
  return {
    kept: total(kept),
    refused: total(refused),
    reasons: [...reasons]
      .map(([reason, quantity]) => ({ reason, quantity }))
      .sort((one, other) => other.quantity - one.quantity),
  };
}

function isRefusal(outcome: OutcomeSum['outcome']): boolean {
  return outcome === 'filtered' || outcome === 'rate_limited' || outcome === 'invalid';
}

function total(sums: readonly OutcomeSum[]): number {
  return sums.reduce((sum, { quantity }) => sum + quantity, 0);
}

function perSecond(events: readonly LiveEvent[], nowMs: number): number[] {
  const seconds = new Array<number>(secondsShown).fill(0);
  for (const { receivedAtMs } of events) {
    const at = secondsShown - 1 - Math.floor((nowMs - receivedAtMs) / 1000);
    if (nowMs - receivedAtMs < minuteMs && seconds[at] !== undefined) seconds[at] += 1;
  }
  return seconds;
}
