// SQL for `search` parameters. Rows have a `folded` column, written by src/core/reading/fold-text.ts.
import { foldedTexts, foldText } from '../src/core/reading/fold-text.ts';
import type { Query } from './db.ts';

/** Expressions for the folded texts of a row, in the order in which writers fold them. */
const textsOf = {
  releases: ['version', 'ref'],
  deploys: ['(SELECT version FROM releases WHERE releases.id = deploys.release_id)', 'environment', 'name'],
  test_runs: ['suite', 'branch', 'commit_sha', 'release'],
} as const;

/** LIKE pattern for "contains this text", with wildcards escaped; null where the text is blank. */
export function containing(search: string | undefined): string | null {
  const text = search?.trim() ?? '';
  return text === '' ? null : `%${foldText(text).replaceAll(/[!%_]/g, (sign) => `!${sign}`)}%`;
}

/** SQL condition for a pattern of `containing`. `folded` is null for ASCII texts, lowercased here. */
export function matching(folded: string, texts: readonly string[], pattern: string): string {
  const contains = (text: string): string => `${text} LIKE ${pattern} ESCAPE '!'`;
  // The C locale: PostgreSQL's own may give `I` as the upper case of `ı`.
  const plain = texts.map((text) => contains(`LOWER(${text} COLLATE "C")`));
  return `(${contains(folded)} OR (${folded} IS NULL AND (${plain.join(' OR ')})))`;
}

export type FoldedTitles = (title: string, culprit: string) => string | null;

/** Folds title and culprit with a cache (at most about 1 MB): most events of an issue have the same. */
export function foldedTitles(titlesMax = 500): FoldedTitles {
  const known = new Map<string, string>();
  return (title, culprit) => {
    const both = `${title}\uffff${culprit}`;
    const found = known.get(both);
    if (found !== undefined) return found;
    const folded = foldedTexts([title, culprit]);
    if (folded === null) return null;
    if (known.size >= titlesMax) known.clear();
    known.set(both, folded);
    return folded;
  };
}

/** Folds the texts of a row again, after an update that keeps some of them. */
export async function refold(tx: Query, table: keyof typeof textsOf, id: number): Promise<void> {
  const columns = textsOf[table].map((text, at) => `${text} AS text${at}`);
  const row = await tx.get<Record<string, string | null>>(
    `SELECT folded, ${columns.join(', ')} FROM ${table} WHERE id = $1`,
    [id],
  );
  if (row === undefined) return;
  const folded = foldedTexts(columns.map((_column, at) => row[`text${at}`] ?? null));
  if (folded !== row['folded']) await tx.run(`UPDATE ${table} SET folded = $2 WHERE id = $1`, [id, folded]);
}
