// `search` in SQL, and the `search_text` column beside the searched texts; src/core/parsing/fold-text.ts folds them.
import { foldCase, foldSearchTexts } from '../src/core/parsing/fold-text.ts';
import type { Query } from './db.ts';

/** Searched expressions of a row, in the order in which writers fold them. */
const textsOf = {
  releases: ['version', 'ref'],
  deploys: ['(SELECT version FROM releases WHERE releases.id = deploys.release_id)', 'environment', 'name'],
  test_runs: ['suite', 'branch', 'commit_sha', 'release'],
} as const;

/** The pattern for `matchCondition`; null where nothing is searched. Wildcards in the text are escaped. */
export function toLikePattern(search: string | undefined): string | null {
  const text = search?.trim() ?? '';
  return text === '' ? null : `%${foldCase(text).replaceAll(/[!%_]/g, (sign) => `!${sign}`)}%`;
}

/** Whether a text of a row contains the pattern. ASCII is folded here with COLLATE "C": in other locales PostgreSQL
 * may fold `ı` to `I`. `searchText` and `pattern` are the column and the parameter. */
export function matchCondition(searchText: string, texts: readonly string[], pattern: string): string {
  const contains = (text: string): string => `${text} LIKE ${pattern} ESCAPE '!'`;
  const plain = texts.map((text) => contains(`LOWER(${text} COLLATE "C")`));
  return `(${contains(searchText)} OR (${searchText} IS NULL AND (${plain.join(' OR ')})))`;
}

export type FoldTitles = (title: string, culprit: string) => string | null;

/** Caches the last titles (about a megabyte): folding costs more than a look-up. */
export function createTitleFolder(titlesMax = 500): FoldTitles {
  const known = new Map<string, string>();
  return (title, culprit) => {
    const key = `${title}\uffff${culprit}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const searchText = foldSearchTexts([title, culprit]);
    if (searchText === null) return null;
    if (known.size >= titlesMax) known.clear();
    known.set(key, searchText);
    return searchText;
  };
}

export async function updateFoldedColumn(tx: Query, table: keyof typeof textsOf, id: number): Promise<void> {
  const columns = textsOf[table].map((text, at) => `${text} AS text${at}`);
  const row = await tx.get<Record<string, string | null>>(
    `SELECT search_text, ${columns.join(', ')} FROM ${table} WHERE id = $1`,
    [id],
  );
  if (row === undefined) return;
  const searchText = foldSearchTexts(columns.map((_column, at) => row[`text${at}`] ?? null));
  if (searchText !== row['search_text'])
    await tx.run(`UPDATE ${table} SET search_text = $2 WHERE id = $1`, [id, searchText]);
}
