// Removes events: first those that are too old, then, over a quota, the oldest of the largest issues.
import type { EvictionStep, EvictionWalk, KeptIssue, Promised } from '../store/storage/retention.ts';
import type { Store } from '../store/store.ts';
import {
  cutoffOf,
  excessOf,
  mayHaveAged,
  newestKept,
  promisedToAll,
  type RetentionLimits,
  walkOf,
} from './plan.ts';

export interface RemovalOptions {
  readonly isOver: () => boolean;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly onProgress: (events: number) => void;
}

export interface Removed {
  readonly events: number;
  readonly bytes: number;
}

/** Steps by which the newest events kept of an issue shrink while the project is over a quota. */
const newestLess = [10, 1] as const;

const firstRows = 10;
/** Longer lists are padded to 1,000 parameters, and SQLite needs 40 ms to parse eight such statements. */
const rowsMax = 100;
/** Half of what a batch may take: how long the commit lasts depends on the disk. */
const sliceMsAim = 10;
/** Limits the effect of one unusually slow or fast batch on the next. */
const growthMax = 2;
const shrinkMax = 4;
/** A batch that waited longer for the database has others beside it: pause five times as long as it took. */
const crowdedMs = 10;
const crowdedRests = 5;

/** Shared by all projects of a run, so that the batch size is learned once. */
export function createRemover(store: Store, runner: number, { isOver, sleep, onProgress }: RemovalOptions) {
  let rows = firstRows;
  let total = 0;
  let elsewhere = false;
  return {
    runner,
    isOver: () => elsewhere || isOver(),
    async remove(walk: EvictionWalk, eventsMax: number): Promise<{ events: number; bytes: number }> {
      let [events, bytes] = [0, 0];
      while (events < eventsMax && !elsewhere && !isOver()) {
        const step = await store.removeOldest(walk, rows, eventsMax - events);
        elsewhere = step.elsewhere;
        events += step.events;
        bytes += step.bytes;
        total += step.events;
        if (step.events > 0) onProgress(total);
        rows = nextRows(rows, step);
        if (step.done) break;
        await sleep(Math.max(1, step.tookMs * (step.waitedMs > crowdedMs ? crowdedRests : 1)));
      }
      return { events, bytes };
    },
  };
}

/** A batch that was not full cannot grow the next one. */
export function nextRows(
  rows: number,
  { rows: read, tookMs }: Pick<EvictionStep, 'rows' | 'tookMs'>,
): number {
  const fitting = sliceMsAim / Math.max(tookMs, 0.1);
  if (fitting < 1) return Math.max(1, Math.floor(Math.min(rows, read) * Math.max(fitting, 1 / shrinkMax)));
  return read < rows ? rows : Math.min(rowsMax, Math.ceil(rows * Math.min(fitting, growthMax)));
}

type Remover = ReturnType<typeof createRemover>;

interface Shrinking {
  readonly remover: Remover;
  readonly limits: RetentionLimits;
  readonly issues: Array<{ -readonly [Key in keyof KeptIssue]: KeptIssue[Key] }>;
  bytes: number | null;
  removed: number;
  removedBytes: number;
}

type ShrinkingIssue = Shrinking['issues'][number];

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

/** Events go in this order: newest 100 → 10 → 1 of an issue, those of releases, the first, the last. */
async function shrinkToQuota(shrinking: Shrinking): Promise<void> {
  await levelNewest(shrinking);
  for (const newest of newestLess) {
    const promised = { newest, first: true, releases: true };
    await takeUntilWithin(shrinking, loudestOf(shrinking.issues), promised);
  }
  const bare = { newest: 1, first: true, releases: false };
  await takeUntilWithin(shrinking, loudestOf(shrinking.issues), bare);
  const stalest = [...shrinking.issues].sort((one, other) => one.lastSeenMs - other.lastSeenMs);
  await takeUntilWithin(shrinking, stalest, { newest: 1, first: false, releases: false });
  await takeUntilWithin(shrinking, stalest, { newest: 0, first: false, releases: false });
}

// Takes from the largest issues first, until all keep equally many of their newest events (at least 100). How
// many others an issue keeps is only known after a walk; then fewer of the newest fit.
async function levelNewest(shrinking: Shrinking): Promise<void> {
  const beside = new Map<number, number>();
  for (let newest = Number.POSITIVE_INFINITY; newest > newestKept && !isWithin(shrinking); ) {
    const fitting = newestFitting(shrinking.issues, beside, storedOf(shrinking) - overOf(shrinking));
    newest = Math.max(newestKept, Math.min(fitting, newest - 1));
    const promised = { newest, first: true, releases: true };
    const over = shrinking.issues.filter(({ id, stored }) => stored > newest + (beside.get(id) ?? 0));
    for (const issue of loudestOf(over)) {
      if (isWithin(shrinking)) return;
      await take(shrinking, issue, promised, { beforeMs: null, eventsMax: overOf(shrinking) });
      beside.set(issue.id, Math.max(0, issue.stored - newest));
    }
  }
}

function loudestOf(issues: readonly ShrinkingIssue[]): ShrinkingIssue[] {
  return [...issues].sort((one, other) => other.stored - one.stored);
}

/** The largest number of newest events that every issue can keep with `room` events in total. */
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

function isWithin(shrinking: Shrinking): boolean {
  return shrinking.remover.isOver() || overOf(shrinking) <= 0;
}
