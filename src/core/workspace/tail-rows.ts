// How far a tail has read, and what is new since: each stored event once, in the order of the rows' numbers.
import type { LiveEvent, LiveStore } from '../store/workspace.ts';

/** Reads on from where it was; see `openRows`. */
export interface TailRows {
  /** The number up to which everything was read; null before the first look that could tell. */
  reached(): number | null;
  /** What is new. `isMore` says that there is more to come at once or in a moment. */
  read(): Promise<{ readonly events: LiveEvent[]; readonly isMore: boolean }>;
}

/** Events that one look reads. */
const eventsMax = 500;

/**
 * Rows from now on. Where several connections write (`rowsInOrder` is false) a number may be seen before a
 * lower one whose commit is under way, be it for as long as it waits for a lock; so a row behind a gap waits
 * for all who wrote when the gap was seen. A gap that is still there then is a number that nobody used.
 */
export function openRows(store: LiveStore): TailRows {
  const gaps = store.rowsInOrder ? null : settling(store);
  let start: number | null = null;
  /** The row that was read last, and whose it was: where the newest rows go, their numbers come again. */
  let last: { readonly row: number; readonly eventId: string | null } | null = null;

  async function begin(): Promise<boolean> {
    if (start === null) {
      start = await store.newestEventRow();
      await gaps?.awaitAll(start);
    }
    if (gaps !== null && (await gaps.settled()) < start) return false;
    last = { row: start, eventId: null };
    return true;
  }

  return {
    reached: () => last?.row ?? null,
    async read() {
      if (last === null && !(await begin())) return { events: [], isMore: true };
      const { row, eventId } = last ?? { row: 0, eventId: null };
      // Asked before the rows are read: whoever is done by now is seen in them.
      const settled = gaps === null ? Number.POSITIVE_INFINITY : await gaps.settled();
      const found = await store.listEventsFrom(row, eventsMax);
      const [first] = found;
      if (first === undefined) last = { row: Math.min(row, await store.newestEventRow()), eventId: null };
      const isKnown = first?.row === row && (eventId === null || first.eventId === eventId);
      if (isKnown && first !== undefined) last = { row, eventId: first.eventId };
      const fresh = isKnown ? found.slice(1) : found;
      const events = withoutGaps(fresh, row, settled);
      if (events.length < fresh.length) await gaps?.awaitAll(fresh.at(-1)?.row ?? row);
      const newest = events.at(-1);
      if (newest !== undefined) last = { row: newest.row, eventId: newest.eventId };
      return { events, isMore: events.length < fresh.length || found.length >= eventsMax };
    },
  };
}

/**
 * The number to go on from for who was shown the newest `shownMax` rows up to one: below the first gap among
 * them, which may be filled later. What comes again then is known by its event.
 */
export async function rowToGoOnFrom(store: LiveStore, newest: number, shownMax: number): Promise<number> {
  if (store.rowsInOrder) return newest;
  const any = { projectId: null, level: null };
  const rows = await store.listEventsBetween(0, newest, any, shownMax);
  const [lowest, ...higher] = rows.map(({ row }) => row).reverse();
  let before = lowest ?? newest;
  for (const row of higher) {
    if (row !== before + 1) break;
    before = row;
  }
  return before;
}

/** The rows up to the first gap that may still be filled. */
function withoutGaps(fresh: readonly LiveEvent[], reached: number, settled: number): LiveEvent[] {
  let before = reached;
  const gap = fresh.findIndex(({ row }) => {
    const isBehindGap = row !== before + 1 && row > settled;
    before = row;
    return isBehindGap;
  });
  return gap === -1 ? [...fresh] : fresh.slice(0, gap);
}

/** Up to which number all are used, or never will be. */
function settling(store: Pick<LiveStore, 'eventWriters'>) {
  let settledRow = 0;
  /** Who wrote after this number was seen: every lower one is theirs, or is settled. */
  let awaited: { readonly row: number; readonly writers: readonly string[] } | null = null;
  return {
    /** Awaits all who write now, for the numbers up to one that was seen; whoever is awaited comes first. */
    async awaitAll(row: number): Promise<void> {
      awaited ??= { row, writers: await store.eventWriters() };
    },
    async settled(): Promise<number> {
      if (awaited === null) return settledRow;
      const writing = new Set(awaited.writers.length === 0 ? [] : await store.eventWriters());
      if (awaited.writers.some((writer) => writing.has(writer))) return settledRow;
      settledRow = awaited.row;
      awaited = null;
      return settledRow;
    },
  };
}
