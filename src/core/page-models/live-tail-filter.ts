import type { Level } from '../../../schemas/event.ts';
import { foldCase } from '../parsing/fold-text.ts';
import type { LiveEvent, LiveFilter, LiveStore } from '../store/page-queries.ts';

export const liveLevels: readonly Level[] = ['fatal', 'error', 'warning', 'info', 'debug'];

/** The words are matched here with `foldCase`, because databases fold only ASCII alike. */
export interface TailFilter extends LiveFilter {
  readonly words: readonly string[];
}

const wordsCharactersMax = 200;
const sliceRows = 1_000;
/** The most rows searched: a filter that rarely matches must not read the whole table. */
export const searchedRowsMax = 20_000;

/** An unknown level is ignored. */
export function readTailFilter(query: URLSearchParams, projectIds: LiveFilter['projectIds']): TailFilter {
  return { projectIds, level: levelOf(query.get('level')), words: wordsOf(searchParam(query) ?? '') };
}

export function searchParam(query: URLSearchParams): string | null {
  return query.get('q')?.trim().slice(0, wordsCharactersMax) || null;
}

function levelOf(text: string | null): Level | null {
  return liveLevels.find((level) => level === text) ?? null;
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
