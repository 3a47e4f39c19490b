import { stripVTControlCharacters } from 'node:util';
import { cutText, isLongerThan } from '../core/parsing/cut-text.ts';
import { formatTime } from '../core/parsing/timestamps.ts';
import type { CommandResult, Output } from './command.ts';

export function printJson(output: Pick<Output, 'out'>, document: unknown): void {
  const text = JSON.stringify(document, null, 2).replace(invisibleCharacters, (each) =>
    each
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
  output.out(`${text}\n`);
}

/** Left-aligned text, right-aligned numbers. Control characters are replaced (see `sanitizeForTerminal`). */
export function formatTable(headings: readonly string[], rows: ReadonlyArray<readonly Cell[]>): string {
  const cells = rows.map((row) => row.map((cell) => sanitizeForTerminal(String(cell ?? '–'))));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const isNumber = headings.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        isNumber[column] && rows.length > 0
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(headings), line(widths.map((width) => '─'.repeat(width))), ...cells.map(line)].join('\n');
}

/** Characters that a terminal interprets or does not show, except those that JSON escapes or emoji need. */
const invisibleCharacters =
  /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\u{e0100}-\u{e01ef}]/gu;

/** Makes untrusted text safe for a terminal: no escape sequences or control characters, one line, at most
 * `charactersMax` characters. Invisible characters are written as escapes, such as \u200b. */
export function sanitizeForTerminal(text: string, charactersMax = 200): string {
  const plain = stripVTControlCharacters(text)
    .replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�')
    .replace(invisibleCharacters, (each) => `\\u${(each.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
  return isLongerThan(plain, charactersMax) ? `${cutText(plain, charactersMax - 1)}…` : plain;
}

/** `2026-11-21 01:02:03` in UTC; a dash for null. */
export function timeText(epochMs: number | null): string {
  return formatIsoTime(formatTime(epochMs));
}

export function formatIsoTime(iso: string | null): string {
  return iso === null ? '–' : iso.slice(0, 19).replace('T', ' ');
}

type Cell = string | number | null;

export type Columns<View> = Readonly<Record<string, (keyof View & string) | ((view: View) => Cell)>>;

export function formatViewTable<View extends object>(columns: Columns<View>, views: readonly View[]): string {
  const rows = views.map((view) =>
    Object.values(columns).map((column) =>
      typeof column === 'function' ? column(view) : (view[column] as Cell),
    ),
  );
  return formatTable(Object.keys(columns), rows);
}

export function listResult<View extends object>(
  views: readonly View[],
  emptyText: string,
  columns: Columns<View>,
): CommandResult {
  return { json: views, text: views.length === 0 ? emptyText : formatViewTable(columns, views) };
}

/** Prints members as lines under `head`; lists of objects become tables below. */
export function formatView(head: string, view: object): string {
  const rows = Object.entries(view).filter(([, value]) => hasValue(value));
  const lists = rows.filter((entry): entry is [string, object[]] => isListOfObjects(entry[1]));
  const plain = rows.filter(([, value]) => !isListOfObjects(value));
  const width = Math.max(...plain.map(([name]) => name.length)) + 2;
  const lines = plain.map(([name, value]) => `  ${spacedName(name).padEnd(width)}${cellOf(value)}`);
  const tables = lists.map(([name, objects]) => `\n${headingOf(name)}\n${objectTable(objects)}\n`);
  return `${sanitizeForTerminal(head)}\n${lines.join('\n')}\n${tables.join('')}`;
}

function objectTable(objects: readonly object[]): string {
  const names = [...new Set(objects.flatMap((each) => Object.keys(each)))].filter((name) =>
    objects.some((each) => hasValue(memberOf(each, name))),
  );
  const rows = objects.map((each) => names.map((name) => cellOf(memberOf(each, name))));
  return formatTable(names.map(headingOf), rows);
}

function cellOf(value: unknown): string {
  if (!hasValue(value)) return '–';
  if (Array.isArray(value)) return value.map(cellOf).join(', ');
  if (typeof value !== 'object' || value === null) return sanitizeForTerminal(String(value));
  const members = Object.entries(value).filter(([, each]) => hasValue(each));
  return members.map(([name, each]) => `${spacedName(name)} ${cellOf(each)}`).join(', ');
}

function memberOf(object: object, name: string): unknown {
  return (object as Readonly<Record<string, unknown>>)[name];
}

function hasValue(value: unknown): boolean {
  return value != null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.some((each) => typeof each === 'object' && each !== null);
}

function spacedName(name: string): string {
  return name.replaceAll('_', ' ');
}

export function headingOf(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${spacedName(name).slice(1)}`;
}

const linesMax = 60;
const valueCharactersMax = 500;
const depthMax = 8;

/** Nested values by path, one a line; string pairs (tags) by name. At most 60 lines, then how many more. */
export function valueLines(value: unknown): string[] {
  const rows = isPairs(value)
    ? value.flatMap(([name, each]) => [...rowsOf(sanitizeForTerminal(name, 100), each, 1)])
    : [...rowsOf('', value, 0)];
  const shown = rows.slice(0, linesMax);
  const width = Math.min(30, Math.max(0, ...shown.map(([path]) => path.length)));
  const lines = shown.map(([path, text]) => `  ${path.padEnd(width)}  ${text}`.trimEnd());
  return rows.length > linesMax ? [...lines, `  … ${rows.length - linesMax} more; see --json`] : lines;
}

function* rowsOf(path: string, value: unknown, depth: number): Generator<readonly [string, string]> {
  if (typeof value !== 'object' || value === null || depth >= depthMax) {
    if (value !== undefined && (path !== '' || value !== null)) yield [path, textOf(value)];
    return;
  }
  const entries = Object.entries(value);
  if (entries.length === 0 && path !== '') yield [path, Array.isArray(value) ? '[]' : '{}'];
  for (const [name, each] of entries) {
    const step = Array.isArray(value) ? `[${name}]` : sanitizeForTerminal(name, 100);
    yield* rowsOf(path === '' || step.startsWith('[') ? path + step : `${path}.${step}`, each, depth + 1);
  }
}

function textOf(value: unknown): string {
  return sanitizeForTerminal(typeof value === 'string' ? value : JSON.stringify(value), valueCharactersMax);
}

function isPairs(value: unknown): value is Array<[string, unknown]> {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((pair) => Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string')
  );
}

/** Progress on one line of the terminal; no output if it is not a terminal. */
export function createProgressLine({ err, isTerminal }: Pick<Output, 'err' | 'isTerminal'>) {
  const write = (text: string): void => {
    if (isTerminal) err(`\r\u001b[2K${text}`);
  };
  return { update: write, end: () => write('') };
}

export function textSection(
  heading: string,
  lines: readonly string[],
  paint: { bold(text: string): string } = { bold: (text) => text },
): string[] {
  return lines.length === 0 ? [] : ['', paint.bold(heading), ...lines];
}
