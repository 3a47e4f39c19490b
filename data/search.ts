// What `search` means in SQL, and the column beside the searched texts of a row that it compares (D-118).
// How a text is folded is decided in src/core/reading/fold-text.ts.
import { foldedTexts, foldText } from '../src/core/reading/fold-text.ts';
import type { Db, Query, SqlValue } from './db.ts';

/** A table that is searched: its key, and the texts that `folded` stands for. */
interface SearchedTable {
  readonly key: readonly string[];
  /** Expressions over the row, in the order in which their writers fold them. */
  readonly texts: readonly string[];
  /** How many values of the first column of its key one transaction looks at. */
  readonly sliceKeys: number;
}

const sliceKeys = 2000;
/** Rows folded by one statement. */
const rowsAtOnce = 100;

const searchedTables = {
  issues: { key: ['id'], texts: ['title', 'culprit'], sliceKeys },
  events: { key: ['id'], texts: ['title', 'culprit'], sliceKeys },
  feedback: { key: ['id'], texts: ['message', 'name', 'email', 'url'], sliceKeys },
  releases: { key: ['id'], texts: ['version', 'ref'], sliceKeys },
  deploys: {
    key: ['id'],
    texts: ['(SELECT version FROM releases WHERE releases.id = deploys.release_id)', 'environment', 'name'],
    sliceKeys,
  },
  test_runs: { key: ['id'], texts: ['suite', 'branch', 'commit_sha', 'release'], sliceKeys },
  // An upload has thousands of them.
  test_results: { key: ['upload_id', 'position'], texts: ['name', 'suite', 'file'], sliceKeys: 1 },
  artifacts: { key: ['id'], texts: ['name'], sliceKeys },
} as const satisfies Record<string, SearchedTable>;

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
export async function refold(
  tx: Query,
  table: 'releases' | 'deploys' | 'test_runs',
  id: number,
): Promise<void> {
  const { texts } = searchedTables[table];
  const row = await tx.get<FoldedRow>(`SELECT folded, ${named('text', texts)} FROM ${table} WHERE id = $1`, [
    id,
  ]);
  if (row === undefined) return;
  const folded = foldedTexts(textsOf(row, texts));
  if (folded !== row.folded) await tx.run(`UPDATE ${table} SET folded = $2 WHERE id = $1`, [id, folded]);
}

/**
 * Folds what was stored before there was a column for it, in slices of a transaction each: ended, it goes on
 * where it was. Several processes may do so at once. Nothing to do costs one query.
 */
export async function foldStored(db: Db): Promise<void> {
  const waiting = await db.all<{ table_name: keyof typeof searchedTables }>(
    'SELECT table_name FROM unfolded ORDER BY table_name',
  );
  for (const { table_name: name } of waiting) {
    while (await db.write((tx) => foldSlice(tx, name, searchedTables[name])));
  }
}

interface FoldedRow {
  readonly folded: string | null;
  readonly [key: `key${number}`]: number;
  readonly [text: `text${number}`]: string | null;
}

/** Whether there is more to fold in the table. Claiming a slice keeps others from it until the commit. */
async function foldSlice(tx: Query, name: string, table: SearchedTable): Promise<boolean> {
  const claimed = await tx.get<{ after_key: number; last_key: number }>(
    'UPDATE unfolded SET after_key = after_key + $2 WHERE table_name = $1 RETURNING after_key, last_key',
    [name, table.sliceKeys],
  );
  if (claimed === undefined) return false;
  const [first] = table.key;
  const rows = await tx.all<FoldedRow>(
    `SELECT folded, ${named('key', table.key)}, ${named('text', table.texts)} FROM ${name}
     WHERE ${first} > $1 AND ${first} <= $2 AND folded IS NULL AND (${table.texts.map(isNotPlain).join(' OR ')})`,
    [claimed.after_key - table.sliceKeys, claimed.after_key],
  );
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await foldRows(tx, name, table, rows.slice(at, at + rowsAtOnce));
  }
  if (claimed.after_key < claimed.last_key) return true;
  await tx.run('DELETE FROM unfolded WHERE table_name = $1', [name]);
  return false;
}

/** One statement for many rows: on PostgreSQL a way there and back costs more than the work. */
async function foldRows(
  tx: Query,
  name: string,
  { key, texts }: SearchedTable,
  rows: readonly FoldedRow[],
): Promise<void> {
  const values: SqlValue[] = [];
  const cast = (value: SqlValue, type: string): string => `CAST($${values.push(value)} AS ${type})`;
  const tuples = rows.map((row) => {
    const own = textsOf(row, texts);
    const cells = [
      ...key.map((_column, index) => cast(row[`key${index}`] ?? 0, 'BIGINT')),
      ...own.map((text) => cast(text, 'TEXT')),
      cast(foldedTexts(own), 'TEXT'),
    ];
    return `(${cells.join(', ')})`;
  });
  const columns = [
    ...key.map((_column, index) => `key${index}`),
    ...texts.map((_text, index) => `text${index}`),
  ];
  // Another process may have changed the row since we read it, and folded what it wrote.
  const isSame = [
    ...key.map((column, index) => `${name}.${column} = read.key${index}`),
    ...texts.map((text, index) => `${text} IS NOT DISTINCT FROM read.text${index}`),
  ];
  await tx.run(
    `WITH read (${columns.join(', ')}, folded) AS (VALUES ${tuples.join(', ')})
     UPDATE ${name} SET folded = read.folded FROM read WHERE ${isSame.join(' AND ')}`,
    values,
  );
}

function named(name: string, expressions: readonly string[]): string {
  return expressions.map((expression, index) => `${expression} AS ${name}${index}`).join(', ');
}

function textsOf(row: FoldedRow, texts: readonly string[]): Array<string | null> {
  return texts.map((_text, index) => row[`text${index}`] ?? null);
}

/** Characters of more than one byte, or what stands behind a NUL. */
function isNotPlain(text: string): string {
  return `LENGTH(${text}) <> OCTET_LENGTH(${text})`;
}
