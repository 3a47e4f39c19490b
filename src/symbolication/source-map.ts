// Reads a source map within limits, decoding on demand (docs/source-maps.md, "How a map is read").

import { decodeSourceMapText } from './decode-text.ts';
import {
  findElements,
  findMembers,
  findRootValue,
  readJson,
  readSmallJson,
  type Span,
} from './json-bytes.ts';
import {
  emptyLists,
  findOriginalPosition,
  listsByteLength,
  type MapLists,
  type Offset,
  type OriginalPosition,
  readSection,
  remarkOnTexts,
  requireMember,
  requireVersion,
  spanAt,
} from './map-section.ts';
import { findSegment, type MappingPart, readMappings } from './mappings.ts';
import { SourceMapError } from './source-map-error.ts';

export type { OriginalPosition } from './map-section.ts';

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

interface Reading {
  readonly bytes: Buffer;
  readonly parts: MappingPart[];
  readonly lists: MapLists;
}

function readMap(reading: Reading, map: ReadonlyMap<string, Span>, offset: Offset, level: number): void {
  if (map.has('sections')) {
    readSections(reading, map, offset, level);
    return;
  }
  const { bytes, parts, lists } = reading;
  const before = parts.at(-1);
  if (before !== undefined && (before.line - offset.line || before.column - offset.column) > 0) {
    throw new SourceMapError('its sections are out of order');
  }
  if (parts.length === sectionsMax) throw new SourceMapError(`it has more than ${sectionsMax} sections`);
  parts.push(readSection(bytes, map, offset, lists));
}

function readSections(reading: Reading, map: ReadonlyMap<string, Span>, start: Offset, level: number): void {
  const { bytes, lists } = reading;
  requireVersion(bytes, map);
  if (level === sectionLevelsMax) {
    throw new SourceMapError(`its sections are nested more than ${sectionLevelsMax} levels deep`);
  }
  if (map.has('mappings')) lists.remarks.add('it has "mappings" beside its "sections"');
  remarkOnTexts(bytes, map, ['file'], lists.remarks);
  const pairs = findElements(bytes, requireMember(map, 'sections'), sectionsMax, 'sections');
  for (let at = 0; at < pairs.length / 2; at += 1) {
    const section = findMembers(bytes, spanAt(pairs, at));
    const offset = findMembers(bytes, requireMember(section, 'offset'));
    const line = wholeNumber(bytes, offset.get('line'), 'the line of a section');
    const column = wholeNumber(bytes, offset.get('column'), 'the column of a section');
    const ownStart = { line: start.line + line, column: line === 0 ? start.column + column : column };
    readMap(reading, findMembers(bytes, requireMember(section, 'map')), ownStart, level + 1);
  }
}

function debugIdOf(bytes: Buffer, top: ReadonlyMap<string, Span>): string | null {
  const id = readSmallJson(bytes, top.get('debugId')) ?? readSmallJson(bytes, top.get('debug_id'));
  return typeof id === 'string' ? id : null;
}

function wholeNumber(bytes: Buffer, span: Span | undefined, what: string): number {
  const value = readSmallJson(bytes, span);
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new SourceMapError(`${what} is not a whole number of at least 0`);
  }
  return value;
}
