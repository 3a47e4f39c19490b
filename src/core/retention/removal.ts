// Removing what a project keeps no longer: first what is too old, then, while it is over its quotas, the
// oldest of the loudest issues. Each slice is small, and gives way to whoever waits.
import type { EvictionWalk, KeptIssue, Promised } from '../store/storage/retention.ts';
import type { Store } from '../store/store.ts';
import { cutoffOf, excessOf, mayHaveAged, promisedToAll, type RetentionLimits, walkOf } from './plan.ts';

export interface RemovalOptions {
  readonly isOver: () => boolean;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Told the events that went so far. */
  readonly onProgress: (events: number) => void;
}

export interface Removed {
  readonly events: number;
  readonly bytes: number;
}

const firstRows = 50;
const rowsMax = 500;
/** What one slice may take; one that took longer is followed by one of half its size. */
const sliceMsMax = 20;
const sliceMsEasy = 8;
/** A slice that waited so long for its turn has others beside it: it rests for so many times as it took. */
const crowdedMs = 10;
const crowdedRests = 5;

/** Removes slice by slice; one for all projects of a round. */
export function createRemover(store: Store, runner: number, { isOver, sleep, onProgress }: RemovalOptions) {
  let rows = firstRows;
  let total = 0;
  let elsewhere = false;
  return {
    runner,
    isOver: () => elsewhere || isOver(),
    /** Removes what a walk finds, `eventsMax` at most; answers what went. */
    async remove(walk: EvictionWalk, eventsMax: number): Promise<{ events: number; bytes: number }> {
      let [events, bytes] = [0, 0];
      while (events < eventsMax && !elsewhere && !isOver()) {
        const step = await store.removeOldest(walk, rows, eventsMax - events);
        elsewhere = step.elsewhere;
        events += step.events;
        bytes += step.bytes;
        total += step.events;
        if (step.events > 0) onProgress(total);
        if (step.tookMs > sliceMsMax) rows = Math.max(1, Math.floor(rows / 2));
        else if (step.tookMs < sliceMsEasy) rows = Math.min(rowsMax, rows * 2);
        if (step.done) break;
        await sleep(Math.max(1, step.tookMs * (step.waitedMs > crowdedMs ? crowdedRests : 1)));
      }
      return { events, bytes };
    },
  };
}

type Remover = ReturnType<typeof createRemover>;

/** A project while events of it go: what is stored of each issue is counted along. */
interface Shrinking {
  readonly remover: Remover;
  readonly limits: RetentionLimits;
  readonly issues: Array<{ -readonly [Key in keyof KeptIssue]: KeptIssue[Key] }>;
  bytes: number | null;
  removed: number;
  removedBytes: number;
}

type ShrinkingIssue = Shrinking['issues'][number];

/** Brings one project to its limits. `bytes` is what it holds, where there is a quota of bytes. */
export async function shrinkProject(
  remover: Remover,
  limits: RetentionLimits,
  held: { readonly issues: readonly KeptIssue[]; readonly bytes: number | null },
  nowMs: number,
): Promise<Removed> {
  const shrinking: Shrinking = {
    remover,
    limits,
    issues: held.issues.map((issue) => ({ ...issue })),
    bytes: held.bytes,
    removed: 0,
    removedBytes: 0,
  };
  const beforeMs = cutoffOf(limits, nowMs);
  for (const issue of shrinking.issues) {
    if (remover.isOver()) break;
    if (!mayHaveAged(issue, beforeMs)) continue;
    await take(shrinking, issue, promisedToAll, { beforeMs, eventsMax: issue.stored });
  }
  await shrinkToQuota(shrinking);
  return { events: shrinking.removed, bytes: shrinking.removedBytes };
}

/**
 * What is promised gives way in this order: fewer of the newest, down to one an issue; the events of
 * releases; the first ones; the last ones.
 */
async function shrinkToQuota(shrinking: Shrinking): Promise<void> {
  await levelNewest(shrinking);
  const loudest = [...shrinking.issues].sort((one, other) => other.stored - one.stored);
  await takeUntilWithin(shrinking, loudest, { newest: 1, first: true, releases: false });
  const stalest = [...shrinking.issues].sort((one, other) => one.lastSeenMs - other.lastSeenMs);
  await takeUntilWithin(shrinking, stalest, { newest: 1, first: false, releases: false });
  await takeUntilWithin(shrinking, stalest, { newest: 0, first: false, releases: false });
}

/**
 * Issues that have more lose theirs first, until all have equally many of their newest. What stays beside
 * those is known only once it was passed: then fewer of the newest fit.
 */
async function levelNewest(shrinking: Shrinking): Promise<void> {
  const beside = new Map<number, number>();
  for (let newest = Number.POSITIVE_INFINITY; newest > 1 && !isWithin(shrinking); ) {
    const fitting = newestFitting(shrinking.issues, beside, storedOf(shrinking) - overOf(shrinking));
    newest = Math.max(1, Math.min(fitting, newest - 1));
    const promised = { newest, first: true, releases: true };
    const over = shrinking.issues
      .filter(({ id, stored }) => stored > newest + (beside.get(id) ?? 0))
      .sort((one, other) => other.stored - one.stored);
    for (const issue of over) {
      if (isWithin(shrinking)) return;
      await take(shrinking, issue, promised, { beforeMs: null, eventsMax: overOf(shrinking) });
      beside.set(issue.id, Math.max(0, issue.stored - newest));
    }
  }
}

/** The most of its newest events that every issue can keep where `room` events are kept of all. */
function newestFitting(
  issues: ReadonlyArray<Pick<KeptIssue, 'id' | 'stored'>>,
  beside: ReadonlyMap<number, number>,
  room: number,
): number {
  const fits = (newest: number): boolean =>
    issues.reduce((sum, { id, stored }) => sum + Math.min(stored, newest + (beside.get(id) ?? 0)), 0) <= room;
  let low = 0;
  let high = issues.reduce((most, { stored }) => Math.max(most, stored), 0);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

async function takeUntilWithin(
  shrinking: Shrinking,
  issues: readonly ShrinkingIssue[],
  promised: Promised,
): Promise<void> {
  const kept = promised.newest + Number(promised.first);
  for (const issue of issues) {
    if (isWithin(shrinking)) return;
    if (issue.stored <= kept) continue;
    await take(shrinking, issue, promised, { beforeMs: null, eventsMax: overOf(shrinking) });
  }
}

async function take(
  shrinking: Shrinking,
  issue: ShrinkingIssue,
  promised: Promised,
  { beforeMs, eventsMax }: { readonly beforeMs: number | null; readonly eventsMax: number },
): Promise<void> {
  const { remover } = shrinking;
  const walk = walkOf(issue, promised, beforeMs, remover.runner);
  const { events, bytes } = await remover.remove(walk, eventsMax);
  issue.stored -= events;
  shrinking.removed += events;
  shrinking.removedBytes += bytes;
  if (shrinking.bytes !== null) shrinking.bytes -= bytes;
}

function storedOf({ issues }: Shrinking): number {
  return issues.reduce((sum, { stored }) => sum + stored, 0);
}

function overOf(shrinking: Shrinking): number {
  return excessOf({ events: storedOf(shrinking), bytes: shrinking.bytes }, shrinking.limits);
}

/** Whether nothing more has to go, or nothing more may. */
function isWithin(shrinking: Shrinking): boolean {
  return shrinking.remover.isOver() || overOf(shrinking) <= 0;
}
