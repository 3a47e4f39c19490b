import { describe, expect, it } from '@jest/globals';
import {
  encodedMappings,
  originalPositionFor,
  type SourceMapSegment,
  TraceMap,
} from '@jridgewell/trace-mapping';
import fc from 'fast-check';
import { findSegment, readMappings } from '../../src/symbolication/mappings.ts';
import { readSourceMap } from '../../src/symbolication/source-map.ts';
import { SourceMapError } from '../../src/symbolication/source-map-error.ts';
import { runs } from '../support/test-level.ts';

const sources = ['a.ts', 'b.ts', 'c.ts'];
const names = ['one', 'two'];

const column = fc.nat({ max: 120 });
const segment = fc.oneof(
  column.map((at): SourceMapSegment => [at]),
  fc
    .tuple(column, fc.nat({ max: 2 }), fc.nat({ max: 50 }), column)
    .map((fields): SourceMapSegment => [...fields]),
  fc
    .tuple(column, fc.nat({ max: 2 }), fc.nat({ max: 50 }), column, fc.nat({ max: 1 }))
    .map((fields): SourceMapSegment => [...fields]),
);
const lines = fc.array(fc.array(segment, { maxLength: 12 }), { minLength: 1, maxLength: 6 });

function encode(decoded: SourceMapSegment[][]): string {
  return encodedMappings(new TraceMap({ version: 3, sources, names, mappings: decoded }));
}

function read(mappings: string, counts = { sources: 3, names: 2 }) {
  const bytes = Buffer.from(mappings);
  const { sources: sourceCount, names: nameCount } = counts;
  const place = { line: 0, column: 0, sourceBase: 0, nameBase: 0 };
  return readMappings([{ ...place, bytes, start: 0, end: bytes.length, sourceCount, nameCount }]);
}

describe('mappings', () => {
  it('agrees with @jridgewell/trace-mapping on every position of any map', () => {
    fc.assert(
      fc.property(lines, fc.nat({ max: 7 }), fc.nat({ max: 130 }), (decoded, line, at) => {
        const mappings = encode(decoded);
        const theirs = originalPositionFor(new TraceMap({ version: 3, sources, names, mappings }), {
          line: line + 1,
          column: at,
        });
        const map = readSourceMap(Buffer.from(JSON.stringify({ version: 3, sources, names, mappings })));
        const ours = map.find(line + 1, at + 1);
        expect(ours === null ? null : [ours.source, ours.line, ours.column - 1, ours.name]).toEqual(
          theirs.source === null ? null : [theirs.source, theirs.line, theirs.column, theirs.name],
        );
      }),
      { numRuns: runs(500) },
    );
  });

  it('sorts unsorted segments of a line', () => {
    // Columns 5, 2 and 9 of one line, written in that order: +5, -3, +7.
    const index = read('KAAA,HACA,OACA');
    expect([...index.generatedColumns]).toEqual([2, 5, 9]);
    expect(findSegment(index, 0, 4)).toMatchObject({ line: 1 });
    expect(findSegment(index, 0, 8)).toMatchObject({ line: 0 });
    expect(findSegment(index, 0, 100)).toMatchObject({ line: 2 });
  });

  it('has no position before the first segment of a line and on lines without any', () => {
    const index = read('EAAA;;AACA');
    expect(findSegment(index, 0, 1)).toBeNull();
    expect(findSegment(index, 1, 0)).toBeNull();
    expect(findSegment(index, 3, 0)).toBeNull();
    expect(findSegment(index, 2, 0)).toMatchObject({ line: 1 });
  });

  it('counts segments that point outside of the map, and leaves them unmapped', () => {
    const index = read('AAAA,CIAA', { sources: 1, names: 0 });
    expect(index.strayCount).toBe(1);
    expect(findSegment(index, 0, 1)).toMatchObject({ source: -1 });
  });

  it('reads numbers of 32 bits, and any count of zeros before one', () => {
    // The largest: 31 bits and their sign.
    const index = read('+/////D;A;gggggggggA,C');
    expect([...index.generatedColumns]).toEqual([0x7fffffff, 0, 0, 1]);
  });

  it.each([
    ['a character that is no digit', 'AA!A', /no base64 digit/],
    ['a number that is cut off', 'g', /middle of a number/],
    ['a line below zero', 'AADA', /before the start/],
    ['a column below zero', 'D', /before the start/],
    ['two fields', 'AA', /no base64 digit|middle of a number/],
    ['six fields', 'AAAAAA', /more than five fields/],
    ['more than 32 bits', 'ggggggE', /more than 32 bits/],
    ['more than 32 bits behind zeros', 'gggggggC', /more than 32 bits/],
    ['more than 31 bits of a position', '+/////D,C', /beyond 31 bits/],
    ['what is no digit behind zeros', 'ggggggggg!', /no base64 digit/],
    ['a number of zeros that is cut off', 'ggggggggg', /middle of a number/],
  ])('refuses %s', (_name, mappings, words) => {
    expect(() => read(mappings)).toThrow(SourceMapError);
    expect(() => read(mappings)).toThrow(words);
  });

  it('refuses more separators than a map may have before it reads one', () => {
    expect(() => read(';'.repeat(2_000_001))).toThrow(/more than 2000000 separators/);
    expect(read(';'.repeat(1_000)).lineStarts).toHaveLength(1_002);
  });
});
