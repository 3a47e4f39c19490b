// What a failed test expected and what it got, where its message says so in one of the usual ways. Pure.

export interface DifferenceLine {
  readonly kind: 'same' | 'expected' | 'received';
  readonly text: string;
}

export interface Difference {
  /** The message without the lines of the difference. */
  readonly message: string;
  readonly lines: readonly DifferenceLine[];
}

const linesMax = 60;
/** `Expected: 690` and `Received: 0`, with the words that tools use for them. */
const expectedLine = /^\s*(?:E\s+)?expected(?: value)?\s*[:=]\s?(.*)$/i;
const receivedLine = /^\s*(?:E\s+)?(?:received|actual|got|but was)(?: value)?\s*[:=]\s?(.*)$/i;
/** Lines of a difference, also behind the `E` of pytest; heads such as `+++ Actual` are no content. */
const minusLine = /^(?:E\s+)?\s{0,4}-(?!--)\s?(.*)$/;
const plusLine = /^(?:E\s+)?\s{0,4}\+(?!\+\+)\s?(.*)$/;
const headLine = /^\s*(?:-{1,3} ?expected|\+{1,3} ?(?:actual|received)|@@.*@@|\+ actual - expected).*$/i;

/** The difference that a message holds; null where it holds none. */
export function differenceOf(message: string | null): Difference | null {
  if (message === null) return null;
  const lines = message.split(/\r?\n/);
  return pairIn(lines) ?? blockIn(lines);
}

function pairIn(lines: readonly string[]): Difference | null {
  const at = lines.findIndex((line) => expectedLine.test(line));
  const other = lines.findIndex((line) => receivedLine.test(line));
  const expected = lines[at]?.match(expectedLine)?.[1];
  const received = lines[other]?.match(receivedLine)?.[1];
  if (expected === undefined || received === undefined) return null;
  if (expected.trim() === '' || received.trim() === '') return null;
  return {
    message: rest(lines, (index) => index === at || index === other),
    lines: [
      { kind: 'expected', text: expected },
      { kind: 'received', text: received },
    ],
  };
}

function blockIn(lines: readonly string[]): Difference | null {
  const isChange = (line: string): boolean =>
    !headLine.test(line) && (minusLine.test(line) || plusLine.test(line));
  const from = lines.findIndex(isChange);
  const to = lines.findLastIndex(isChange);
  const block = from === -1 ? [] : lines.slice(from, to + 1);
  const changes = block.filter((line) => !headLine.test(line));
  const hasBoth = changes.some((line) => minusLine.test(line)) && changes.some((line) => plusLine.test(line));
  if (!hasBoth || changes.length > linesMax) return null;
  return {
    message: rest(lines, (index) => (index >= from && index <= to) || headLine.test(lines[index] ?? '')),
    lines: changes.map(lineOf),
  };
}

function lineOf(line: string): DifferenceLine {
  const minus = minusLine.exec(line)?.[1];
  if (minus !== undefined) return { kind: 'expected', text: minus };
  const plus = plusLine.exec(line)?.[1];
  return plus === undefined ? { kind: 'same', text: line.trimStart() } : { kind: 'received', text: plus };
}

function rest(lines: readonly string[], isOut: (index: number) => boolean): string {
  return lines
    .filter((_line, index) => !isOut(index))
    .join('\n')
    .trim();
}
