// What stands in front of a place of a text: whether a quote or a bracket was opened there. A text that is
// nothing but names is asked for each of them, so each character is looked at once and not again for each.

/** How far back an opened quote or bracket is looked for. */
const quoteCharsMax = 256;
const bracketCharsMax = 200;

/** A text that is read from its beginning to its end, and what was seen of it so far. */
export interface Surroundings {
  readonly text: string;
  /** The text was read up to here. */
  at: number;
  /** Quotes are counted from here: the beginning of the line, or as far back as they are looked for. */
  from: number;
  lineStart: number;
  lastBracket: number;
  doubles: number;
  singles: number;
  backticks: number;
}

/** Those of a text of which nothing was read yet. */
export function surroundingsOf(text: string): Surroundings {
  return { text, at: 0, from: 0, lineStart: 0, lastBracket: -1, doubles: 0, singles: 0, backticks: 0 };
}

/** Whether the quote stands an odd number of times before `at` on its line. */
export function isOpen(around: Surroundings, at: number, quote: string): boolean {
  moveTo(around, at);
  const count = quote === '"' ? around.doubles : quote === "'" ? around.singles : around.backticks;
  return count % 2 === 1;
}

/** Whether a quote was opened on the line before `at` and not closed. */
export function isInQuotes(around: Surroundings, at: number): boolean {
  return isOpen(around, at, '"') || isOpen(around, at, "'");
}

/** Whether a bracket was opened before `at`, and none closed behind it. */
export function isInBrackets(around: Surroundings, at: number): boolean {
  moveTo(around, at);
  const { lastBracket, text } = around;
  return (
    lastBracket >= 0 && lastBracket >= at - bracketCharsMax && '([{'.includes(text[lastBracket] as string)
  );
}

function moveTo(around: Surroundings, at: number): void {
  const { text } = around;
  if (at < around.at) Object.assign(around, { ...surroundingsOf(text), ...startBefore(text, at) });
  for (; around.at < at; around.at += 1) {
    const code = text.charCodeAt(around.at);
    if (code > 125) continue;
    if (code === 10) around.lineStart = around.at + 1;
    else if (code < 126 && isBracket[code] === 1) around.lastBracket = around.at;
    else count(around, code, 1);
  }
  const from = Math.max(around.lineStart, at - quoteCharsMax);
  for (; around.from < from; around.from += 1) count(around, text.charCodeAt(around.from), -1);
}

/** Where reading begins anew so that all is seen that is asked of `at`. */
function startBefore(text: string, at: number): Pick<Surroundings, 'at' | 'from' | 'lineStart'> {
  const start = Math.min(text.length, Math.max(0, at - quoteCharsMax));
  return { at: start, from: start, lineStart: start };
}

function count(around: Surroundings, code: number, by: number): void {
  if (code === 34) around.doubles += by;
  else if (code === 39) around.singles += by;
  else if (code === 96) around.backticks += by;
}

const isBracket = new Uint8Array(126);
for (const each of '()[]{}') isBracket[each.charCodeAt(0)] = 1;
