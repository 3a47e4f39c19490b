// Reading source maps: every form a writer may choose, and every map that is refused.
import { describe, expect, it } from '@jest/globals';
import { FlattenMap, originalPositionFor } from '@jridgewell/trace-mapping';
import { MapRefused } from '../../src/symbolication/map-refused.ts';
import { readSourceMap } from '../../src/symbolication/source-map.ts';

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

  it('G27: cuts names and sources between characters', () => {
    const long = `x${'👨‍👩‍👧'.repeat(1_000)}`;
    const found = read({ ...plain, sources: [long], names: [long] }).find(1, 1);
    expect(found?.name?.slice(1).replaceAll('👨‍👩‍👧', '')).toBe('');
    expect(found?.source.slice(1).replaceAll('👨‍👩‍👧', '')).toBe('');
  });

  it('puts sourceRoot before the sources', () => {
    expect(read({ ...plain, sourceRoot: 'src' }).find(1, 1)?.source).toBe('src/a.ts');
    expect(read({ ...plain, sourceRoot: 'src/' }).contentOf('src/a.ts')).toContain('two');
  });

  it('knows a source that is null for none', () => {
    expect(read({ ...plain, sources: [null] }).find(1, 1)).toBeNull();
  });

  it.each(['ignoreList', 'x_google_ignoreList'])('marks what %s names', (list) => {
    expect(read({ ...plain, [list]: [0] }).find(1, 1)?.ignored).toBe(true);
  });

  it('reads debugId, and debug_id where that is missing', () => {
    expect(read({ ...plain, debug_id: 'b' }).debugId).toBe('b');
    expect(read({ ...plain, debugId: 'a', debug_id: 'b' }).debugId).toBe('a');
  });

  it('takes the last of two members of one name, and __proto__ for an ordinary one', () => {
    const text = JSON.stringify(plain).replace('{', '{"sources":["x"],"__proto__":{"version":9},');
    expect(read(text).find(1, 1)?.source).toBe('a.ts');
  });

  it('agrees with @jridgewell/trace-mapping on a map of sections', () => {
    const part = (source: string) => ({
      version: 3,
      sources: [source],
      names: [],
      mappings: 'AAAA,EACA;AACA,KAAC',
    });
    const map = {
      version: 3,
      sections: [
        { offset: { line: 0, column: 0 }, map: part('a') },
        { offset: { line: 1, column: 4 }, map: part('b') },
        { offset: { line: 7, column: 0 }, map: part('c') },
      ],
    };
    const theirs = new FlattenMap(JSON.stringify(map));
    const ours = read(map);
    for (let line = 1; line <= 10; line += 1) {
      for (let column = 0; column < 12; column += 1) {
        const expected = originalPositionFor(theirs, { line, column });
        const found = ours.find(line, column + 1);
        expect([line, column, found?.source ?? null, found?.line ?? null]).toEqual([
          line,
          column,
          expected.source,
          expected.line,
        ]);
      }
    }
  });
});

describe('a map that is refused', () => {
  const section = (line: number) => ({ offset: { line, column: 0 }, map: { ...plain } });
  const nested = `${'{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'.repeat(5_000)}{}${'}]}'.repeat(5_000)}`;

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
    [
      '50,000 sections',
      { version: 3, sections: Array.from({ length: 50_000 }, (_, line) => section(line)) },
      /more than 1000/,
    ],
    ['5,000 nested sections', nested, /nested more than 100/],
    [
      'a section with sections',
      { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: { version: 3, sections: [] } }] },
      /sections of its own/,
    ],
    ['sections out of order', { version: 3, sections: [section(4), section(2)] }, /out of order/],
    ['a section at a negative line', { version: 3, sections: [section(-1)] }, /whole number/],
  ])('is %s', (_name, map, words) => {
    expect(() => read(map)).toThrow(MapRefused);
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
