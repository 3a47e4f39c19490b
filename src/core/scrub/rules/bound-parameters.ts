// Values bound to prepared statements: all are filtered when the statement has a secret column.
import { getOwn, isJsonObject, type JsonObject } from '../../parsing/unknown-values.ts';
import { isPublicValue } from '../table/false-positives.ts';
import { classifyFieldName, type ExtraFields, isSecretVerdict } from '../table/names.ts';
import { endOfQuotedText, filteredText, joinPattern } from '../table/patterns.ts';
import type { TextRule, TextSearch } from '../table/rules.ts';

const statement = /\b(?:select|insert|update|delete|merge|replace|call)\b/i;
const bound = /[=(,]\s{0,2}(?:\?|\$\d|%s|%\(\w|:[a-z_]|@\w)/i;
const wordsOfStatement = /[A-Za-z_]\w{2,63}/g;
/** Table names are left out: they name their content, and every statement has one. */
const tables = /\b(?:from|into|update|join|table)\s{1,4}[\w."`[\]]{1,128}/gi;
const charsMax = 8192;

function bindsSecret(text: string, extra: ExtraFields): boolean {
  const begin = text.slice(0, charsMax);
  if (!statement.test(begin) || !bound.test(begin)) return false;
  const words = begin.replaceAll(tables, ' ').match(wordsOfStatement) ?? [];
  return words.some((word) => isSecretVerdict(classifyFieldName(word, extra)));
}

const statementFields = ['sql', 'text', 'query', 'statement', 'queryString'];
const bindingFields = ['bind', 'binds', 'bindings', 'params', 'parameters', 'values', 'args'];
const statementKeys: ReadonlySet<string> = new Set([...statementFields, 'message']);

/** In breadcrumbs of frameworks the bindings are in `data`, the statement in `message`. */
export function removeBoundParameters(
  value: JsonObject,
  keys: readonly string[],
  extra: ExtraFields,
  hit: () => void,
): JsonObject {
  if (!keys.some((key) => statementKeys.has(key))) return value;
  const data = getOwn(value, 'data');
  const inData = isJsonObject(data) ? bindingsOf(data) : [];
  if (inData.length > 0 && isStatement(getOwn(value, 'message'), extra)) {
    return { ...value, data: filterKeys(data as JsonObject, inData, hit) };
  }
  if (!statementFields.some((key) => isStatement(getOwn(value, key), extra))) return value;
  return filterKeys(value, bindingsOf(value), hit);
}

function isStatement(text: unknown, extra: ExtraFields): boolean {
  return typeof text === 'string' && bindsSecret(text, extra);
}

/** Numbers alone are usually ids. */
function bindingsOf(value: JsonObject): string[] {
  return bindingFields.filter((key) => {
    const fieldValue = getOwn(value, key);
    return (
      typeof fieldValue === 'object' &&
      fieldValue !== null &&
      Object.values(fieldValue).some((one) => typeof one === 'string')
    );
  });
}

function filterKeys(value: JsonObject, keys: readonly string[], hit: () => void): JsonObject {
  const clean = { ...value };
  for (const key of keys) {
    hit();
    clean[key] = filteredText;
  }
  return clean;
}

/** A word for bindings, or the end of the statement, before a list of values. */
const listHead = joinPattern(
  'gi',
  String.raw`(?:\b(?:bind(?:ing)?s?|param(?:eter)?s?|args)\b\\{0,4}["']?\s{0,2}(?:[:=]|=>)?\s{0,2}`,
  String.raw`(?:array|list|tuple)?\s{0,2}|\bvalues["']?\s?[:=]\s?(?=\[)|[;-]\s{1,4})(?=[[({])`,
);
/** PostgreSQL log: `parameters: $1 = 'ann', $2 = 'hunter2'`. */
const numbered = /\bparameters: \$1 = [^\n]{1,4096}/gi;
/** Entity Framework log: `@p0='hunter2'`. */
const entityFrameworkParameter = /@p\d{1,3}\s?=\s?'[^'\n]{1,4096}'/g;
/** Group 1: the label; 2: the values. */
const unquotedList = /((?:^|\n)[ \t=>-]{0,8}(?:params|parameters|bindings): )([^\s[({$"'][^\n]{0,4095})/gi;
const listCharsMax = 4096;

function scrubBound(text: string, search: TextSearch): string {
  if (!bindsSecret(text, search.extra)) return text;
  const prepared = text
    .replaceAll(numbered, (line) => withoutLiterals(line, search))
    .replaceAll(entityFrameworkParameter, (line) => withoutLiterals(line, search))
    .replaceAll(
      unquotedList,
      (_whole: string, head: string, values: string) => head + withoutTexts(values, search),
    );
  let clean = '';
  let position = 0;
  listHead.lastIndex = 0;
  while (listHead.test(prepared)) {
    const start = listHead.lastIndex;
    const end = listEnd(prepared, start);
    clean += prepared.slice(position, start) + withoutLiterals(prepared.slice(start, end), search);
    position = end;
    listHead.lastIndex = end;
  }
  return clean + prepared.slice(position);
}

function listEnd(text: string, start: number): number {
  const stop = Math.min(text.length, start + listCharsMax);
  let depth = 0;
  for (let at = start; at < stop; at += 1) {
    const char = text[at] ?? '';
    if (char === '"' || char === "'") at = endOfQuotedText(text, at, char) - 1;
    if ('[({'.includes(char)) depth += 1;
    if ('])}'.includes(char)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return stop;
}

function withoutLiterals(list: string, search: TextSearch): string {
  return list.replaceAll(
    /(["'])((?:(?!\1)[^\\]|\\.){0,1024})\1(\s{0,2}(?::|=>))?/gs,
    (match: string, quote: string, inner: string, sign: string | undefined) => {
      if (sign !== undefined || isPublicValue(inner, true)) return match;
      search.hits += 1;
      return `${quote}${filteredText}${quote}`;
    },
  );
}

/** Keeps numbers and types: `hunter2(String), 7(Integer)`. */
function withoutTexts(values: string, search: TextSearch): string {
  return values.replaceAll(/(^|,\s?)([^,(]{1,1024})/g, (match: string, comma: string, value: string) => {
    if (/^\s*-?\d*(?:\.\d+)?\s*$/.test(value) || isPublicValue(value.trim(), true)) return match;
    search.hits += 1;
    return comma + filteredText;
  });
}

const insertHead = joinPattern(
  'i',
  String.raw`\binsert\s{1,4}(?:ignore\s{1,4})?into\s{1,4}[^\s(]{1,128}\s{0,4}`,
  String.raw`\(([^()]{1,2048})\)\s{0,4}values\b`,
);

/** Unquoted values are filtered where a row has as many values as there are columns. */
function scrubInserted(text: string, search: TextSearch): string {
  const head = insertHead.exec(text);
  const columns = (head?.[1] ?? '')
    .split(',')
    .map((name) => isSecretVerdict(classifyFieldName(name.trim(), search.extra)));
  if (head === null || !columns.includes(true)) return text;
  const start = head.index + head[0].length;
  let clean = '';
  let position = start;
  const quote = /["']/g;
  quote.lastIndex = start;
  for (let match = quote.exec(text); match !== null; match = quote.exec(text)) {
    const end = endOfQuotedText(text, match.index, match[0]);
    const isEmpty = end === match.index + 2 || text.startsWith(filteredText, match.index + 1);
    if (!isEmpty) search.hits += 1;
    clean += text.slice(position, match.index);
    clean += isEmpty ? text.slice(match.index, end) : `${match[0]}${filteredText}${match[0]}`;
    position = end;
    quote.lastIndex = end;
  }
  const values = clean + text.slice(position);
  return (
    text.slice(0, start) +
    values.replace(/\(([^()]{1,4096})\)/g, (row: string, inner: string) => {
      const cells = inner.split(',');
      if (cells.length !== columns.length) return row;
      const scrubbed = cells.map((cell, at) => {
        const value = cell.trim();
        if (columns[at] !== true || /^["']/.test(value) || isPublicValue(value, false)) return cell;
        search.hits += 1;
        return cell.replace(value, () => filteredText);
      });
      return `(${scrubbed.join(',')})`;
    })
  );
}

const [blank, isNamed, noSource] = [' \t\n', true, true] as const;

export const boundParametersRule: TextRule = {
  signs: [blank],
  isNamed,
  noSource,
  scrub: scrubBound,
};
export const insertRule: TextRule = {
  signs: [blank],
  isNamed,
  noSource,
  words: /\binsert\b/i,
  scrub: scrubInserted,
};
