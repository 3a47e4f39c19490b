import { foldCase } from '../../src/core/parsing/fold-text.ts';
import {
  endOfMessages,
  listSearchedParts,
  type SearchTextField,
} from '../../src/core/parsing/search-text-form.ts';
import type { Pattern } from '../../src/core/store/search-terms.ts';
import { toLikePattern } from '../search.ts';
import { bind, bindList, type Statement } from './statement.ts';

/** Whole values are compared exactly, those with wildcards without the case of ASCII. */
export function valueCondition(statement: Statement, column: string, patterns: readonly Pattern[]): string {
  if (patterns.length === 0) return '(1 = 0)';
  const exactValues = patterns.flatMap((pattern) => (pattern.length === 1 ? [pattern[0] ?? ''] : []));
  const wild = patterns.filter((pattern) => pattern.length > 1);
  const conditions = wild.map((pattern) => {
    const likeValue = bind(statement, likePattern(pattern.map((part) => part.replaceAll(/[A-Z]/g, toLower))));
    return `LOWER(${column} COLLATE "C") LIKE ${likeValue} ESCAPE '!'`;
  });
  if (exactValues.length > 0) conditions.unshift(`${column} IN (${bindList(statement, exactValues)})`);
  return `(${conditions.join(' OR ')})`;
}

function toLower(letters: string): string {
  return letters.toLowerCase();
}

/** Over rows of issue_search. Texts that were stored before they had marks are searched as a whole. */
export function textCondition(
  statement: Statement,
  field: SearchTextField,
  patterns: readonly Pattern[],
): string {
  const each = patterns.map((pattern) => {
    const parts = pattern.map(foldCase);
    const trigramCondition = trigramsOf(statement, field, parts);
    const exact = textLike(statement, field, parts);
    return [trigramCondition, exact].filter((condition) => condition !== '').join(' AND ');
  });
  return `(${each.map((one) => `(${one})`).join(' OR ')})`;
}

function textLike(statement: Statement, field: SearchTextField, parts: readonly string[]): string {
  const like = (column: string, literals: readonly string[]): string =>
    `${column} LIKE ${bind(statement, likePattern(literals))} ESCAPE '!'`;
  if (field === 'text') {
    return isOnePhrase(statement, parts) ? '' : `(${like('head', parts)} OR ${like('tags', parts)})`;
  }
  const unmarked = `head NOT LIKE ${bind(statement, `%${endOfMessages}%`)}`;
  const fullPattern = field === 'message' ? parts : ['', ...parts, ''];
  return `(${like('head', listSearchedParts(field, parts))} OR (${unmarked} AND ${like('head', fullPattern)}))`;
}

const trigramCharacters = 3;

/** The trigram index with a text in it finds the rows by itself. */
function isOnePhrase({ dbms }: Statement, parts: readonly string[]): boolean {
  const [before, phrase = '', after] = parts;
  const isContained = parts.length === 3 && before === '' && after === '';
  return dbms === 'sqlite' && isContained && isLong(phrase);
}

function trigramsOf(statement: Statement, field: SearchTextField, parts: readonly string[]): string {
  if (statement.dbms !== 'sqlite') return '';
  const phrases = parts.filter(isLong).map((part) => `"${part.replaceAll('"', '""')}"`);
  if (phrases.length === 0) return '';
  const matchQuery = field === 'text' ? phrases.join(' AND ') : `head : (${phrases.join(' AND ')})`;
  return `issue_id IN (SELECT rowid FROM issue_trigrams WHERE issue_trigrams MATCH ${bind(statement, matchQuery)})`;
}

function isLong(text: string): boolean {
  return [...text].length >= trigramCharacters;
}

/** A LIKE pattern; `!` is its escape. */
export function likePattern(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll(/[!%_]/g, (character) => `!${character}`)).join('%');
}

// Words of three or more characters use the trigram index where there is one, others read issue_search.

const wordsMax = 20;

/** Null where no word was given. */
export function searchConditions(statement: Statement, search: string | undefined): string | null {
  const words = wordsOf(search ?? '');
  if (words.length === 0) return null;
  const long = statement.dbms === 'sqlite' ? words.filter(isLong) : [];
  const short = words.filter((word) => !long.includes(word));
  const conditions = short.map((word) => {
    const pattern = bind(statement, toLikePattern(word) ?? '%');
    return `(head LIKE ${pattern} ESCAPE '!' OR tags LIKE ${pattern} ESCAPE '!')`;
  });
  if (long.length > 0) {
    const phrases = long.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ');
    conditions.unshift(
      `issue_id IN (SELECT rowid FROM issue_trigrams WHERE issue_trigrams MATCH ${bind(statement, phrases)})`,
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
