// Removes events: first those that are too old, then, over a quota, the oldest of the largest issues.
import type { EvictionCursor, EvictionStep, ProtectedEvents, RetainedIssue } from '../store/retention.ts';
import type { Store } from '../store/store.ts';
import {
  ageCutoffMs,
  countEventsOverQuota,
  createEvictionCursor,
  keptOfEveryIssue,
  mayHaveExpiredEvents,
  newestEventsKept,
  type RetentionLimits,
} from './plan.ts';

export interface RemovalOptions {
  readonly isOver: () => boolean;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly onProgress: (events: number) => void;
}

/** Steps by which the newest events kept of an issue shrink while the project is over a quota. */
const newestKeptSteps = [10, 1] as const;

const firstBatchRows = 10;
/** Longer lists are padded to 1,000 parameters, and SQLite needs 40 ms to parse eight such statements. */
const batchRowsMax = 100;
/** Half of what a batch may take: how long the commit lasts depends on the disk. */
const batchMsTarget = 10;
/** Limits the effect of one unusually slow or fast batch on the next. */
const growthMax = 2;
const shrinkMax = 4;
/** A batch that waited longer for the database has other users: pause five times as long as it took. */
const contendedWaitMs = 10;
const contendedPauseFactor = 5;

/** Shared by all projects of a run, so that the batch size is learned once. */
export function createRemover(store: Store, runner: number, { isOver, sleep, onProgress }: RemovalOptions) {
  let rows = firstBatchRows;
  let total = 0;
  let elsewhere = false;
  return {
    runner,
    isOver: () => elsewhere || isOver(),
    async remove(cursor: EvictionCursor, eventsMax: number): Promise<{ events: number; bytes: number }> {
      let [events, bytes] = [0, 0];
      while (events < eventsMax && !elsewhere && !isOver()) {
        const step = await store.removeOldest(cursor, rows, eventsMax - events);
        elsewhere = step.elsewhere;
        events += step.events;
        bytes += step.bytes;
        total += step.events;
        if (step.events > 0) onProgress(total);
        rows = nextBatchRows(rows, step);
        if (step.done) break;
        await sleep(Math.max(1, step.tookMs * (step.waitedMs > contendedWaitMs ? contendedPauseFactor : 1)));
      }
      return { events, bytes };
    },
  };
}

/** A batch that was not full cannot grow the next one. */
export function nextBatchRows(
  rows: number,
  { rows: read, tookMs }: Pick<EvictionStep, 'rows' | 'tookMs'>,
): number {
  const fitting = batchMsTarget / Math.max(tookMs, 0.1);
  if (fitting < 1) return Math.max(1, Math.floor(Math.min(rows, read) * Math.max(fitting, 1 / shrinkMax)));
  return read < rows ? rows : Math.min(batchRowsMax, Math.ceil(rows * Math.min(fitting, growthMax)));
}

type Remover = ReturnType<typeof createRemover>;

interface ProjectRemoval {
  readonly remover: Remover;
  readonly limits: RetentionLimits;
  readonly issues: Array<{ -readonly [Key in keyof RetainedIssue]: RetainedIssue[Key] }>;
  bytes: number | null;
  removed: number;
  removedBytes: number;
}

type IssueRemoval = ProjectRemoval['issues'][number];

export async function removeProjectExcess(
  remover: Remover,
  limits: RetentionLimits,
  usage: { readonly issues: readonly RetainedIssue[]; readonly bytes: number | null },
  nowMs: number,
): Promise<{ events: number; bytes: number }> {
  const removal: ProjectRemoval = {
    remover,
    limits,
    issues: usage.issues.map((issue) => ({ ...issue })),
    bytes: usage.bytes,
    removed: 0,
    removedBytes: 0,
  };
  const beforeMs = ageCutoffMs(limits, nowMs);
  for (const issue of removal.issues) {
    if (remover.isOver()) break;
    if (!mayHaveExpiredEvents(issue, beforeMs)) continue;
    await removeFromIssue(removal, issue, keptOfEveryIssue, { beforeMs, eventsMax: issue.stored });
  }
  await removeOverQuota(removal);
  return { events: removal.removed, bytes: removal.removedBytes };
}

