// Which events are kept whole: of each issue the first and the last, one of each release, those that its
// history names, some of each week, and of all together what came last.
import { dayMs, hourMs } from '../../../core/reading/spans.ts';
import { weekMs, weekOf, weekStartMs } from '../calendar.ts';
import { chance } from '../chance.ts';
import { rememberedFromMs, weeksShown } from '../story.ts';
import { eventIdOf, type IssueFacts, type LoneIssue, type WorldIssue } from './issues.ts';

/** An event that is kept, and where it stands. */
export interface StoredPlace {
  readonly eventId: string;
  /** The issue that it was filed under, and the one that stands for that. */
  readonly own: LoneIssue;
  readonly issueId: number;
  readonly projectId: number;
  /** How many events of its issue came before it. */
  readonly nth: number;
  readonly atMs: number;
  readonly release: string;
  readonly environment: string;
  /** Higher than that of every event before it. */
  readonly row: number;
}

/** What came last is kept whole, whatever it is of. */
const newestKept = 40;
/** As long ago as that may be. */
const newestWithinMs = 12 * hourMs;
/** So many events a week, and one of them is kept. */
const sampledFrom = 24;

/** A moment at which somebody spoke of an issue: what had happened to them is kept. */
export interface Spoken {
  readonly issueId: number;
  readonly atMs: number;
}

/** All that is kept, the oldest first. */
export function storedEvents(
  facts: IssueFacts,
  issues: readonly WorldIssue[],
  spoken: readonly Spoken[],
): StoredPlace[] {
  const kept = new Map<LoneIssue, Set<number>>(
    issues.map((each) => {
      const own = each.group[0] ?? each;
      return [own, nthsOf(facts, own, spoken)];
    }),
  );
  for (const { own, nth } of newestOf([...kept.keys()], facts.nowMs)) kept.get(own)?.add(nth);
  const places = [...kept].flatMap(([own, nths]) => [...nths].map((nth) => placeOf(facts, own, nth)));
  places.sort((one, other) => one.atMs - other.atMs || one.own.plan.id - other.own.plan.id);
  return withRows(places);
}

function nthsOf(facts: IssueFacts, own: LoneIssue, spoken: readonly Spoken[]): Set<number> {
  const { series, plan, projectId } = own;
  const fromMs = rememberedFromMs(facts.nowMs);
  const remembered = series.before(fromMs);
  const nths = new Set([0, series.total - 1, ...own.namedEvents.filter((nth) => nth >= remembered)]);
  const changes = facts.production.changes(projectId, fromMs, facts.nowMs);
  for (const [at, changedAtMs] of changes.entries()) {
    const nth = series.before(changedAtMs);
    if (nth < series.before(changes[at + 1] ?? facts.nowMs)) nths.add(nth);
  }
  const week = weekOf(facts.nowMs);
  for (let back = 0; back < weeksShown; back += 1) {
    const startMs = weekStartMs(week - back);
    if (startMs < fromMs) break;
    const first = series.before(startMs);
    // A week that is not over yet is sampled like the others, so that what is kept stays kept.
    const sampleAtMs = startMs + chance(facts.seed, 'sample', plan.id, week - back) * weekMs;
    const nth = series.before(sampleAtMs);
    if (sampleAtMs <= facts.nowMs - dayMs && nth - first >= sampledFrom && nth < series.total) nths.add(nth);
  }
  for (const { issueId, atMs } of spoken) {
    if (issueId === plan.id && series.before(atMs) > 0) nths.add(series.before(atMs) - 1);
  }
  return nths;
}

function newestOf(issues: readonly LoneIssue[], nowMs: number) {
  return issues
    .filter(({ bare }) => bare.lastSeenMs >= nowMs - newestWithinMs)
    .flatMap((own) => {
      const { total, momentOf } = own.series;
      const first = Math.max(0, total - newestKept);
      return Array.from({ length: total - first }, (_, at) => ({
        own,
        nth: first + at,
        atMs: momentOf(first + at),
      }));
    })
    .sort((one, other) => other.atMs - one.atMs)
    .slice(0, newestKept);
}

function placeOf(facts: IssueFacts, own: LoneIssue, nth: number): Omit<StoredPlace, 'row'> {
  const { plan, life, series, projectId, bare } = own;
  const eventId = eventIdOf(facts, plan, life, nth, series.total);
  const atMs = series.momentOf(nth);
  return {
    eventId,
    own,
    issueId: bare.mergedInto ?? plan.id,
    projectId,
    nth,
    atMs,
    release: facts.production.versionAt(projectId, atMs),
    environment: isStaging(plan.lives, eventId, nth) ? 'staging' : 'production',
  };
}

/** Of 100 events so many came from staging. */
export const stagingShare = 6;

function isStaging(lives: LoneIssue['plan']['lives'], eventId: string, nth: number): boolean {
  return lives !== 'trouble' && nth > 0 && chance(eventId, 'staging') * 100 < stagingShare;
}

/** Rows are numbered by their time, so that what comes later has a higher one however much is kept. */
function withRows(places: ReadonlyArray<Omit<StoredPlace, 'row'>>): StoredPlace[] {
  let last = 0;
  return places.map((place) => {
    last = Math.max(last + 1, Math.floor((place.atMs - rowsBeganMs) / rowMs));
    return { ...place, row: last };
  });
}

const rowsBeganMs = Date.UTC(2025, 0, 1);
const rowMs = 5_000;
