import type { StackFrame } from '../../schemas/event.ts';
import { cutText } from '../core/parsing/cut-text.ts';
import type { SymbolicatedFrame } from '../core/ports/symbolication-workers.ts';
import { findEnclosingFunction } from './enclosing-function.ts';
import { lineAt, offsetOf, readSourceContext } from './source-context.ts';
import type { OriginalPosition, SourceMap } from './source-map.ts';

const uselessFunctions = new Set(['', '?', '<anonymous>', '__webpack_require__', '__webpack_modules__']);

const bundlerScheme = /^(?:webpack|webpack-internal|turbopack):\/\/[^/]*\//;

export interface LocatedSourceMap {
  readonly map: SourceMap;
  readonly address: string;
}

/** Characters of sources scanned for function names per stack; takes 50 ms at most. */
const scannedCharactersMax = 400_000;
const headCharactersMax = 256;
/** Caches names per map, since the same error recurs. */
const knownNames = new WeakMap<SourceMap, Map<string, FunctionName | null>>();
const knownNamesMax = 200;

interface Budget {
  charactersLeft: number;
}

interface FunctionName {
  readonly function?: string;
  /** The name comes from the source text, not a minifier; written to the frame's `data`. */
  readonly named?: 'source';
  /** The first line of a function without a name; written to the frame's `data`. */
  readonly head?: string;
}

/** Written to the frame's `data`. */
type UnmappedReason = 'no line' | 'no column' | 'no mapping';

/** Frames are outermost first, as in Sentry's protocol. A function's name comes from the source text, else from the
 * token by which its caller calls it. Frames without a mapping stay as sent. */
export function symbolicateStack(
  frames: readonly StackFrame[],
  mapOf: (frame: StackFrame, index: number) => LocatedSourceMap | null,
): SymbolicatedFrame[] {
  let calledName: string | null = null;
  const budget = { charactersLeft: scannedCharactersMax };
  return frames.map((frame, index) => {
    const located = mapOf(frame, index);
    const found = located === null ? null : mapFrame(frame, located, calledName, budget);
    calledName = found?.position?.name ?? null;
    return found?.result ?? { frame, mapped: false, contextFrom: null };
  });
}

/** `calledName`: the token at the caller's position. */
function mapFrame(
  frame: StackFrame,
  located: LocatedSourceMap,
  calledName: string | null,
  budget: Budget,
): { result: SymbolicatedFrame; position: OriginalPosition | null } {
  const { lineno, colno } = frame;
  if (!isPosition(lineno)) return unmapped(frame, 'no line');
  // A bundle is one long line; its first column would map to an unrelated place.
  if (!isPosition(colno)) return unmapped(frame, 'no column');
  const position = located.map.find(lineno, colno);
  if (position === null) return unmapped(frame, 'no mapping');
  return { result: originalFrame(frame, located, position, calledName, budget), position };
}

function originalFrame(
  frame: StackFrame,
  located: LocatedSourceMap,
  position: OriginalPosition,
  calledName: string | null,
  budget: Budget,
): SymbolicatedFrame {
  const filename = displayedSourcePath(position.source);
  const content = located.map.contentOf(position.source);
  const context = content === null ? null : readSourceContext(content, position.line);
  const address = sourceUrlOf(position.source, located.address);
  const named: FunctionName =
    (content === null ? null : findSourceName(located.map, content, filename, position, budget)) ??
    (isUsefulFunction(calledName) ? { function: calledName } : {});
  const { function: name, ...nameDetails } = named;
  const { pre_context: _pre, context_line: _line, post_context: _post, module: _module, ...rest } = frame;
  return {
    frame: {
      ...rest,
      ...(name === undefined ? {} : { function: name }),
      filename,
      abs_path: address,
      lineno: position.line,
      colno: position.column,
      ...(context ?? {}),
      in_app: position.ignored || isThirdParty(filename) ? false : (frame.in_app ?? true),
      data: { ...dataOf(frame), sourcemap: located.address, ...nameDetails },
    },
    mapped: true,
    contextFrom: context === null ? address : null,
  };
}

/** `<anonymous>` with its first line as `head`; `?` outside of functions; null if the source is unclear. */
function findSourceName(
  map: SourceMap,
  content: string,
  filename: string,
  position: OriginalPosition,
  budget: Budget,
): FunctionName | null {
  if (!isScript(filename) || isThirdParty(filename)) return null;
  const offset = offsetOf(content, position.line, position.column);
  // Cached names use the budget too, so that an event's result does not depend on earlier ones.
  if (offset === null || offset > budget.charactersLeft) return null;
  budget.charactersLeft -= offset;
  const known = knownNames.get(map) ?? new Map<string, FunctionName | null>();
  knownNames.set(map, known);
  const key = `${offset} ${position.source}`;
  const cached = known.get(key);
  const name = cached === undefined ? nameAt(content, offset) : cached;
  if (known.size < knownNamesMax) known.set(key, name);
  return name;
}

function nameAt(content: string, offset: number): FunctionName | null {
  const found = findEnclosingFunction(content, offset);
  if (found === null) return null;
  if (found === 'module') return { function: '?' };
  if (found.name !== null) return { function: found.name, named: 'source' };
  return {
    function: '<anonymous>',
    head: cutText(lineAt(content, content.lastIndexOf('\n', found.start) + 1).trim(), headCharactersMax),
  };
}

function unmapped(frame: StackFrame, reason: UnmappedReason): { result: SymbolicatedFrame; position: null } {
  const result = {
    frame: { ...frame, data: { ...dataOf(frame), unmapped: reason } },
    mapped: false,
    contextFrom: null,
  };
  return { result, position: null };
}

function isPosition(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 1;
}

function dataOf(frame: StackFrame): Record<string, unknown> {
  const data = frame['data'];
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? { ...data } : {};
}

/** Strips bundler schemes: `webpack://pkg/./x` is `./x`, `webpack:///x` is `x`. */
export function displayedSourcePath(source: string): string {
  return source.replace(bundlerScheme, '');
}

/** An absolute URL stays; else it is resolved against the map's URL. */
export function sourceUrlOf(source: string, mapAddress: string): string {
  if (URL.canParse(source)) return source;
  return URL.canParse(source, mapAddress) ? new URL(source, mapAddress).href : source;
}

/** Installed packages and the bundler's runtime. */
export function isThirdParty(shown: string): boolean {
  return (
    shown.startsWith('~/') ||
    shown.startsWith('webpack/') ||
    shown.startsWith('(webpack)') ||
    shown.split('/').some((part) => part === 'node_modules' || part === '~')
  );
}

function isUsefulFunction(name: string | null): name is string {
  return name !== null && !uselessFunctions.has(name);
}

function isScript(shown: string): boolean {
  return /\.(?:[cm]?[jt]sx?|vue|svelte)(?:[?#]|$)/i.test(shown);
}