/** Events go in this order: newest 100 → 10 → 1 of an issue, those of releases, the first, the last. */
async function removeOverQuota(removal: ProjectRemoval): Promise<void> {
  await evenOutNewest(removal);
  for (const newest of newestKeptSteps) {
    const protectedEvents = { newest, first: true, releases: true };
    await removeUntilWithinQuota(removal, sortByStoredDescending(removal.issues), protectedEvents);
  }
  const withoutReleases = { newest: 1, first: true, releases: false };
  await removeUntilWithinQuota(removal, sortByStoredDescending(removal.issues), withoutReleases);
  const stalest = [...removal.issues].sort((one, other) => one.lastSeenMs - other.lastSeenMs);
  await removeUntilWithinQuota(removal, stalest, { newest: 1, first: false, releases: false });
  await removeUntilWithinQuota(removal, stalest, { newest: 0, first: false, releases: false });
}

// Takes from the largest issues first, until all keep equally many of their newest events (at least 100). How
// many others an issue keeps is only known after a walk; then fewer of the newest fit.
async function evenOutNewest(removal: ProjectRemoval): Promise<void> {
  const otherKept = new Map<number, number>();
  for (let newest = Number.POSITIVE_INFINITY; newest > newestEventsKept && !isDone(removal); ) {
    const fitting = newestPerIssueFitting(
      removal.issues,
      otherKept,
      countStored(removal) - countOverQuota(removal),
    );
    newest = Math.max(newestEventsKept, Math.min(fitting, newest - 1));
    const protectedEvents = { newest, first: true, releases: true };
    const over = removal.issues.filter(({ id, stored }) => stored > newest + (otherKept.get(id) ?? 0));
    for (const issue of sortByStoredDescending(over)) {
      if (isDone(removal)) return;
      await removeFromIssue(removal, issue, protectedEvents, {
        beforeMs: null,
        eventsMax: countOverQuota(removal),
      });
      otherKept.set(issue.id, Math.max(0, issue.stored - newest));
    }
  }
}

function sortByStoredDescending(issues: readonly IssueRemoval[]): IssueRemoval[] {
  return [...issues].sort((one, other) => other.stored - one.stored);
}

/** The largest number of newest events that every issue can keep with `capacity` events in total. */
function newestPerIssueFitting(
  issues: ReadonlyArray<Pick<RetainedIssue, 'id' | 'stored'>>,
  otherKept: ReadonlyMap<number, number>,
  capacity: number,
): number {
  const fits = (newest: number): boolean =>
    issues.reduce((sum, { id, stored }) => sum + Math.min(stored, newest + (otherKept.get(id) ?? 0)), 0) <=
    capacity;
  let low = 0;
  let high = issues.reduce((max, { stored }) => Math.max(max, stored), 0);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

async function removeUntilWithinQuota(
  removal: ProjectRemoval,
  issues: readonly IssueRemoval[],
  protectedEvents: ProtectedEvents,
): Promise<void> {
  const promisedCount = protectedEvents.newest + Number(protectedEvents.first);
  for (const issue of issues) {
    if (isDone(removal)) return;
    if (issue.stored <= promisedCount) continue;
    await removeFromIssue(removal, issue, protectedEvents, {
      beforeMs: null,
      eventsMax: countOverQuota(removal),
    });
  }
}

async function removeFromIssue(
  removal: ProjectRemoval,
  issue: IssueRemoval,
  protectedEvents: ProtectedEvents,
  { beforeMs, eventsMax }: { readonly beforeMs: number | null; readonly eventsMax: number },
): Promise<void> {
  const { remover } = removal;
  const cursor = createEvictionCursor(issue, protectedEvents, beforeMs, remover.runner);
  const { events, bytes } = await remover.remove(cursor, eventsMax);
  issue.stored -= events;
  removal.removed += events;
  removal.removedBytes += bytes;
  if (removal.bytes !== null) removal.bytes -= bytes;
}

function countStored({ issues }: ProjectRemoval): number {
  return issues.reduce((sum, { stored }) => sum + stored, 0);
}

function countOverQuota(removal: ProjectRemoval): number {
  return countEventsOverQuota({ events: countStored(removal), bytes: removal.bytes }, removal.limits);
}

function isDone(removal: ProjectRemoval): boolean {
  return removal.remover.isOver() || countOverQuota(removal) <= 0;
}
