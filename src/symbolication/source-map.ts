// Reads a source map within limits, decoding on demand (docs/source-maps.md, "How a map is read").

import { cutText } from '../core/parsing/cut-text.ts';
import {
  decodeSourceMapText,
  findElements,
  findMembers,
  findRootValue,
  isString,
  readJson,
  readSmallJson,
  type Span,
} from './json-bytes.ts';
import { findSegment, type MappingPart, readMappings, type Segment } from './mappings.ts';
import { SourceMapError } from './source-map-error.ts';

const sectionsMax = 100_000;
/** Nesting limit of sections; each level costs another pass over its bytes. */
const sectionLevelsMax = 5;

export interface SourceMap {
  readonly debugId: string | null;
  readonly hasContents: boolean;
  readonly strayCount: number;
  /** Violations of ECMA-426 that were ignored. */
  readonly remarks: readonly string[];
  readonly byteLength: number;
  /** Line and column from 1; null if there is no mapping. */
  find(line: number, column: number): OriginalPosition | null;
  /** Source text for a source returned by `find`; null if the map has none. */
  contentOf(source: string): string | null;
}

/** Accepts UTF-8, UTF-16, a byte order mark, a `)]}'` line. @throws {SourceMapError} if invalid or too large. */
export function readSourceMap(sent: Buffer): SourceMap {
  const bytes = decodeSourceMapText(sent);
  const top = findMembers(bytes, findRootValue(bytes));
  const lists = emptyLists();
  const parts: MappingPart[] = [];
  readMap({ bytes, parts, lists }, top, { line: 0, column: 0 }, 0);
  const index = readMappings(parts);
  if (index.hasEmptySegments) lists.remarks.add('"mappings" holds commas with nothing between them');
  if (index.hasReplacedParts) lists.remarks.add('two of its sections begin at one place');
  return {
    debugId: debugIdOf(bytes, top),
    hasContents: lists.contents.size > 0,
    strayCount: index.strayCount,
    remarks: [...lists.remarks],
    byteLength: bytes.length + index.byteLength + listsByteLength(lists),
    find(line, column) {
      const segment = findSegment(index, line - 1, column - 1);
      return segment === null ? null : findOriginalPosition(bytes, lists, segment);
    },
    contentOf(source) {
      const span = lists.contents.get(source);
      const content = span === undefined ? null : readJson(bytes, span);
      return typeof content === 'string' ? content : null;
    },
  };
}

interface MapReader {
  readonly bytes: Buffer;
  readonly parts: MappingPart[];
  readonly lists: MapLists;
}

function readMap(reader: MapReader, map: ReadonlyMap<string, Span>, offset: Offset, level: number): void {
  if (map.has('sections')) {
    readSections(reader, map, offset, level);
    return;
  }
  const { bytes, parts, lists } = reader;
  const before = parts.at(-1);
  if (before !== undefined && (before.line - offset.line || before.column - offset.column) > 0) {
    throw new SourceMapError('its sections are out of order');
  }
  if (parts.length === sectionsMax) throw new SourceMapError(`it has more than ${sectionsMax} sections`);
  parts.push(readSection(bytes, map, offset, lists));
}

function readSections(reader: MapReader, map: ReadonlyMap<string, Span>, start: Offset, level: number): void {
  const { bytes, lists } = reader;
  requireVersion(bytes, map);
  if (level === sectionLevelsMax) {
    throw new SourceMapError(`its sections are nested more than ${sectionLevelsMax} levels deep`);
  }
  if (map.has('mappings')) lists.remarks.add('it has "mappings" beside its "sections"');
  addTextRemarks(bytes, map, ['file'], lists.remarks);
  const pairs = findElements(bytes, requireMember(map, 'sections'), sectionsMax, 'sections');
  for (let at = 0; at < pairs.length / 2; at += 1) {
    const section = findMembers(bytes, spanAt(pairs, at));
    const offset = findMembers(bytes, requireMember(section, 'offset'));
    const line = wholeNumber(bytes, offset.get('line'), 'the line of a section');
    const column = wholeNumber(bytes, offset.get('column'), 'the column of a section');
    const ownStart = { line: start.line + line, column: line === 0 ? start.column + column : column };
    readMap(reader, findMembers(bytes, requireMember(section, 'map')), ownStart, level + 1);
  }
}

function debugIdOf(bytes: Buffer, top: ReadonlyMap<string, Span>): string | null {
  const id = readSmallJson(bytes, top.get('debugId')) ?? readSmallJson(bytes, top.get('debug_id'));
  return typeof id === 'string' ? id : null;
}

