import { hourMs, minuteMs, startOfHour } from '../parsing/durations.ts';
import { sum } from '../parsing/format/numbers.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { LiveEvent, OutcomeSum } from '../store/page-queries.ts';
import { textParam } from './list-params.ts';
import { findNewestMatching, findResumeRow, readTailFilter, searchedRowsMax } from './live-tail-reader.ts';
import { type RequestContext, viewedProjects } from './request-context.ts';

const rowsShown = 50;
const secondsShown = 60;
/** The most events counted for the last minute. */
const minuteMax = 1_000;

export type LiveRow = ReturnType<typeof viewLiveRow>;

export type LiveCounts = ReturnType<typeof countOutcomes>;

export type LiveModel = Awaited<ReturnType<typeof liveModel>>;

export async function liveModel(context: RequestContext) {
  const { deps, nowMs, projects, project } = context;
  const { store } = deps;
  const filter = readTailFilter(context.query, project === null ? null : [project.id]);
  const upToRow = await store.newestEventRow();
  const after = await findResumeRow(store, upToRow, rowsShown);
  const afterRow = Math.max(0, upToRow - searchedRowsMax);
  const newest = await findNewestMatching(store, { afterRow, upToRow }, filter, minuteMax);
  const ids = viewedProjects(context).map(({ id }) => id);
  const thisHour = startOfHour(nowMs);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return {
    level: filter.level,
    /** Words that must occur in the title; null for none. */
    q: textParam(context, 'q'),
    /** The row to continue from; some events may be sent again. */
    after,
    events: newest.slice(0, rowsShown).map((event) => viewLiveRow(event, names.get(event.projectId) ?? '')),
    this_hour: countOutcomes(await store.sumOutcomes(ids, thisHour, thisHour + hourMs)),
    hour_before: countOutcomes(await store.sumOutcomes(ids, thisHour - hourMs, thisHour)),
    /** Events per second in the last minute, oldest first. */
    last_minute: countEventsPerSecond(newest, nowMs),
  };
}

export function viewLiveRow(event: LiveEvent, project: string) {
  return {
    /** Increases with each stored event. */
    row: event.row,
    event_id: event.eventId,
    issue_id: event.issueId,
    project_id: event.projectId,
    project,
    received_at: formatTime(event.receivedAtMs),
    level: event.level,
    title: event.title,
    culprit: event.culprit,
  };
}

/** Events that clients discarded themselves are not counted as refused. */
export function countOutcomes(sums: readonly OutcomeSum[]) {
  const accepted = sums.filter(({ outcome }) => outcome === 'accepted');
  const refused = sums.filter(({ outcome }) => isRefusal(outcome));
  const reasons = new Map<string, number>();
  for (const { outcome, reason, quantity } of refused) {
    const name = reason === '' ? outcome : reason;
    reasons.set(name, (reasons.get(name) ?? 0) + quantity);
  }
  return {
    accepted: sum(accepted.map(({ quantity }) => quantity)),
    refused: sum(refused.map(({ quantity }) => quantity)),
    reasons: [...reasons]
      .map(([reason, quantity]) => ({ reason, quantity }))
      .sort((one, other) => other.quantity - one.quantity),
  };
}

function isRefusal(outcome: OutcomeSum['outcome']): boolean {
  return outcome === 'filtered' || outcome === 'rate_limited' || outcome === 'invalid';
}

function countEventsPerSecond(events: readonly LiveEvent[], nowMs: number): number[] {
  const seconds = new Array<number>(secondsShown).fill(0);
  for (const { receivedAtMs } of events) {
    const at = secondsShown - 1 - Math.floor((nowMs - receivedAtMs) / 1000);
    if (nowMs - receivedAtMs < minuteMs && seconds[at] !== undefined) seconds[at] += 1;
  }
  return seconds;
}
