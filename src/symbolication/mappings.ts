// 20 bytes a segment: 2 million `AAAA,` take 40 MB and 0.1 s, in @jridgewell/trace-mapping 330 MB and 1.3 s.
import { SourceMapError } from './source-map-error.ts';

const digits = base64Digits();

/** Limit of `;` and `,` in a map with all its sections. */
const separatorsMax = 2_000_000;

/** All numbers from 0; -1 for none. */
export interface Segment {
  readonly source: number;
  readonly line: number;
  readonly column: number;
  readonly name: number;
}

export interface MappingIndex {
  /** First segment of each generated line, and a final entry for the end. */
  readonly lineStarts: Uint32Array;
  readonly generatedColumns: Int32Array;
  readonly sources: Int32Array;
  readonly lines: Int32Array;
  readonly columns: Int32Array;
  readonly names: Int32Array;
  readonly byteLength: number;
  /** Segments with an invalid source or name index; they count as unmapped or unnamed. */
  readonly strayCount: number;
  /** Whether there are commas without a segment between them; these are ignored. */
  readonly hasEmptySegments: boolean;
  /** Whether two parts with segments begin at one position: the last one counts. */
  readonly hasReplacedParts: boolean;
}

type Arrays = Omit<MappingIndex, 'strayCount' | 'hasEmptySegments' | 'hasReplacedParts'>;

export interface MappingPart {
  readonly line: number;
  readonly column: number;
  /** VLQ text; `end` is exclusive. */
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** Indexes of its first source and name in the whole map's lists. */
  readonly sourceBase: number;
  readonly sourceCount: number;
  readonly nameBase: number;
  readonly nameCount: number;
}

interface Stop {
  readonly line: number;
  readonly column: number;
}

/** Every field but the column continues from the previous segment. */
interface State {
  at: number;
  column: number;
  source: number;
  line: number;
  originalColumn: number;
  name: number;
}

interface FillState {
  readonly index: Arrays;
  line: number;
  segments: number;
  strays: number;
}

const semicolon = 0x3b;
const comma = 0x2c;

type SeparatorCounts = ReturnType<typeof countSeparators>;

function countSeparators({ bytes, start, end }: MappingPart) {
  let lines = 0;
  let commas = 0;
  let before = semicolon;
  let hasEmptySegments = false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === semicolon) {
      lines += 1;
      if (before === comma) hasEmptySegments = true;
    } else if (byte === comma) {
      commas += 1;
      if (before === comma || before === semicolon) hasEmptySegments = true;
    }
    before = byte;
  }
  return {
    lines,
    commas,
    hasSegments: end - start > lines + commas,
    hasEmptySegments: hasEmptySegments || before === comma,
  };
}

/** Decodes VLQ mappings (ECMA-426); a part extends to the start of the next. @throws {SourceMapError} for invalid
 * base64, fields over 32 bits, segments of 2, 3 or more than 5 fields, negative positions, too many segments. */
export function readMappings(parts: readonly MappingPart[]): MappingIndex {
  const counts = parts.map(countSeparators);
  const segments = counts.reduce((sum, each) => sum + each.lines + each.commas + 1, 0);
  const lines = parts.reduce((max, part, at) => Math.max(max, part.line + (counts[at]?.lines ?? 0)), 0);
  if (segments - parts.length > separatorsMax || lines > separatorsMax) {
    throw new SourceMapError(`its mappings hold more than ${separatorsMax} separators`);
  }
  const fillState = { index: emptyIndex(lines + 1, segments), line: 0, segments: 0, strays: 0 };
  const stops = stopsOf(parts, counts);
  for (const [at, part] of parts.entries()) fillPart(fillState, part, stops[at] ?? null);
  startLine(fillState, lines + 1);
  return {
    ...fillState.index,
    strayCount: fillState.strays,
    hasEmptySegments: counts.some((each) => each.hasEmptySegments),
    hasReplacedParts: parts.some(
      (part, at) => counts[at]?.hasSegments === true && isAt(part, stops[at] ?? null),
    ),
  };
}

/** Start of the next part; parts without segments at the same position are skipped. */
function stopsOf(parts: readonly MappingPart[], counts: readonly SeparatorCounts[]): (Stop | null)[] {
  const stops: (Stop | null)[] = [];
  for (let at = parts.length - 1; at >= 0; at -= 1) {
    const next = parts[at + 1] ?? null;
    const isPassed = counts[at + 1]?.hasSegments === false && isAt(parts[at] as MappingPart, next);
    stops[at] = isPassed ? (stops[at + 1] ?? null) : next;
  }
  return stops;
}

function isAt(part: MappingPart, stop: Stop | null): boolean {
  return stop !== null && stop.line === part.line && stop.column === part.column;
}

/** At or before a position (from 0), else null. Of equal columns the first, as @jridgewell/trace-mapping. */
export function findSegment(index: MappingIndex, line: number, column: number): Segment | null {
  if (line < 0 || line >= index.lineStarts.length - 1) return null;
  const first = index.lineStarts[line] ?? 0;
  const end = index.lineStarts[line + 1] ?? first;
  const after = firstAtLeast(index, first, end, column + 1);
  if (after === first) return null;
  const isExact = index.generatedColumns[after - 1] === column;
  return segmentAt(index, isExact ? firstAtLeast(index, first, after, column) : after - 1);
}

function firstAtLeast(index: MappingIndex, low: number, high: number, column: number): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((index.generatedColumns[middle] ?? 0) < column) from = middle + 1;
    else to = middle;
  }
  return from;
}

function segmentAt(index: MappingIndex, at: number): Segment {
  return {
    source: index.sources[at] ?? -1,
    line: index.lines[at] ?? -1,
    column: index.columns[at] ?? -1,
    name: index.names[at] ?? -1,
  };
}