function wholeNumber(bytes: Buffer, span: Span | undefined, memberName: string): number {
  const value = readSmallJson(bytes, span);
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new SourceMapError(`${memberName} is not a whole number of at least 0`);
  }
  return value;
}

// Reads a source map without sections, or one section of an index map. Harmless errors become remarks.

const listElementsMax = 1_000_000;
const sourceNameCharactersMax = 4_096;
const nameCharactersMax = 1_024;

/** Start of a section in the generated file; from 0. */
interface Offset {
  readonly line: number;
  readonly column: number;
}

/** Lists of all sections, concatenated; segments have indexes into them. */
interface MapLists {
  readonly sources: SpanList;
  readonly names: SpanList;
  /** The `sourceRoot` of each source. */
  readonly roots: string[];
  readonly ignored: Set<number>;
  /** Span of `sourcesContent` by source name. */
  readonly contents: Map<string, Span>;
  /** Violations of ECMA-426 that can be ignored. */
  readonly remarks: Set<string>;
}

/** Line and column from 1. */
export interface OriginalPosition {
  readonly source: string;
  readonly line: number;
  readonly column: number;
  readonly name: string | null;
  readonly ignored: boolean;
}

function emptyLists(): MapLists {
  return {
    sources: spanList(),
    names: spanList(),
    roots: [],
    ignored: new Set(),
    contents: new Map(),
    remarks: new Set(),
  };
}

/** Appends a map's lists, and returns where its mappings are. @throws {SourceMapError} */
function readSection(
  bytes: Buffer,
  map: ReadonlyMap<string, Span>,
  offset: Offset,
  lists: MapLists,
): MappingPart {
  requireVersion(bytes, map);
  const { remarks } = lists;
  const sources = findElements(bytes, requireMember(map, 'sources'), listElementsMax, 'sources');
  if (!holdsOnly(bytes, sources, stringOrNull)) {
    throw new SourceMapError('"sources" holds more than strings and null');
  }
  const names = optionalList(bytes, map.get('names'), 'names');
  if (!holdsOnly(bytes, names, string)) remarks.add('"names" holds more than strings');
  const mappings = map.get('mappings');
  if (!isString(bytes, mappings)) throw new SourceMapError('"mappings" is not a string');
  addTextRemarks(bytes, map, ['file', 'sourceRoot'], remarks);
  const [sourceBase, nameBase] = [lists.sources.count(), lists.names.count()];
  const [sourceCount, nameCount] = [sources.length / 2, names.length / 2];
  lists.sources.add(sources);
  lists.names.add(names);
  const root = rootOf(bytes, map);
  for (let at = 0; at < sourceCount; at += 1) lists.roots.push(root);
  for (const at of ignoredSources(bytes, map, sourceCount, remarks)) lists.ignored.add(sourceBase + at);
  collectContents(bytes, map, sourceBase, sourceCount, lists);
  return { ...offset, ...mappingsText(bytes, mappings), sourceBase, sourceCount, nameBase, nameCount };
}

function findOriginalPosition(bytes: Buffer, lists: MapLists, segment: Segment): OriginalPosition | null {
  if (segment.source < 0) return null;
  const source = sourceName(bytes, lists, segment.source);
  if (source === null) return null;
  const name = segment.name < 0 ? undefined : readSmallJson(bytes, lists.names.at(segment.name));
  return {
    source,
    line: segment.line + 1,
    column: segment.column + 1,
    name: typeof name === 'string' ? cutText(name, nameCharactersMax) : null,
    ignored: lists.ignored.has(segment.source),
  };
}

function collectContents(
  bytes: Buffer,
  map: ReadonlyMap<string, Span>,
  sourceBase: number,
  sourceCount: number,
  lists: MapLists,
): void {
  const contents = optionalList(bytes, map.get('sourcesContent'), 'sourcesContent');
  if (!holdsOnly(bytes, contents, stringOrNull)) {
    lists.remarks.add('"sourcesContent" holds more than strings and null');
  }
  for (let at = 0; at < sourceCount && at * 2 < contents.length; at += 1) {
    const span = spanAt(contents, at);
    const source = isString(bytes, span) ? sourceName(bytes, lists, sourceBase + at) : null;
    if (source !== null) lists.contents.set(source, span);
  }
}

