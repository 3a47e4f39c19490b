// Whether the column `search_text` stands for the texts of its row, whoever wrote them last.
import { expect } from '@jest/globals';
import type { Db } from '../../../data/db.ts';
import { foldSearchTexts } from '../../../src/core/parsing/fold-text.ts';

/** Every issue and event of the database, and that some of them are more than ASCII. */
export async function expectSearchText(db: Db): Promise<void> {
  const sql = 'SELECT title, culprit, search_text FROM';
  const rows = await db.all<{ title: string; culprit: string; search_text: string | null }>(
    `${sql} issues UNION ALL ${sql} events`,
  );
  expect(rows.some((row) => row.search_text !== null)).toBe(true);
  for (const row of rows)
    expect(row).toEqual({ ...row, search_text: foldSearchTexts([row.title, row.culprit]) });
}
