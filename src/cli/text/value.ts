// Values of any shape as lines for people: one line a value, bounded, control characters made visible.
import { printable } from '../command.ts';

const linesMax = 60;
const valueCharactersMax = 500;
const depthMax = 8;

/**
 * The values below `value`, each with its path, indented by two: `  os.name  linux`. Lists of pairs of texts,
 * as tags are kept, read as names and values. What is over 60 lines is counted; nothing gives no lines.
 */
export function bagLines(value: unknown): string[] {
  const rows = isPairs(value)
    ? value.flatMap(([name, each]) => [...rowsOf(printable(name, 100), each, 1)])
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
    const step = Array.isArray(value) ? `[${name}]` : printable(name, 100);
    yield* rowsOf(path === '' || step.startsWith('[') ? path + step : `${path}.${step}`, each, depth + 1);
  }
}

function textOf(value: unknown): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value), valueCharactersMax);
}

function isPairs(value: unknown): value is Array<[string, unknown]> {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((pair) => Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string')
  );
}