function sourceName(bytes: Buffer, lists: MapLists, source: number): string | null {
  const name = readSmallJson(bytes, lists.sources.at(source));
  if (typeof name !== 'string') return null;
  return cutText(belowRoot(lists.roots[source] ?? '', name), sourceNameCharactersMax);
}

const absolute = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

/** Joins like Mozilla's source-map library: absolute URLs stay, absolute paths go below the root. */
function belowRoot(root: string, source: string): string {
  if (root === '' || absolute.test(source)) return source;
  return `${root.endsWith('/') ? root.slice(0, -1) : root}/${source.startsWith('/') ? source.slice(1) : source}`;
}

function rootOf(bytes: Buffer, map: ReadonlyMap<string, Span>): string {
  const root = readSmallJson(bytes, map.get('sourceRoot'));
  return typeof root === 'string' ? cutText(root, sourceNameCharactersMax) : '';
}

function requireVersion(bytes: Buffer, map: ReadonlyMap<string, Span>): void {
  const version = readSmallJson(bytes, map.get('version'));
  if (version !== 3) throw new SourceMapError('its version is not 3');
}

/** Remarks on members that are neither string nor null. */
function addTextRemarks(
  bytes: Buffer,
  map: ReadonlyMap<string, Span>,
  members: readonly string[],
  remarks: Set<string>,
): void {
  for (const name of members) {
    const span = map.get(name);
    if (span !== undefined && !stringOrNull.includes(bytes[span.start] ?? 0)) {
      remarks.add(`"${name}" is not a string`);
    }
  }
}

/** First bytes of allowed elements: a quote, and the `n` of `null`. */
const string: readonly number[] = [0x22];
const stringOrNull: readonly number[] = [0x22, 0x6e];

function holdsOnly(bytes: Buffer, elements: Uint32Array, firstBytes: readonly number[]): boolean {
  for (let at = 0; at < elements.length; at += 2) {
    if (!firstBytes.includes(bytes[elements[at] ?? 0] ?? 0)) return false;
  }
  return true;
}

function optionalList(bytes: Buffer, span: Span | undefined, memberName: string): Uint32Array {
  if (span === undefined || readSmallJson(bytes, span) === null) return new Uint32Array(0);
  return findElements(bytes, span, listElementsMax, memberName);
}

/** The bytes of the mappings; copied only if a writer escaped slashes. */
function mappingsText(bytes: Buffer, span: Span): { bytes: Buffer; start: number; end: number } {
  const [start, end] = [span.start + 1, span.end - 1];
  if (!bytes.subarray(start, end).includes(0x5c)) return { bytes, start, end };
  const text = Buffer.from(String(readJson(bytes, span)), 'latin1');
  return { bytes: text, start: 0, end: text.length };
}

function ignoredSources(
  bytes: Buffer,
  map: ReadonlyMap<string, Span>,
  sourceCount: number,
  remarks: Set<string>,
): number[] {
  const listed = readSmallJson(bytes, map.get('ignoreList') ?? map.get('x_google_ignoreList')) ?? [];
  const known = Array.isArray(listed) ? listed.filter((each) => isIndexBelow(each, sourceCount)) : [];
  if (!Array.isArray(listed) || known.length < listed.length) {
    remarks.add('"ignoreList" holds more than numbers of sources');
  }
  return known;
}

function isIndexBelow(value: unknown, count: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count;
}

/** @throws {SourceMapError} if the member is missing. */
function requireMember(members: ReadonlyMap<string, Span>, name: string): Span {
  const span = members.get(name);
  if (span === undefined) throw new SourceMapError(`it has no "${name}"`);
  return span;
}

function listsByteLength({ sources, names, roots }: MapLists): number {
  return sources.byteLength() + names.byteLength() + roots.length * 8;
}

type SpanList = ReturnType<typeof spanList>;

function spanList() {
  let pairs = new Uint32Array(0);
  let length = 0;
  return {
    count: () => length / 2,
    at: (index: number) => spanAt(pairs, index),
    add(more: Uint32Array): void {
      if (length + more.length > pairs.length) {
        const larger = new Uint32Array(length === 0 ? more.length : (length + more.length) * 2);
        larger.set(pairs.subarray(0, length));
        pairs = larger;
      }
      pairs.set(more, length);
      length += more.length;
    },
    byteLength: () => pairs.byteLength,
  };
}

function spanAt(pairs: Uint32Array, index: number): Span {
  return { start: pairs[index * 2] ?? 0, end: pairs[index * 2 + 1] ?? 0 };
}
