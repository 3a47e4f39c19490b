import { describe, expect, it } from '@jest/globals';
import { FlattenMap, originalPositionFor } from '@jridgewell/trace-mapping';
import fc from 'fast-check';
import { readSourceMap } from '../../src/symbolication/source-map.ts';
import { SourceMapError } from '../../src/symbolication/source-map-error.ts';
import { inFull, runs } from '../support/test-level.ts';

const plain = {
  version: 3,
  sources: ['a.ts'],
  names: ['add'],
  mappings: 'AACEA',
  sourcesContent: ['one\ntwo\nthree'],
};

function read(map: unknown) {
  return readSourceMap(Buffer.from(typeof map === 'string' ? map : JSON.stringify(map)));
}

describe('a source map', () => {
  it('answers positions, names and contents', () => {
    const map = read(plain);
    expect(map.find(1, 1)).toEqual({ source: 'a.ts', line: 2, column: 3, name: 'add', ignored: false });
    expect(map.contentOf('a.ts')).toBe('one\ntwo\nthree');
    expect(map.contentOf('b.ts')).toBeNull();
  });

  it.each([
    ['a byte order mark', Buffer.from(`\ufeff${JSON.stringify(plain)}`)],
    ['UTF-16', Buffer.from(`\ufeff${JSON.stringify(plain)}`, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\ufeff${JSON.stringify(plain)}`, 'utf16le').swap16()],
    ['the line that keeps JSON from being run', Buffer.from(`)]}'\n${JSON.stringify(plain)}`)],
    ['white space everywhere', Buffer.from(` ${JSON.stringify(plain, null, 3)}\r\n`)],
    ['escaped mappings', Buffer.from(JSON.stringify(plain).replace('AACEA', '\\u0041ACEA'))],
  ])('is read with %s', (_name, bytes) => {
    expect(readSourceMap(bytes).find(1, 1)).toMatchObject({ source: 'a.ts', line: 2 });
  });

  it('cuts names and sources between characters', () => {
    const long = `x${'👨‍👩‍👧'.repeat(1_000)}`;
    const found = read({ ...plain, sources: [long], names: [long] }).find(1, 1);
    expect(found?.name?.slice(1).replaceAll('👨‍👩‍👧', '')).toBe('');
    expect(found?.source.slice(1).replaceAll('👨‍👩‍👧', '')).toBe('');
  });

  it('puts sourceRoot before the sources', () => {
    expect(read({ ...plain, sourceRoot: 'src' }).find(1, 1)?.source).toBe('src/a.ts');
    expect(read({ ...plain, sourceRoot: 'src/' }).contentOf('src/a.ts')).toContain('two');
  });

  it.each([
    ['https://cdn.example/app/a.ts', 'src', 'https://cdn.example/app/a.ts'],
    ['https://cdn.example/app/a.ts', 'https://shop.example/', 'https://cdn.example/app/a.ts'],
    ['webpack://shop/./src/a.ts', '/srv', 'webpack://shop/./src/a.ts'],
    ['file:///home/ann/a.ts', 'src/', 'file:///home/ann/a.ts'],
    ['C:\\shop\\a.ts', 'src', 'C:\\shop\\a.ts'],
    ['//cdn.example/a.ts', 'src', '//cdn.example/a.ts'],
    ['../a.ts', 'https://shop.example/app', 'https://shop.example/app/../a.ts'],
    ['/a.ts', 'https://shop.example/app/', 'https://shop.example/app/a.ts'],
    ['/home/ann/a.ts', '/', '/home/ann/a.ts'],
    ['a:b', '', 'a:b'],
  ])('the source %s below the sourceRoot %j is %s', (source, sourceRoot, shown) => {
    const map = read({ ...plain, sources: [source], sourceRoot });
    expect(map.find(1, 1)?.source).toBe(shown);
    expect(map.contentOf(shown)).toBe(plain.sourcesContent[0]);
  });

  it('ignores a source that is null', () => {
    expect(read({ ...plain, sources: [null] }).find(1, 1)).toBeNull();
  });

  it.each(['ignoreList', 'x_google_ignoreList'])('marks what %s names', (list) => {
    expect(read({ ...plain, [list]: [0] }).find(1, 1)?.ignored).toBe(true);
  });

  it('reads debugId, and debug_id where that is missing', () => {
    expect(read({ ...plain, debug_id: 'b' }).debugId).toBe('b');
    expect(read({ ...plain, debugId: 'a', debug_id: 'b' }).debugId).toBe('a');
  });

  it('uses the last of two members of one name, and treats __proto__ as an ordinary one', () => {
    const text = JSON.stringify(plain).replace('{', '{"sources":["x"],"__proto__":{"version":9},');
    expect(read(text).find(1, 1)?.source).toBe('a.ts');
  });
});

