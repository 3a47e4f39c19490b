// Words of three or more characters use the trigram index where there is one, others read issue_search.

import { foldCase } from '../../../src/core/parsing/fold-text.ts';
import { toLikePattern } from '../../search.ts';
import { bind, type Statement } from '../../searching/statement.ts';

const wordsMax = 20;
const trigramCharacters = 3;

/** Null where no word was given. */
export function searchConditions(to: Statement, search: string | undefined): string | null {
  const words = wordsOf(search ?? '');
  if (words.length === 0) return null;
  const long = to.dbms === 'sqlite' ? words.filter(isLong) : [];
  const short = words.filter((word) => !long.includes(word));
  const conditions = short.map((word) => {
    const pattern = bind(to, toLikePattern(word) ?? '%');
    return `(head LIKE ${pattern} ESCAPE '!' OR tags LIKE ${pattern} ESCAPE '!')`;
  });
  if (long.length > 0) {
    const phrases = long.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ');
    conditions.unshift(
      `issue_id IN (SELECT rowid FROM issue_trigrams WHERE issue_trigrams MATCH ${bind(to, phrases)})`,
    );
  }
  return conditions.join(' AND ');
}

function wordsOf(search: string): string[] {
  const words = foldCase(search)
    .split(/\s+/)
    .filter((word) => word !== '');
  return [...new Set(words)].slice(0, wordsMax);
}

function isLong(word: string): boolean {
  return [...word].length >= trigramCharacters;
}
