import type { JsonObject } from '../parsing/unknown-values.ts';

const charsMax = 65_536;
const lineCharsMax = 1_000;
const exceptionsMax = 10;

type Groups = Readonly<Record<string, string | undefined>>;

interface Printed {
  readonly frame: { exec(line: string): { readonly groups?: Groups | undefined } | null };
  readonly isOldestFirst?: true;
  /** Groups are `type` and `value` of the exception that caused the one printed before. */
  readonly cause?: RegExp;
}

// Groups are names of frame fields.
const java: Printed = {
  frame:
    /^\s*at (?:[\w.$-]+\/)*(?<module>[\w.$]+)\.(?<function>[\w$<>]+)\((?<filename>[\w.$-]+|Native Method|Unknown Source)(?::(?<lineno>\d+))?\)/,
  cause: /^Caused by: (?<type>[\w.$]+)(?:: (?<value>.*))?$/,
};
const script: Printed = { frame: { exec: readScriptLine } };
const gecko: Printed = {
  frame: /^(?<function>[^@\s]*)@(?<abs_path>[\w-]+:\/\/.*?):(?<lineno>\d+):(?<colno>\d+)$/,
};
const dotnet: Printed = {
  frame:
    /^\s*at (?<module>[^\s(]+)\.(?<function>[^\s.(]+)\([^)]*\)(?: in (?<abs_path>.+):line (?<lineno>\d+))?/,
};
const python: Printed = {
  frame: /^\s*File "(?<abs_path>[^"]+)", line (?<lineno>\d+), in (?<function>.+)$/,
  isOldestFirst: true,
};
const php: Printed = { frame: /^#\d+ (?<abs_path>[^(]+)\((?<lineno>\d+)\): (?<function>[^(]+)\(/ };
const ruby: Printed = {
  frame: /^(?:\s*from )?(?<abs_path>[^\s:][^:]*):(?<lineno>\d+):in [`'](?<function>[^']+)'/,
};
const go: Printed = { frame: /^\t(?<abs_path>\S+\.(?:go|s)):(?<lineno>\d+)/ };

const byPlatform: Readonly<Record<string, readonly Printed[]>> = {
  java: [java],
  node: [script],
  javascript: [script, gecko],
  csharp: [dotnet],
  python: [python],
  // OpenTelemetry for PHP prints Java's form.
  php: [java, php],
  ruby: [ruby],
  go: [go],
};
const all = [python, script, gecko, java, dotnet, php, ruby, go];

export interface PrintedException {
  /** Null for the first: it is the one that was raised. */
  readonly raised: { readonly type: string; readonly value: string } | null;
  /** Oldest call first. */
  readonly frames: readonly JsonObject[];
}

/** OpenTelemetry's `exception.stacktrace`: the exception, then its causes. Without frames if no form fits. */
export function parseStackText(text: string, platform: string): PrintedException[] {
  const lines = text
    .slice(0, charsMax)
    .split(/\r?\n/)
    .map((line) => line.slice(0, lineCharsMax));
  const printed = (byPlatform[platform] ?? all).find(({ frame }) =>
    lines.some((line) => frame.exec(line) !== null),
  );
  if (printed === undefined) return [{ raised: null, frames: [] }];
  const found: Array<{ raised: PrintedException['raised']; frames: JsonObject[] }> = [];
  let current = { raised: null as PrintedException['raised'], frames: [] as JsonObject[] };
  found.push(current);
  for (const [index, line] of lines.entries()) {
    const cause = printed.cause?.exec(line)?.groups;
    if (cause !== undefined) {
      if (found.length === exceptionsMax) break;
      current = { raised: { type: cause['type'] ?? '', value: cause['value'] ?? '' }, frames: [] };
      found.push(current);
    }
    const frame = frameOf(printed, lines, index);
    if (frame !== null) current.frames.push(frame);
  }
  return printed.isOldestFirst === true
    ? found
    : found.map(({ raised, frames }) => ({ raised, frames: frames.toReversed() }));
}

function frameOf(printed: Printed, lines: readonly string[], index: number): JsonObject | null {
  const groups = printed.frame.exec(lines[index] ?? '')?.groups;
  if (groups === undefined) return null;
  const { lineno, colno, filename, abs_path: path, module, function: name } = groups;
  const file = filename === 'Unknown Source' || filename === 'Native Method' ? undefined : filename;
  return {
    ...(module === undefined ? {} : { module }),
    ...(name === undefined || name === '' ? {} : { function: name }),
    ...(printed === go ? goFunction(lines[index - 1] ?? '') : {}),
    ...(printed === python ? sourceLine(lines[index + 1] ?? '') : {}),
    filename: file ?? path,
    ...(path === undefined ? {} : { abs_path: path }),
    ...(lineno === undefined ? {} : { lineno: Number(lineno) }),
    ...(colno === undefined ? {} : { colno: Number(colno) }),
  };
}

/** `main.(*Server).pay(0xc000…)` or `created by main.main in goroutine 1`. */
function goFunction(line: string): JsonObject {
  const name = /^(?:created by )?(\S+?)(?:\([^()]*\))?(?: in goroutine \d+)?$/.exec(line)?.[1] ?? '';
  const at = name.indexOf('.', name.lastIndexOf('/') + 1);
  return at === -1 ? { function: name } : { module: name.slice(0, at), function: name.slice(at + 1) };
}

function sourceLine(line: string): JsonObject {
  return /^\s{4}\S/.test(line) && python.frame.exec(line) === null ? { context_line: line } : {};
}

/** `at async pay (file:///app/pay.js:10:5)`, of V8. Without one pattern, which would backtrack. */
function readScriptLine(line: string): { readonly groups: Groups } | null {
  const position = /:(?<lineno>\d{1,9})(?::(?<colno>\d{1,9}))?\)?$/.exec(line);
  const head = position === null ? '' : line.slice(0, position.index).trim();
  if (position === null || !head.startsWith('at ')) return null;
  const open = head.lastIndexOf(' (');
  const path = head.slice(open === -1 ? 3 : open + 2).replace(/^async /, '');
  const name = open === -1 ? undefined : head.slice(3, open).replace(/^async /, '');
  // `at com.shop.Cart.pay(Cart.java:12)` is Java's.
  if (path.includes('(')) return null;
  return { groups: { function: name, abs_path: path, ...position.groups } };
}
