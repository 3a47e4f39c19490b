// Reads a source map within limits (docs/source-maps.md, "How a map is read") and answers where a generated
// position comes from. It works on the map's bytes; sources, names and contents are built one at a time, when
// asked for.
import { cutText } from '../core/reading/cut-text.ts';
import { elementsOf, isString, membersOf, readJson, readSmall, type Span, wholeValue } from './json-bytes.ts';
import { MapRefused } from './map-refused.ts';
import { findSegment, type MappingIndex, readMappings, separatorsMax } from './mappings.ts';
import { mapText } from './text.ts';

const sectionsMax = 1_000;
const listElementsMax = 1_000_000;
const sourceNameCharactersMax = 4_096;
const nameCharactersMax = 1_024;

/** An original position; line and column start at 1. */
export interface OriginalPosition {
  /** The source as the map names it, with its `sourceRoot` before it. */
  readonly source: string;
  readonly line: number;
  readonly column: number;
  /** The token's name in the source, where the map has one. */
  readonly name: string | null;
  /** True when the map lists the source in `ignoreList`. */
  readonly ignored: boolean;
}

/** A map that passed the gates. */
export interface SourceMap {
  readonly debugId: string | null;
  readonly hasContents: boolean;
  /** Segments that point at a source or name that the map does not have. */
  readonly strayCount: number;
  /** What this map costs in memory, in bytes. */
  readonly byteLength: number;
  /** The original of a generated position (line and column from 1), or null where the map says nothing. */
  find(line: number, column: number): OriginalPosition | null;
  /** The text of a source that `find` named, or null where the map does not hold it. */
  contentOf(source: string): string | null;
}

/** One block of mappings with its own lists; a map without sections is one block at line 0. */
interface Block {
  readonly startLine: number;
  readonly startColumn: number;
  readonly index: MappingIndex;
  readonly sources: Uint32Array;
  readonly contents: Uint32Array;
  readonly names: Uint32Array;
  readonly sourceRoot: string;
  readonly ignored: ReadonlySet<number>;
}

/**
 * Reads a map (UTF-8 or UTF-16, with or without a byte order mark or the `)]}'` line). Throws MapRefused when
 * it is not JSON, not version 3, has lists or mappings of the wrong kind or beyond the limits, or nested
 * sections.
 */
export function readSourceMap(sent: Buffer): SourceMap {
  const bytes = mapText(sent);
  const top = membersOf(bytes, wholeValue(bytes));
  const blocks = top.has('sections')
    ? readSections(bytes, top)
    : [readBlock(bytes, top, 0, 0, separatorsMax)];
  const contents = new Map<string, Span>();
  for (const block of blocks) collectContents(bytes, block, contents);
  return {
    debugId: debugIdOf(bytes, top),
    hasContents: contents.size > 0,
    strayCount: blocks.reduce((sum, block) => sum + block.index.strayCount, 0),
    byteLength: bytes.length + blocks.reduce((sum, block) => sum + costOf(block), 0),
    find: (line, column) => find(bytes, blocks, line - 1, column - 1),
    contentOf(source) {
      const span = contents.get(source);
      const content = span === undefined ? null : readJson(bytes, span);
      return typeof content === 'string' ? content : null;
    },
  };
}

/** ECMA-426 index maps: each section is a map of its own that starts at an offset of the generated file. */
function readSections(bytes: Buffer, top: ReadonlyMap<string, Span>): Block[] {
  requireVersion(bytes, top);
  const pairs = elementsOf(bytes, required(top, 'sections'), sectionsMax, 'sections');
  const blocks: Block[] = [];
  let separatorsLeft = separatorsMax;
  for (let at = 0; at < pairs.length; at += 2) {
    const section = membersOf(bytes, spanAt(pairs, at));
    const offset = membersOf(bytes, required(section, 'offset'));
    const map = membersOf(bytes, required(section, 'map'));
    if (map.has('sections')) throw new MapRefused('a section holds sections of its own');
    const block = readBlock(
      bytes,
      map,
      wholeNumber(bytes, offset.get('line'), 'the line of a section'),
      wholeNumber(bytes, offset.get('column'), 'the column of a section'),
      separatorsLeft,
    );
    const before = blocks.at(-1);
    if (before !== undefined && !isAfter(block, before)) {
      throw new MapRefused('its sections are out of order');
    }
    separatorsLeft -= block.index.generatedColumns.length;
    blocks.push(block);
  }
  return blocks;
}

function readBlock(
  bytes: Buffer,
  map: ReadonlyMap<string, Span>,
  startLine: number,
  startColumn: number,
  separatorsLeft: number,
): Block {
  requireVersion(bytes, map);
  const sources = elementsOf(bytes, required(map, 'sources'), listElementsMax, 'sources');
  requireSourceKinds(bytes, sources);
  const names = optionalList(bytes, map.get('names'), 'names');
  const mappings = map.get('mappings');
  if (!isString(bytes, mappings)) throw new MapRefused('"mappings" is not a string');
  const text = mappingsText(bytes, mappings);
  const limits = { sources: sources.length / 2, names: names.length / 2 };
  const index = readMappings(text.bytes, text.start, text.end, limits, separatorsLeft);
  const sourceRoot = readSmall(bytes, map.get('sourceRoot'));
  return {
    startLine,
    startColumn,
    index,
    sources,
    names,
    contents: optionalList(bytes, map.get('sourcesContent'), 'sourcesContent'),
    sourceRoot: typeof sourceRoot === 'string' ? cutText(sourceRoot, sourceNameCharactersMax) : '',
    ignored: ignoredSources(bytes, map),
  };
}

