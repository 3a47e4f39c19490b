export const filteredText = '[Filtered]';

export function joinPattern(flags: string, ...parts: readonly string[]): RegExp {
  return new RegExp(parts.join(''), flags);
}

export function splitBySpaces(words: string): string[] {
  return words.match(/\S+/g) ?? [];
}

export function wordSet(words: string): ReadonlySet<string> {
  return new Set(splitBySpaces(words));
}

export function alternatives(parts: readonly string[] | string): string {
  return `(?:${(typeof parts === 'string' ? splitBySpaces(parts) : parts).join('|')})`;
}

/** Lookahead for a quote with prefixes of literals and any number of backslashes. */
export const openQuoteNext = String.raw`(?=[bBuUrRN@$f]{0,2}\\{0,15}["'${'`'}“«])`;
/** Start of a character that is percent-encoded once or more: `%3D`, `%253D`. */
export const codedSign = '%(?:25){0,3}';

/** For each ASCII character the number of the first pattern that matches, from 1; 0 for none. */
export function characterClasses(...patterns: readonly RegExp[]): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code);
    return patterns.findIndex((pattern) => pattern.test(character)) + 1;
  });
}

const wideBlanks = new Set([0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]);

/** Same as `\s`. */
export function isBlank(code: number): boolean {
  if (code < 160) return code === 32 || (code >= 9 && code <= 13);
  if (code < 0x2000) return code === 160 || code === 0x1680;
  return code <= 0x200a || wideBlanks.has(code);
}

export function endOfMatchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

export function textBefore(text: string, at: number, charsMax: number): string {
  return text.slice(Math.max(0, at - charsMax), at);
}

/** A missing closing quote means the end of the text. */
export function endOfQuotedText(text: string, start: number, quote: string): number {
  const closer = quote.at(-1) ?? '"';
  const depth = quote.length - 1;
  for (let at = text.indexOf(closer, start + quote.length); at !== -1; at = text.indexOf(closer, at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\' && backslashes < 16) backslashes += 1;
    if (depth === 0 ? backslashes % 2 === 0 : backslashes <= depth) return at + 1;
  }
  return text.length;
}
