// Which events somebody follows in the live tail: one rule for what the page shows first and for what the
// stream tells after it.
import type { Level } from '../../../schemas/event.ts';
import { foldText } from '../reading/fold-text.ts';
import type { LiveEvent, LiveFilter, LiveStore } from '../store/workspace.ts';

/** From the worst to the least. */
export const liveLevels: readonly Level[] = ['fatal', 'error', 'warning', 'info', 'debug'];

/** What the store is asked for, and words that have to stand in the title: folded, which no database does. */
export interface TailFilter extends LiveFilter {
  readonly words: readonly string[];
}

const wordsCharactersMax = 200;
/** Rows that are read at once where the words decide. */
const sliceRows = 1_000;
/** Rows that are looked through: a filter that seldom fits must not read a whole table. */
export const rowsBackMax = 20_000;

/** The filter that a query asks for; a level that is none is any. */
export function tailFilterOf(query: URLSearchParams, projectId: number | null): TailFilter {
  return { projectId, level: levelOf(query.get('level')), words: wordsOf(askedWords(query) ?? '') };
}

/** The words as they were asked for; null for none. */
export function askedWords(query: URLSearchParams): string | null {
  return query.get('q')?.trim().slice(0, wordsCharactersMax) || null;
}

function levelOf(text: string | null): Level | null {
  return liveLevels.find((level) => level === text) ?? null;
}

function wordsOf(text: string): string[] {
  return foldText(text)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Whether an event is one that is followed. */
export function fits({ projectId, level, title }: LiveEvent, filter: TailFilter): boolean {
  if (filter.projectId !== null && projectId !== filter.projectId) return false;
  if (filter.level !== null && level !== filter.level) return false;
  if (filter.words.length === 0) return true;
  const text = foldText(title);
  return filter.words.every((word) => text.includes(word));
}

/** The newest that fit of the rows after one and up to another, newest first; at most `limit`. */
export async function newestFitting(
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
    found.push(...rows.filter((event) => fits(event, filter)));
    last = rows.length < sliceRows ? afterRow : (rows.at(-1)?.row ?? afterRow) - 1;
  }
  return found.slice(0, limit);
}