function find(
  bytes: Buffer,
  blocks: readonly Block[],
  line: number,
  column: number,
): OriginalPosition | null {
  const block = blocks.findLast(
    (each) => each.startLine < line || (each.startLine === line && each.startColumn <= column),
  );
  if (block === undefined) return null;
  const ownColumn = line === block.startLine ? column - block.startColumn : column;
  const segment = findSegment(block.index, line - block.startLine, ownColumn);
  if (segment === null || segment.source < 0) return null;
  const source = sourceName(bytes, block, segment.source);
  if (source === null) return null;
  const name = segment.name < 0 ? undefined : readSmall(bytes, spanAt(block.names, segment.name * 2));
  return {
    source,
    line: segment.line + 1,
    column: segment.column + 1,
    name: typeof name === 'string' ? cutText(name, nameCharactersMax) : null,
    ignored: block.ignored.has(segment.source),
  };
}

function sourceName(bytes: Buffer, block: Block, source: number): string | null {
  const name = readSmall(bytes, spanAt(block.sources, source * 2));
  if (typeof name !== 'string') return null;
  const root = block.sourceRoot;
  const joined = root === '' || root.endsWith('/') ? root + name : `${root}/${name}`;
  return cutText(joined, sourceNameCharactersMax);
}

function collectContents(bytes: Buffer, block: Block, contents: Map<string, Span>): void {
  for (let at = 0; at < block.contents.length && at < block.sources.length; at += 2) {
    const span = spanAt(block.contents, at);
    const source = isString(bytes, span) ? sourceName(bytes, block, at / 2) : null;
    if (source !== null) contents.set(source, span);
  }
}

function requireVersion(bytes: Buffer, map: ReadonlyMap<string, Span>): void {
  const version = readSmall(bytes, map.get('version'));
  if (version !== 3) throw new MapRefused('its version is not 3');
}

function requireSourceKinds(bytes: Buffer, sources: Uint32Array): void {
  for (let at = 0; at < sources.length; at += 2) {
    const first = bytes[sources[at] ?? 0];
    // 0x6e begins `null`, the only other word that a source may be.
    if (first !== 0x22 && first !== 0x6e) throw new MapRefused('"sources" holds more than strings and null');
  }
}

function optionalList(bytes: Buffer, span: Span | undefined, what: string): Uint32Array {
  if (span === undefined || readSmall(bytes, span) === null) return new Uint32Array(0);
  return elementsOf(bytes, span, listElementsMax, what);
}

/** The mappings' bytes as they stand; only where a writer escaped a slash are they built anew. */
function mappingsText(bytes: Buffer, span: Span): { bytes: Buffer; start: number; end: number } {
  const [start, end] = [span.start + 1, span.end - 1];
  const escaped = bytes.indexOf(0x5c, start);
  if (escaped === -1 || escaped >= end) return { bytes, start, end };
  const text = Buffer.from(String(readJson(bytes, span)), 'latin1');
  return { bytes: text, start: 0, end: text.length };
}

function ignoredSources(bytes: Buffer, map: ReadonlyMap<string, Span>): Set<number> {
  const listed = readSmall(bytes, map.get('ignoreList') ?? map.get('x_google_ignoreList'));
  return new Set(Array.isArray(listed) ? listed.filter((each) => Number.isInteger(each)) : []);
}

function debugIdOf(bytes: Buffer, top: ReadonlyMap<string, Span>): string | null {
  const id = readSmall(bytes, top.get('debugId')) ?? readSmall(bytes, top.get('debug_id'));
  return typeof id === 'string' ? id : null;
}

function required(members: ReadonlyMap<string, Span>, name: string): Span {
  const span = members.get(name);
  if (span === undefined) throw new MapRefused(`it has no "${name}"`);
  return span;
}

function wholeNumber(bytes: Buffer, span: Span | undefined, what: string): number {
  const value = readSmall(bytes, span);
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new MapRefused(`${what} is not a whole number of at least 0`);
  }
  return value;
}

function isAfter(block: Block, before: Block): boolean {
  return (
    block.startLine > before.startLine ||
    (block.startLine === before.startLine && block.startColumn > before.startColumn)
  );
}

function costOf(block: Block): number {
  return (
    block.index.byteLength + block.sources.byteLength + block.contents.byteLength + block.names.byteLength
  );
}

function spanAt(pairs: Uint32Array, at: number): Span {
  return { start: pairs[at] ?? 0, end: pairs[at + 1] ?? 0 };
}