describe('a map of sections', () => {
  const part = (source: string, mappings = 'AAAA') => ({
    version: 3,
    sources: [source],
    names: [],
    mappings,
  });
  const empty = { version: 3, sources: [], names: [], mappings: '' };
  const at = (line: number, column: number, map: object) => ({ offset: { line, column }, map });
  const ofSections = (...sections: object[]) => ({ version: 3, sections });
  const sourceAt = (map: object, line: number, column: number) => read(map).find(line, column)?.source;

  const leaf = fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('AAAA,EACA;AACA,KAAC', 'EAAA', ';;;KAAA', ';', ''))
    .map(([source, mappings]) => part(source, mappings));
  const steps = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.integer({ min: 1, max: 6 })), { maxLength: 4 });
  const sectionsOf = (maps: fc.Arbitrary<object>): fc.Arbitrary<object> =>
    fc.tuple(steps, fc.array(maps, { minLength: 4, maxLength: 4 })).map(([moves, chosen]) => {
      let [line, column] = [0, 0];
      const sections = moves.map(([lines, columns], index) => {
        [line, column] = lines === 0 ? [line, column + columns] : [line + lines, columns - 1];
        return at(line, column, chosen[index] ?? empty);
      });
      return ofSections(...sections);
    });

  it('maps as @jridgewell/trace-mapping does, with empty and nested sections', () => {
    const maps = fc.tuple(sectionsOf(leaf), sectionsOf(leaf)).map(([outer, inner]) => {
      const { sections } = outer as { sections: { offset: { line: number } }[] };
      const line = (sections.at(-1)?.offset.line ?? 0) + 1;
      return ofSections(...sections, at(line, 0, inner));
    });
    fc.assert(
      fc.property(maps, (map) => {
        const theirs = new FlattenMap(JSON.stringify(map));
        const ours = read(map);
        for (let place = 0; place < 300; place += 1) {
          const [line, column] = [Math.floor(place / 20) + 1, place % 20];
          const expected = originalPositionFor(theirs, { line, column });
          const found = ours.find(line, column + 1);
          expect([line, column, found?.source ?? null, found?.line ?? null]).toEqual([
            line,
            column,
            expected.source,
            expected.line,
          ]);
        }
      }),
      { numRuns: runs(50) },
    );
  });

  it('has none, or sections that are all empty', () => {
    expect(read(ofSections()).find(1, 1)).toBeNull();
    expect(read(ofSections(at(0, 0, empty), at(0, 0, ofSections()))).find(1, 1)).toBeNull();
  });

  it('may have two at one offset: the last that has mappings counts', () => {
    expect(sourceAt(ofSections(at(0, 0, empty), at(0, 0, part('a'))), 1, 9)).toBe('a');
    expect(sourceAt(ofSections(at(0, 0, part('a')), at(0, 0, empty)), 1, 9)).toBe('a');
    const both = ofSections(at(0, 0, part('a')), at(0, 0, part('b')), at(0, 0, empty));
    expect(sourceAt(both, 1, 9)).toBe('b');
    expect(read(both).remarks).toEqual(['two of its sections begin at one place']);
  });

  it('may have sections in sections, whose offsets are counted from theirs', () => {
    const inner = ofSections(at(0, 2, part('a')), at(1, 2, part('b')));
    const map = ofSections(at(0, 0, part('z')), at(3, 10, ofSections(at(0, 5, inner))), at(9, 0, part('c')));
    expect([17, 18].map((column) => sourceAt(map, 4, column))).toEqual([undefined, 'a']);
    expect([2, 3].map((column) => sourceAt(map, 5, column))).toEqual([undefined, 'b']);
    expect(sourceAt(map, 10, 1)).toBe('c');
  });

  inFull(it)('may have very many, and keeps the lists of each apart', () => {
    const sections = Array.from({ length: 5_000 }, (_, line) =>
      at(line, 0, { ...part(`s${line}`, 'AAAAA'), names: [`n${line}`], sourcesContent: [`text ${line}`] }),
    );
    const map = read(ofSections(...sections));
    for (const line of [1, 1_001, 4_999]) {
      expect(map.find(line + 1, 1)).toMatchObject({ source: `s${line}`, name: `n${line}` });
      expect(map.contentOf(`s${line}`)).toBe(`text ${line}`);
    }
  });
});

describe('a map that is refused', () => {
  const section = (line: number) => ({ offset: { line, column: 0 }, map: { ...plain } });
  const nested = (levels: number) =>
    `${'{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'.repeat(levels)}{}${'}]}'.repeat(levels)}`;

  it.each([
    ['no JSON', 'a', /not valid JSON/],
    ['cut-off JSON', JSON.stringify(plain).slice(0, -1), /not valid JSON/],
    ['a trailing comma', '{"version":3,}', /not valid JSON/],
    ['two values', '{} {}', /not valid JSON/],
    ['no object', '[]', /JSON object was expected/],
    ['nothing at all', '', /not valid JSON/],
    ['version 2', { ...plain, version: 2 }, /version is not 3/],
    ['a version that is text', { ...plain, version: '3' }, /version is not 3/],
    ['no sources', { ...plain, sources: undefined }, /no "sources"/],
    ['sources that are numbers', { ...plain, sources: [1] }, /more than strings and null/],
    ['mappings that are no string', { ...plain, mappings: [] }, /"mappings" is not a string/],
    ['negative lines', { ...plain, mappings: 'AADA' }, /before the start/],
    ['bad base64', { ...plain, mappings: 'A?AA' }, /no base64 digit/],
    ['100,001 sections', { version: 3, sections: Array(100_001).fill(0) }, /more than 100000/],
    ['5,000 nested sections', nested(5_000), /nested more than 100/],
    ['6 nested sections', nested(6), /sections are nested more than 5 levels/],
    ['sections out of order', { version: 3, sections: [section(4), section(2)] }, /out of order/],
    ['a section at a negative line', { version: 3, sections: [section(-1)] }, /whole number/],
  ])('is %s', (_name, map, words) => {
    expect(() => read(map)).toThrow(SourceMapError);
    expect(() => read(map)).toThrow(words);
  });

  it('is one of more than a hundred levels, and none of a hundred', () => {
    const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect(read({ ...plain, more: nested(99) }).contentOf('a.ts')).toBe('one\ntwo\nthree');
    expect(() => read({ ...plain, more: nested(100) })).toThrow('nested more than 100 levels');
  });

  it('is one whose sections together hold too many separators', () => {
    const half = { ...plain, mappings: ';'.repeat(1_100_000) };
    const at = (line: number) => ({ offset: { line, column: 0 }, map: half });
    expect(() => read({ version: 3, sections: [at(0), at(2_000_000)] })).toThrow(/separators/);
  });
});
