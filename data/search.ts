// `search` in SQL, and the `folded` column beside the searched texts; src/core/parsing/fold-text.ts folds them.
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
 * may fold `ı` to `I`. `folded` and `pattern` are the column and the parameter. */
export function matchCondition(folded: string, texts: readonly string[], pattern: string): string {
  const contains = (text: string): string => `${text} LIKE ${pattern} ESCAPE '!'`;
  const plain = texts.map((text) => contains(`LOWER(${text} COLLATE "C")`));
  return `(${contains(folded)} OR (${folded} IS NULL AND (${plain.join(' OR ')})))`;
}

export type FoldTitles = (title: string, culprit: string) => string | null;

/** Caches the last titles (about a megabyte): folding costs more than a look-up. */
export function createTitleFolder(titlesMax = 500): FoldTitles {
  const known = new Map<string, string>();
  return (title, culprit) => {
    const both = `${title}\uffff${culprit}`;
    const found = known.get(both);
    if (found !== undefined) return found;
    const folded = foldSearchTexts([title, culprit]);
    if (folded === null) return null;
    if (known.size >= titlesMax) known.clear();
    known.set(both, folded);
    return folded;
  };
}

export async function updateFoldedColumn(tx: Query, table: keyof typeof textsOf, id: number): Promise<void> {
  const columns = textsOf[table].map((text, at) => `${text} AS text${at}`);
  const row = await tx.get<Record<string, string | null>>(
    `SELECT folded, ${columns.join(', ')} FROM ${table} WHERE id = $1`,
    [id],
  );
  if (row === undefined) return;
  const folded = foldSearchTexts(columns.map((_column, at) => row[`text${at}`] ?? null));
  if (folded !== row['folded']) await tx.run(`UPDATE ${table} SET folded = $2 WHERE id = $1`, [id, folded]);
}
