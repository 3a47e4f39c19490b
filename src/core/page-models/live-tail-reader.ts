// Reads new events exactly once, in the order of their row numbers.

import type { Level } from '../../../schemas/event.ts';
import { foldCase } from '../parsing/fold-text.ts';
import type { LiveEvent, LiveFilter, LiveStore } from '../store/page-queries.ts';
import { enumParam, textParam } from './list-params.ts';

export type TailEventReader = ReturnType<typeof createEventReader>;

const eventsMax = 500;

/** From now on. Unless `rowsInOrder`, a row can become visible before a lower one whose transaction is still open:
 * rows behind a gap wait until all transactions open when it was seen have ended. What is missing then never comes. */
export function createEventReader(store: LiveStore) {
  const gaps = store.rowsInOrder ? null : trackOpenTransactions(store);
  let start: number | null = null;
  /** The last row read and its event: row numbers are reused after the newest rows were deleted. */
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
    /** Everything up to this row was read; null before the first successful read. */
    reached: () => last?.row ?? null,
    /** `isMore`: read again soon. */
    async read() {
      if (last === null && !(await begin())) return { events: [], isMore: true };
      const { row, eventId } = last ?? { row: 0, eventId: null };
      // Must come before reading the rows, so that transactions that have ended are visible.
      const settled = gaps === null ? Number.POSITIVE_INFINITY : await gaps.settled();
      const found = await store.listEventsFrom(row, eventsMax);
      const [first] = found;
      if (first === undefined) last = { row: Math.min(row, await store.newestEventRow()), eventId: null };
      const isKnown = first?.row === row && (eventId === null || first.eventId === eventId);
      if (isKnown && first !== undefined) last = { row, eventId: first.eventId };
      const fresh = isKnown ? found.slice(1) : found;
      const events = rowsBeforeGap(fresh, row, settled);
      if (events.length < fresh.length) await gaps?.awaitAll(fresh.at(-1)?.row ?? row);
      const newest = events.at(-1);
      if (newest !== undefined) last = { row: newest.row, eventId: newest.eventId };
      return { events, isMore: events.length < fresh.length || found.length >= eventsMax };
    },
  };
}

/** Where to continue after the newest `shownMax` rows: before the first gap, which may still be filled. Rows of other
 * projects than a member sees are gaps, so that of a project with few events not all rows are looked through. */
export async function findResumeRow(store: LiveStore, newest: number, shownMax: number): Promise<number> {
  if (store.rowsInOrder) return newest;
  const any = { projectIds: null, level: null };
  const rows = await store.listEventsBetween(Math.max(0, newest - searchedRowsMax), newest, any, shownMax);
  const [lowest, ...higher] = rows.map(({ row }) => row).reverse();
  let before = lowest ?? Math.max(0, newest - shownMax);
  for (const row of higher) {
    if (row !== before + 1) break;
    before = row;
  }
  return before;
}

function rowsBeforeGap(fresh: readonly LiveEvent[], reached: number, settled: number): LiveEvent[] {
  let before = reached;
  const gap = fresh.findIndex(({ row }) => {
    const isBehindGap = row !== before + 1 && row > settled;
    before = row;
    return isBehindGap;
  });
  return gap === -1 ? [...fresh] : fresh.slice(0, gap);
}

/** Tracks up to which row no gap can be filled any more. */
function trackOpenTransactions(store: Pick<LiveStore, 'eventWriters'>) {
  let settledRow = 0;
  /** Transactions open when this row was seen; all lower rows are theirs or settled. */
  let awaited: { readonly row: number; readonly writers: readonly string[] } | null = null;
  return {
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

export const liveLevels: readonly Level[] = ['fatal', 'error', 'warning', 'info', 'debug'];

/** The words are matched here with `foldCase`, because databases fold only ASCII alike. */
export type TailFilter = ReturnType<typeof readTailFilter>;

const sliceRows = 1_000;
/** The most rows searched: a filter that rarely matches must not read the whole table. */
export const searchedRowsMax = 20_000;

/** An unknown level is ignored. */
export function readTailFilter(query: URLSearchParams, projectIds: LiveFilter['projectIds']) {
  return {
    projectIds,
    level: enumParam({ query }, 'level', liveLevels),
    words: wordsOf(textParam({ query }, 'q') ?? ''),
  };
}

function wordsOf(text: string): string[] {
  return foldCase(text)
    .split(/\s+/)
    .filter((word) => word !== '');
}

export function tailFilterMatches({ projectId, level, title }: LiveEvent, filter: TailFilter): boolean {
  if (filter.projectIds !== null && !filter.projectIds.includes(projectId)) return false;
  if (filter.level !== null && level !== filter.level) return false;
  if (filter.words.length === 0) return true;
  const text = foldCase(title);
  return filter.words.every((word) => text.includes(word));
}

export async function findNewestMatching(
  store: Pick<LiveStore, 'listEventsBetween'>,
  { afterRow, upToRow }: { readonly afterRow: number; readonly upToRow: number },
  filter: TailFilter,
  limit: number,
): Promise<LiveEvent[]> {
  if (filter.words.length === 0) return store.listEventsBetween(afterRow, upToRow, filter, limit);
  const found: LiveEvent[] = [];
  let last = upToRow;
  while (last > afterRow && found.length < limit) {
    const rows = await store.listEventsBetween(afterRow, last, filter, sliceRows);
    found.push(...rows.filter((event) => tailFilterMatches(event, filter)));
    last = rows.length < sliceRows ? afterRow : (rows.at(-1)?.row ?? afterRow) - 1;
  }
  return found.slice(0, limit);
}
