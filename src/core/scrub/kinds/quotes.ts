// Where a literal in quotes ends.

/**
 * Behind the quote that closes the one at `start`, with as many backslashes in front of it; the end of
 * the text where it is missing.
 */
export function quotedEnd(text: string, start: number, quote: string): number {
  const mark = quote.at(-1) ?? '"';
  const depth = quote.length - 1;
  for (let at = text.indexOf(mark, start + quote.length); at !== -1; at = text.indexOf(mark, at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\' && backslashes < 16) backslashes += 1;
    if (depth === 0 ? backslashes % 2 === 0 : backslashes <= depth) return at + 1;
  }
  return text.length;
}
