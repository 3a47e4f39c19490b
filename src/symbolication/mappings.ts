// The `mappings` of a source map as a compact index: 20 bytes a segment, read straight from the map's bytes.
// Measured for this room: `AAAA,` two million times takes @jridgewell/trace-mapping 330 MB and 1.3 s, this 40
// MB and 0.1 s, and whoever sends such a map must not cost us 150 MB. The tests hold both against each other.
import { MapRefused } from './map-refused.ts';

/** Separators (`;` and `,`) that one map may hold over all its sections. */
export const separatorsMax = 2_000_000;

/** One segment: where a generated position comes from. All numbers start at 0; -1 means "none". */
export interface Segment {
  readonly source: number;
  readonly line: number;
  readonly column: number;
  readonly name: number;
}

/** Segments of one block of mappings, sorted by column within each line. */
export interface MappingIndex {
  /** First segment of each generated line, and one more entry for the end. */
  readonly lineStarts: Uint32Array;
  readonly generatedColumns: Int32Array;
  readonly sources: Int32Array;
  readonly lines: Int32Array;
  readonly columns: Int32Array;
  readonly names: Int32Array;
  readonly byteLength: number;
  /**
   * How many segments name a source or a name that the map does not have; they count as unmapped or unnamed.
   */
  readonly strayCount: number;
}

type Arrays = Omit<MappingIndex, 'strayCount'>;

/** Where the reading stands: every field but the column goes on from the segment before, over lines too. */
interface State {
  at: number;
  column: number;
  source: number;
  line: number;
  originalColumn: number;
  name: number;
}

/** How many sources and names the map has. */
export interface Limits {
  readonly sources: number;
  readonly names: number;
}

const semicolon = 0x3b;
const comma = 0x2c;
const digits = base64Digits();

/** How many `;` and `,` stand between `start` and `end`. */
function countSeparators(bytes: Buffer, start: number, end: number): { lines: number; segments: number } {
  let lines = 0;
  let commas = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === semicolon) lines += 1;
    else if (byte === comma) commas += 1;
  }
  return { lines, segments: commas };
}

/**
 * Reads the VLQ text between `start` and `end` (ECMA-426). `limits` bound what a segment may point at,
 * `separatorsLeft` what this block may hold of the map's whole allowance. Throws MapRefused for a character
 * that is no base64 digit, a field over 32 bits, a segment of two, three or more than five fields, and any
 * position before the start.
 */
export function readMappings(
  bytes: Buffer,
  start: number,
  end: number,
  limits: Limits,
  separatorsLeft: number = separatorsMax,
): MappingIndex {
  const counted = countSeparators(bytes, start, end);
  if (counted.lines + counted.segments > separatorsLeft) {
    throw new MapRefused(`its mappings hold more than ${separatorsMax} separators`);
  }
  const index = emptyIndex(counted.lines + 1, counted.lines + counted.segments + 1);
  const strayCount = fill(index, bytes, start, end, limits);
  return { ...index, strayCount };
}

/**
 * The last segment at or before a generated position (line and column from 0), or null where the line has
 * none. Of several segments at the very column asked for the first one counts, as in
 * @jridgewell/trace-mapping.
 */
export function findSegment(index: MappingIndex, line: number, column: number): Segment | null {
  if (line < 0 || line >= index.lineStarts.length - 1) return null;
  const first = index.lineStarts[line] ?? 0;
  const end = index.lineStarts[line + 1] ?? first;
  const after = firstAtLeast(index, first, end, column + 1);
  if (after === first) return null;
  const isExact = index.generatedColumns[after - 1] === column;
  return segmentAt(index, isExact ? firstAtLeast(index, first, after, column) : after - 1);
}

/** The first segment between `low` and `high` whose column is at least `column`, or `high`. */
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

