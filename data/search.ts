// What `search` means in SQL, and the column beside the searched texts of a row that it compares (D-118).
// How a text is folded is decided in src/core/reading/fold-text.ts.
import { foldedTexts, foldText } from '../src/core/reading/fold-text.ts';
import type { Query } from './db.ts';

/** Expressions over a row that is folded again, in the order in which its writers fold them. */
const textsOf = {
  releases: ['version', 'ref'],
  deploys: ['(SELECT version FROM releases WHERE releases.id = deploys.release_id)', 'environment', 'name'],
  test_runs: ['suite', 'branch', 'commit_sha', 'release'],
} as const;

/**
 * The pattern for "contains this text", to be compared by `matching`, or null where nothing is searched for.
 * Wildcards in the text are ordinary characters.
 */
export function containing(search: string | undefined): string | null {
  const text = search?.trim() ?? '';
  return text === '' ? null : `%${foldText(text).replaceAll(/[!%_]/g, (sign) => `!${sign}`)}%`;
}

/**
 * The condition that one of the texts of a row holds what `containing` was asked for. ASCII is folded here,
 * and in the C locale: PostgreSQL's own may hold `I` for the upper case of `ı`.
 * @param folded the column of that name, with the table it is of where two are joined.
 * @param pattern the parameter that holds the pattern.
 */
export function matching(folded: string, texts: readonly string[], pattern: string): string {
  const contains = (text: string): string => `${text} LIKE ${pattern} ESCAPE '!'`;
  const plain = texts.map((text) => contains(`LOWER(${text} COLLATE "C")`));
  return `(${contains(folded)} OR (${folded} IS NULL AND (${plain.join(' OR ')})))`;
}

/** How the title and the culprit of an event are folded. */
export type FoldedTitles = (title: string, culprit: string) => string | null;

/**
 * Events of one issue come with one title: how the last few hundred were folded is remembered, because to
 * fold a text costs more than to look it up. At most about a megabyte.
 */
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

/** Folds the texts of one row again, after a write that keeps some of what was there. */
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
