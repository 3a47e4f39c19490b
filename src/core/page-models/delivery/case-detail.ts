import type { TestCaseView } from '../../../../schemas/test-runs.ts';
import { cutText } from '../../parsing/cut-text.ts';
import type { CaseResult } from '../../store/test-runs.ts';

export type CaseDetail = ReturnType<typeof viewCaseDetail>;

/** Maximum characters, in a list and on the page of the case. */
const textLimits = {
  short: { message: 1_000, trace: 3_000, output: 500 },
  whole: { message: 8_000, trace: 16_000, output: 8_000 },
} as const;

const triesShown = 10;
const tagsShown = 20;

export function viewCaseDetail(view: TestCaseView, length: keyof typeof textLimits) {
  const limit = textLimits[length];
  const message = cutOrNull(view.message, limit.message);
  const tries = listOf(view.attempts).flatMap((each) => tryOf(each, limit.message) ?? []);
  const result: CaseResult = view.status === 'failed' ? 'failed' : view.flaky ? 'flaky' : view.status;
  return {
    case_id: view.case_id,
    name: view.name,
    suite: listOf(view.suite).map(String),
    file: view.file,
    line: numberOrNull(view.line),
    result,
    kind: view.kind,
    duration_ms: view.duration_ms,
    retries: numberOrNull(view.retries) ?? 0,
    flaky_rule: view.flaky_rule,
    case_flaky: view.case_flaky,
    quarantined: view.quarantined,
    configuration: cutOrNull(view.configuration, limit.output),
    message,
    difference: parseDifference(message),
    trace: cutOrNull(view.trace, limit.trace),
    stdout: cutOrNull(view.stdout, limit.output),
    stderr: cutOrNull(view.stderr, limit.output),
    tries: tries.slice(0, triesShown),
    tags: listOf(view.tags).map(String).slice(0, tagsShown),
  };
}

function tryOf(attempt: unknown, charactersMax: number) {
  if (typeof attempt !== 'object' || attempt === null) return null;
  const { status, duration_ms: took, message } = attempt as Readonly<Record<string, unknown>>;
  return {
    status: String(status ?? ''),
    duration_ms: numberOrNull(took),
    message: cutOrNull(message, charactersMax),
  };
}

function cutOrNull(text: unknown, charactersMax: number): string | null {
  if (typeof text !== 'string' || text === '') return null;
  const cut = cutText(text, charactersMax);
  return cut.length < text.length ? `${cut}…` : cut;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export interface DifferenceLine {
  readonly kind: 'same' | 'expected' | 'received';
  readonly text: string;
}

export interface Difference {
  readonly message: string;
  readonly lines: readonly DifferenceLine[];
}

const linesMax = 60;
/** `Expected: 690` and `Received: 0`, in the words of various test runners. */
const expectedLine = /^\s*(?:E\s+)?expected(?: value)?\s*[:=]\s?(.*)$/i;
const receivedLine = /^\s*(?:E\s+)?(?:received|actual|got|but was)(?: value)?\s*[:=]\s?(.*)$/i;
/** Diff lines, also after pytest's `E`. Headers such as `+++ Actual` do not count. */
const minusLine = /^(?:E\s+)?\s{0,4}-(?!--)\s?(.*)$/;
const plusLine = /^(?:E\s+)?\s{0,4}\+(?!\+\+)\s?(.*)$/;
const diffHeaderLine =
  /^\s*(?:-{1,3} ?expected|\+{1,3} ?(?:actual|received)|@@.*@@|\+ actual - expected).*$/i;

export function parseDifference(message: string | null): Difference | null {
  if (message === null) return null;
  const lines = message.split(/\r?\n/);
  return parsePair(lines) ?? parseDiffBlock(lines);
}

function parsePair(lines: readonly string[]): Difference | null {
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

function parseDiffBlock(lines: readonly string[]): Difference | null {
  const isChange = (line: string): boolean =>
    !diffHeaderLine.test(line) && (minusLine.test(line) || plusLine.test(line));
  const first = lines.findIndex(isChange);
  // Context lines are indented like the changed ones, after the marker column.
  const margin = ' '.repeat(markAt(lines[first] ?? '') + 2);
  const isSame = (line: string | undefined): boolean =>
    line?.startsWith(margin) === true && line.trim() !== '';
  let from = first;
  while (from > 0 && isSame(lines[from - 1])) from -= 1;
  let to = lines.findLastIndex(isChange);
  while (isSame(lines[to + 1])) to += 1;
  const block = first === -1 ? [] : lines.slice(from, to + 1);
  const changes = block.filter((line) => !diffHeaderLine.test(line));
  const hasBoth = changes.some((line) => minusLine.test(line)) && changes.some((line) => plusLine.test(line));
  if (!hasBoth || changes.length > linesMax) return null;
  return {
    message: rest(
      lines,
      (index) => (index >= from && index <= to) || diffHeaderLine.test(lines[index] ?? ''),
    ),
    lines: changes.map((line) => lineOf(line, margin)),
  };
}

function markAt(line: string): number {
  return Math.max(0, line.search(/[-+]/));
}

function lineOf(line: string, margin: string): DifferenceLine {
  const minus = minusLine.exec(line)?.[1];
  if (minus !== undefined) return { kind: 'expected', text: minus };
  const plus = plusLine.exec(line)?.[1];
  if (plus !== undefined) return { kind: 'received', text: plus };
  return { kind: 'same', text: line.startsWith(margin) ? line.slice(margin.length) : line.trimStart() };
}

function rest(lines: readonly string[], isOut: (index: number) => boolean): string {
  return lines
    .filter((_line, index) => !isOut(index))
    .join('\n')
    .trim();
}
