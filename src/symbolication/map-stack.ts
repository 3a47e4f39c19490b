// Maps the frames of a stack through source maps. Pure: maps and sources are handed in, nothing is looked up
// here.
import type { StackFrame } from '../../schemas/event.ts';
import { cutText } from '../core/reading/cut-text.ts';
import { contextAround, lineAt, offsetOf } from './context.ts';
import { enclosingFunction } from './functions/enclosing-function.ts';
import type { OriginalPosition, SourceMap } from './source-map.ts';

/** Names that bundlers' own wrappers carry: they say nothing about the program. */
const uselessFunctions = new Set(['', '?', '<anonymous>', '__webpack_require__', '__webpack_modules__']);

const bundlerScheme = /^(?:webpack|webpack-internal|turbopack):\/\/[^/]*\//;

/** A map with the address it is known by, against which its sources are resolved. */
export interface PlacedMap {
  readonly map: SourceMap;
  readonly address: string;
}

/** What became of a frame. `contextFrom` names the source whose text was not in the map. */
export interface MappedFrame {
  readonly frame: StackFrame;
  readonly mapped: boolean;
  readonly contextFrom: string | null;
}

/** Characters of sources that are read for one stack to name its functions: 50 milliseconds at most. */
const scannedCharactersMax = 400_000;
const headCharactersMax = 256;
/** One fault comes again and again: names that were read of a map stay with it, up to so many. */
const knownNames = new WeakMap<SourceMap, Map<string, FunctionName | null>>();
const knownNamesMax = 200;

interface Budget {
  charactersLeft: number;
}

interface FunctionName {
  readonly function?: string;
  /** That the name is no minifier's; written into the frame's `data`. */
  readonly named?: 'source';
  /** The line at which a function without a name begins; written into the frame's `data`. */
  readonly head?: string;
}

/** Why a frame of a mapped script stayed as it was; written into the frame's `data`. */
type UnmappedReason = 'no line' | 'no column' | 'no mapping';

/**
 * Maps the frames of one stack, outermost first as Sentry's protocol has them. `mapOf` answers the map of a
 * frame's script or null. A map knows tokens, not functions: a frame's function is the one that encloses its
 * position in the source; where there is no source text, it takes the name that its caller calls it by.
 * Frames without a map, or where the map says nothing, stay as sent.
 */
export function mapStack(
  frames: readonly StackFrame[],
  mapOf: (frame: StackFrame, index: number) => PlacedMap | null,
): MappedFrame[] {
  let calledName: string | null = null;
  const budget = { charactersLeft: scannedCharactersMax };
  return frames.map((frame, index) => {
    const placed = mapOf(frame, index);
    const found = placed === null ? null : mapFrame(frame, placed, calledName, budget);
    calledName = found?.position?.name ?? null;
    return found?.result ?? { frame, mapped: false, contextFrom: null };
  });
}

/** Maps one frame; `calledName` is the name of the token where its caller calls it. */
function mapFrame(
  frame: StackFrame,
  placed: PlacedMap,
  calledName: string | null,
  budget: Budget,
): { result: MappedFrame; position: OriginalPosition | null } {
  const { lineno, colno } = frame;
  if (!isPosition(lineno)) return unmapped(frame, 'no line');
  // A bundle is one long line: looking up its first column would name a place that has nothing to do with the
  // error.
  if (!isPosition(colno)) return unmapped(frame, 'no column');
  const position = placed.map.find(lineno, colno);
  if (position === null) return unmapped(frame, 'no mapping');
  return { result: originalFrame(frame, placed, position, calledName, budget), position };
}

function originalFrame(
  frame: StackFrame,
  placed: PlacedMap,
  position: OriginalPosition,
  calledName: string | null,
  budget: Budget,
): MappedFrame {
  const filename = shownSource(position.source);
  const content = placed.map.contentOf(position.source);
  const context = content === null ? null : contextAround(content, position.line);
  const address = sourceAddress(position.source, placed.address);
  const named: FunctionName =
    (content === null ? null : writtenName(placed.map, content, filename, position, budget)) ??
    (isUsefulFunction(calledName) ? { function: calledName } : {});
  const { function: name, ...how } = named;
  const { pre_context: _pre, context_line: _line, post_context: _post, module: _module, ...kept } = frame;
  return {
    frame: {
      ...kept,
      ...(name === undefined ? {} : { function: name }),
      filename,
      abs_path: address,
      lineno: position.line,
      colno: position.column,
      ...(context ?? {}),
      in_app: position.ignored || isThirdParty(filename) ? false : (frame.in_app ?? true),
      data: { ...dataOf(frame), sourcemap: placed.address, ...how },
    },
    mapped: true,
    contextFrom: context === null ? address : null,
  };
}

/**
 * The name of a frame's function in the source, `<anonymous>` with the line that it begins at as `head`, `?`
 * outside of functions; null where the source does not tell.
 */
function writtenName(
  map: SourceMap,
  content: string,
  filename: string,
  position: OriginalPosition,
  budget: Budget,
): FunctionName | null {
  if (!isScript(filename) || isThirdParty(filename)) return null;
  const offset = offsetOf(content, position.line, position.column);
  // Known names count as well: what an event shows must not hang on what came before it.
  if (offset === null || offset > budget.charactersLeft) return null;
  budget.charactersLeft -= offset;
  const known = knownNames.get(map) ?? new Map<string, FunctionName | null>();
  knownNames.set(map, known);
  const place = `${offset} ${position.source}`;
  const kept = known.get(place);
  const name = kept === undefined ? nameAt(content, offset) : kept;
  if (known.size < knownNamesMax) known.set(place, name);
  return name;
}

function nameAt(content: string, offset: number): FunctionName | null {
  const found = enclosingFunction(content, offset);
  if (found === null) return null;
  if (found === 'module') return { function: '?' };
  if (found.name !== null) return { function: found.name, named: 'source' };
  return {
    function: '<anonymous>',
    head: cutText(lineAt(content, content.lastIndexOf('\n', found.start) + 1).trim(), headCharactersMax),
  };
}

function unmapped(frame: StackFrame, reason: UnmappedReason): { result: MappedFrame; position: null } {
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

/**
 * The file name to show: `webpack://pkg/./x` is `./x`, `webpack:///x` is `x`, everything else stands as it
 * is.
 */
export function shownSource(source: string): string {
  return source.replace(bundlerScheme, '');
}

/** The address of a source: itself when it has a scheme, else resolved against the address of its map. */
export function sourceAddress(source: string, mapAddress: string): string {
  if (URL.canParse(source)) return source;
  return URL.canParse(source, mapAddress) ? new URL(source, mapAddress).href : source;
}

/** Whether a source is someone else's code: installed packages and the bundler's runtime. */
export function isThirdParty(shown: string): boolean {
  return (
    shown.startsWith('~/') ||
    shown.startsWith('webpack/') ||
    shown.startsWith('(webpack)') ||
    shown.split('/').some((part) => part === 'node_modules' || part === '~')
  );
}

/** Whether a function's name is worth showing in place of the minified one. */
function isUsefulFunction(name: string | null): name is string {
  return name !== null && !uselessFunctions.has(name);
}

/** Whether a source is a script, or holds some, so that its functions can be read. */
function isScript(shown: string): boolean {
  return /\.(?:[cm]?[jt]sx?|vue|svelte)(?:[?#]|$)/i.test(shown);
}
