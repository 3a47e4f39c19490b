import { cutText, isLongerThan } from '../core/parsing/cut-text.ts';

const contextLines = 5;

/** Longer lines are truncated, for minified sources. */
const lineCharactersMax = 1_024;

/** `line` counts from 1. Null where the text has no such line. */
export function readSourceContext(text: string, line: number) {
  const starts = startsOfLines(text, line + contextLines + 1);
  const at = (number: number): string => lineAt(text, starts[number - 1] ?? text.length);
  if (line < 1 || line > starts.length) return null;
  const numbers = (from: number, to: number): string[] => {
    const lines: string[] = [];
    for (let number = Math.max(1, from); number <= Math.min(to, starts.length); number += 1) {
      lines.push(at(number));
    }
    return lines;
  };
  return {
    pre_context: numbers(line - contextLines, line - 1),
    context_line: at(line),
    post_context: numbers(line + 1, line + contextLines),
  };
}

/** LF, CRLF and CR end a line. */
function startsOfLines(text: string, countMax: number): number[] {
  const starts = [0];
  const end = /\r\n|\n|\r/g;
  while (starts.length < countMax && end.exec(text) !== null) starts.push(end.lastIndex);
  return starts;
}

/** The offset of a position (line and column from 1); null where the text has no such line. */
export function offsetOf(text: string, line: number, column: number): number | null {
  const start = startsOfLines(text, line)[line - 1];
  return start === undefined ? null : Math.min(start + column - 1, text.length);
}

export function lineAt(text: string, start: number): string {
  // A code point has at most two UTF-16 units.
  const rest = text.slice(start, start + 2 * lineCharactersMax + 1);
  const line = rest.split(/\r\n|\n|\r/, 1)[0] ?? '';
  return isLongerThan(line, lineCharactersMax) ? `${cutText(line, lineCharactersMax)} {snip}` : line;
}
