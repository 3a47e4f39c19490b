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
 * lower one whose commit is under way; so a row behind a gap waits `settleMs` for it. A gap that is still
 * there then is a number that nobody used.
 * @param clock milliseconds that only go forward.
 */
export function openRows(store: LiveStore, { settleMs, clock }: Settling): TailRows {
  const gaps = store.rowsInOrder ? null : settling(settleMs, clock);
  let start: { readonly row: number; readonly atMs: number } | null = null;
  /** The row that was read last, and whose it was: where the newest rows go, their numbers come again. */
  let last: { readonly row: number; readonly eventId: string | null } | null = null;

  async function begin(): Promise<boolean> {
    start ??= { row: await store.newestEventRow(), atMs: clock() };
    if (gaps !== null && clock() - start.atMs < settleMs) return false;
    last = { row: start.row, eventId: null };
    return true;
  }

  return {
    reached: () => last?.row ?? null,
    async read() {
      if (last === null && !(await begin())) return { events: [], isMore: true };
      const { row, eventId } = last ?? { row: 0, eventId: null };
      const found = await store.listEventsFrom(row, eventsMax);
      const [first] = found;
      if (first === undefined) last = { row: Math.min(row, await store.newestEventRow()), eventId: null };
      const isKnown = first?.row === row && (eventId === null || first.eventId === eventId);
      if (isKnown && first !== undefined) last = { row, eventId: first.eventId };
      const fresh = isKnown ? found.slice(1) : found;
      const events = gaps === null ? fresh : gaps.withoutGaps(row, fresh);
      const newest = events.at(-1);
      if (newest !== undefined) last = { row: newest.row, eventId: newest.eventId };
      return { events, isMore: events.length < fresh.length || found.length >= eventsMax };
    },
  };
}

export interface Settling {
  readonly settleMs: number;
  clock(): number;
}

/** Holds back what stands behind a gap that may still be filled. */
function settling(settleMs: number, clock: () => number) {
  /** What was the highest number when; oldest first. */
  let seen: ReadonlyArray<{ readonly atMs: number; readonly row: number }> = [];
  return {
    withoutGaps(reached: number, fresh: readonly LiveEvent[]): LiveEvent[] {
      const nowMs = clock();
      const highest = fresh.at(-1)?.row ?? reached;
      const old = seen.filter(({ atMs }) => nowMs - atMs >= settleMs);
      // Every number below one that was seen so long ago was used by then, or never will be.
      const settled = old.at(-1)?.row ?? 0;
      seen = [...old.slice(-1), ...seen.slice(old.length), { atMs: nowMs, row: highest }];
      let before = reached;
      const gap = fresh.findIndex(({ row }) => {
        const isBehindGap = row !== before + 1 && row > settled;
        before = row;
        return isBehindGap;
      });
      return gap === -1 ? [...fresh] : fresh.slice(0, gap);
    },
  };
}