function emptyIndex(lineCount: number, segmentCount: number): Arrays {
  const column = () => new Int32Array(segmentCount);
  return {
    lineStarts: new Uint32Array(lineCount + 1),
    generatedColumns: column(),
    sources: column(),
    lines: column(),
    columns: column(),
    names: column(),
    byteLength: segmentCount * 20 + lineCount * 4,
  };
}

/** Adds segments before `stop`; reads all, to validate them. */
function fillPart(fillState: FillState, part: MappingPart, stop: Stop | null): void {
  const { bytes, end } = part;
  const { index } = fillState;
  const state = { at: part.start, column: 0, source: 0, line: 0, originalColumn: 0, name: 0 };
  let line = part.line;
  let base = part.column;
  let sorted = true;
  startLine(fillState, line);
  while (state.at < end) {
    const byte = bytes[state.at];
    if (byte === comma) {
      state.at += 1;
    } else if (byte === semicolon) {
      if (!sorted) sortLine(index, index.lineStarts[line] ?? 0, fillState.segments);
      sorted = true;
      line += 1;
      if (stop === null || line <= stop.line) startLine(fillState, line);
      state.column = 0;
      base = 0;
      state.at += 1;
    } else {
      const before = state.column;
      const isStray = readSegment(index, fillState.segments, part, state);
      if (isStray) fillState.strays += 1;
      const column = base + state.column;
      if (stop !== null && (line > stop.line || (line === stop.line && column >= stop.column))) continue;
      index.generatedColumns[fillState.segments] = column;
      if (state.column < before) sorted = false;
      fillState.segments += 1;
    }
  }
  if (!sorted) sortLine(index, index.lineStarts[line] ?? 0, fillState.segments);
}

/** Starts all lines up to this one after the existing segments. */
function startLine(fillState: FillState, line: number): void {
  while (fillState.line < line) {
    fillState.line += 1;
    fillState.index.lineStarts[fillState.line] = fillState.segments;
  }
}

/** Reads a segment of 1, 4 or 5 fields; true if it has an invalid source or name index. */
function readSegment(index: Arrays, segment: number, part: MappingPart, state: State): boolean {
  const { bytes, end } = part;
  state.column = nextField(bytes, state, end, state.column);
  index.sources[segment] = -1;
  index.names[segment] = -1;
  if (atSegmentEnd(bytes, state.at, end)) return false;
  state.source = nextField(bytes, state, end, state.source);
  state.line = nextField(bytes, state, end, state.line);
  state.originalColumn = nextField(bytes, state, end, state.originalColumn);
  index.lines[segment] = state.line;
  index.columns[segment] = state.originalColumn;
  const knownSource = state.source < part.sourceCount;
  if (knownSource) index.sources[segment] = part.sourceBase + state.source;
  if (atSegmentEnd(bytes, state.at, end)) return !knownSource;
  state.name = nextField(bytes, state, end, state.name);
  const knownName = state.name < part.nameCount;
  if (knownName) index.names[segment] = part.nameBase + state.name;
  if (!atSegmentEnd(bytes, state.at, end)) throw new SourceMapError('a mapping has more than five fields');
  return !knownSource || !knownName;
}

function atSegmentEnd(bytes: Buffer, at: number, end: number): boolean {
  return at >= end || bytes[at] === comma || bytes[at] === semicolon;
}

/** Stable sort by column; few maps need it. */
function sortLine(index: Arrays, start: number, end: number): void {
  const count = end - start;
  const keys = new Float64Array(count);
  // Column (31 bits) and index (21 bits) fit one exact double, so no comparator is needed.
  for (let at = 0; at < count; at += 1) keys[at] = (index.generatedColumns[start + at] ?? 0) * 2 ** 21 + at;
  keys.sort();
  for (const column of [index.generatedColumns, index.sources, index.lines, index.columns, index.names]) {
    const unsorted = column.slice(start, end);
    for (let at = 0; at < count; at += 1) column[start + at] = unsorted[(keys[at] ?? 0) % 2 ** 21] ?? 0;
  }
}

/** Reads a VLQ delta of up to 32 bits, with any number of leading zeros. Refuses results outside 31 bits. */
function nextField(bytes: Buffer, state: { at: number }, end: number, previous: number): number {
  let at = state.at;
  let digit = at < end ? (digits[bytes[at] ?? 0] ?? 255) : 255;
  let value = digit & 31;
  for (let shift = 5; (digit & 32) !== 0; shift += 5) {
    if (digit === 255) throw notBase64(at >= end);
    at += 1;
    digit = at < end ? (digits[bytes[at] ?? 0] ?? 255) : 255;
    const bits = digit & 31;
    if (digit !== 255 && shift >= 30 && bits > (shift === 30 ? 3 : 0)) {
      throw new SourceMapError('its mappings hold a number of more than 32 bits');
    }
    if (shift <= 30) value |= bits << shift;
  }
  state.at = at + 1;
  const delta = value >>> 1;
  const result = (value & 1) === 1 ? previous - delta : previous + delta;
  if (result < 0) throw new SourceMapError('a mapping points before the start of its line, file or list');
  if (result > 0x7fffffff) throw new SourceMapError('a mapping points beyond 31 bits');
  return result;
}

function notBase64(atEnd: boolean): SourceMapError {
  return new SourceMapError(
    atEnd
      ? 'its mappings end in the middle of a number'
      : 'its mappings hold a character that is no base64 digit',
  );
}

function base64Digits(): Uint8Array {
  const table = new Uint8Array(256).fill(255);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let value = 0; value < alphabet.length; value += 1) table[alphabet.charCodeAt(value)] = value;
  return table;
}