/** Fills the index and answers how many segments point at a source or name that is not there. */
function fill(index: Arrays, bytes: Buffer, start: number, end: number, limits: Limits): number {
  const state = { at: start, column: 0, source: 0, line: 0, originalColumn: 0, name: 0 };
  let line = 0;
  let segment = 0;
  let strays = 0;
  let sorted = true;
  while (state.at < end) {
    const byte = bytes[state.at];
    if (byte === comma) {
      state.at += 1;
    } else if (byte === semicolon) {
      if (!sorted) sortLine(index, index.lineStarts[line] ?? 0, segment);
      sorted = true;
      line += 1;
      index.lineStarts[line] = segment;
      state.column = 0;
      state.at += 1;
    } else {
      const before = state.column;
      if (readSegment(index, segment, bytes, end, state, limits)) strays += 1;
      if (state.column < before) sorted = false;
      segment += 1;
    }
  }
  if (!sorted) sortLine(index, index.lineStarts[line] ?? 0, segment);
  index.lineStarts[line + 1] = segment;
  return strays;
}

/**
 * Reads one segment of one, four or five fields into the index; true when it points at nothing the map has.
 */
function readSegment(
  index: Arrays,
  segment: number,
  bytes: Buffer,
  end: number,
  state: State,
  limits: Limits,
): boolean {
  state.column = nextField(bytes, state, end, state.column);
  index.generatedColumns[segment] = state.column;
  index.sources[segment] = -1;
  index.names[segment] = -1;
  if (atSegmentEnd(bytes, state.at, end)) return false;
  state.source = nextField(bytes, state, end, state.source);
  state.line = nextField(bytes, state, end, state.line);
  state.originalColumn = nextField(bytes, state, end, state.originalColumn);
  index.lines[segment] = state.line;
  index.columns[segment] = state.originalColumn;
  const knownSource = state.source < limits.sources;
  if (knownSource) index.sources[segment] = state.source;
  if (atSegmentEnd(bytes, state.at, end)) return !knownSource;
  state.name = nextField(bytes, state, end, state.name);
  const knownName = state.name < limits.names;
  if (knownName) index.names[segment] = state.name;
  if (!atSegmentEnd(bytes, state.at, end)) throw new MapRefused('a mapping has more than five fields');
  return !knownSource || !knownName;
}

function atSegmentEnd(bytes: Buffer, at: number, end: number): boolean {
  return at >= end || bytes[at] === comma || bytes[at] === semicolon;
}

/** Reads one VLQ number and adds it to `previous`; a result below 0 or over 31 bits is refused. */
function nextField(bytes: Buffer, state: State, end: number, previous: number): number {
  let at = state.at;
  let digit = at < end ? (digits[bytes[at] ?? 0] ?? 255) : 255;
  let value = digit & 31;
  for (let shift = 5; (digit & 32) !== 0; shift += 5) {
    if (digit === 255) throw notBase64(at >= end);
    at += 1;
    digit = at < end ? (digits[bytes[at] ?? 0] ?? 255) : 255;
    if (shift === 30 && digit > 3) throw new MapRefused('its mappings hold a number of more than 32 bits');
    value |= (digit & 31) << shift;
  }
  state.at = at + 1;
  const delta = value >>> 1;
  const result = (value & 1) === 1 ? previous - delta : previous + delta;
  if (result < 0) throw new MapRefused('a mapping points before the start of its line, file or list');
  if (result > 0x7fffffff) throw new MapRefused('a mapping points beyond 31 bits');
  return result;
}

function notBase64(atEnd: boolean): MapRefused {
  return new MapRefused(
    atEnd
      ? 'its mappings end in the middle of a number'
      : 'its mappings hold a character that is no base64 digit',
  );
}

/** Sorts the segments of a line by column, equal columns in the order written; needed by few maps. */
function sortLine(index: Arrays, start: number, end: number): void {
  const count = end - start;
  const keys = new Float64Array(count);
  // A column has 31 bits and a position within the line 21, so both fit one exact number and no comparator is
  // called.
  for (let at = 0; at < count; at += 1) keys[at] = (index.generatedColumns[start + at] ?? 0) * 2 ** 21 + at;
  keys.sort();
  for (const column of [index.generatedColumns, index.sources, index.lines, index.columns, index.names]) {
    const old = column.slice(start, end);
    for (let at = 0; at < count; at += 1) column[start + at] = old[(keys[at] ?? 0) % 2 ** 21] ?? 0;
  }
}

function base64Digits(): Uint8Array {
  const table = new Uint8Array(256).fill(255);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let value = 0; value < alphabet.length; value += 1) table[alphabet.charCodeAt(value)] = value;
  return table;
}
