// Splits a search into tokens with positions. It never fails: what is not closed ends with the text.

export interface RawValue {
  readonly start: number;
  readonly end: number;
  /** Without quotes; escapes are kept for `patternOf`. */
  readonly text: string;
  readonly isQuoted: boolean;
}

export interface RawToken {
  readonly start: number;
  readonly end: number;
  readonly negated: boolean;
  readonly key: { readonly start: number; readonly end: number; readonly text: string } | null;
  /** The name in `tags[name]:`. */
  readonly tag: string | null;
  readonly comparison: '>' | '>=' | '<' | '<=' | null;
  readonly isList: boolean;
  readonly values: readonly RawValue[];
  readonly valueStart: number;
  readonly unclosed: 'quote' | 'list' | null;
}

const keyPattern = /(?:tags\[([^\]\s]{1,200})\]|([\p{L}_][\p{L}\p{N}_.-]{0,199})):/uy;
const comparisonPattern = /[<>]=?/y;
const space = /\s/;

export function tokenize(text: string): RawToken[] {
  const tokens: RawToken[] = [];
  let at = 0;
  while (at < text.length) {
    if (space.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const token = readToken(text, at);
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function readToken(text: string, start: number): RawToken {
  const negated = text[start] === '!' && /\S/.test(text.charAt(start + 1));
  const keyStart = negated ? start + 1 : start;
  const found = matchAt(keyPattern, text, keyStart);
  const afterKey = keyStart + (found?.[0].length ?? 0);
  // `https://…`, `C:\…` and `Class::method` are text.
  const isKey = found !== null && !/^(?:\/\/|[\\:])/.test(text.slice(afterKey, afterKey + 2));
  const valueStart = isKey ? afterKey : keyStart;
  const comparison = isKey ? (matchAt(comparisonPattern, text, valueStart)?.[0] ?? null) : null;
  const read = readValues(text, valueStart + (comparison?.length ?? 0), isKey && comparison === null);
  return {
    start,
    end: read.end,
    negated,
    key: isKey ? { start: keyStart, end: afterKey - 1, text: text.slice(keyStart, afterKey - 1) } : null,
    tag: isKey ? tagNameOf(found[1]) : null,
    comparison: comparison as RawToken['comparison'],
    isList: read.isList,
    values: read.values,
    valueStart,
    unclosed: read.unclosed,
  };
}

/** Sentry also writes `tags["name"]` and `tags[name,string]`. */
function tagNameOf(written: string | undefined): string | null {
  return written?.replace(/,(?:string|number|boolean)$/, '').replace(/^"(.+)"$/, '$1') ?? null;
}

interface ReadValues extends Pick<RawToken, 'values' | 'isList' | 'unclosed'> {
  readonly end: number;
}

function readValues(text: string, start: number, mayBeList: boolean): ReadValues {
  if (mayBeList && text[start] === '[') return readList(text, start);
  if (text[start] === '"') {
    const value = readQuoted(text, start);
    const unclosed = isClosed(text, value) ? null : 'quote';
    return { values: [value], isList: false, unclosed, end: value.end };
  }
  const value = readBare(text, start, /\s/);
  return { values: [value], isList: false, unclosed: null, end: value.end };
}

function readList(text: string, start: number): ReadValues {
  const values: RawValue[] = [];
  let at = start + 1;
  while (at < text.length && text[at] !== ']') {
    if (/[\s,]/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const value = text[at] === '"' ? readQuoted(text, at) : trimmed(readBare(text, at, /[,\]]/));
    if (value.isQuoted && !isClosed(text, value)) {
      return { values: [...values, value], isList: true, unclosed: 'quote', end: value.end };
    }
    values.push(value);
    at = value.end;
  }
  const isOpen = at >= text.length;
  return { values, isList: true, unclosed: isOpen ? 'list' : null, end: isOpen ? text.length : at + 1 };
}

function readQuoted(text: string, start: number): RawValue {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' && text[at + 1] === '"' ? 2 : 1;
  const content = text.slice(start + 1, at);
  return { start, end: Math.min(at + 1, text.length), text: content, isQuoted: true };
}

function isClosed(text: string, { end, start }: RawValue): boolean {
  return end - start > 1 && text[end - 1] === '"' && text[end - 2] !== '\\';
}

function readBare(text: string, start: number, until: RegExp): RawValue {
  let end = start;
  while (end < text.length && !until.test(text.charAt(end))) end += 1;
  return { start, end, text: text.slice(start, end), isQuoted: false };
}

/** In a list, spaces before a comma are not part of the value. */
function trimmed(value: RawValue): RawValue {
  const text = value.text.trimEnd();
  return { ...value, text, end: value.start + text.length };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
