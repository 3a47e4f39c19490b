import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../../../schemas/event.ts';
import { createJsonReader, type JsonTargets } from '../../../../src/core/test-runs/reports/json-reader.ts';
import { runs } from '../../../support/test-level.ts';

const keepAll: JsonTargets = { elementsAt: () => null, textAt: () => null, passesOver: () => false };

function readInPieces(text: string, size: number, targets = keepAll): Json {
  const reader = createJsonReader(targets);
  for (let at = 0; at < text.length; at += size) reader.write(text.slice(at, at + size));
  return reader.end();
}

describe('createJsonReader', () => {
  it('reads any JSON as JSON.parse does, in pieces of any size', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (value, size, spaced) => {
          const text = JSON.stringify(value, null, spaced ? 2 : 0);
          expect(JSON.stringify(readInPieces(text, size))).toBe(JSON.stringify(JSON.parse(text)));
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('refuses what JSON.parse refuses, and never half a text', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.nat(),
        fc.nat(),
        fc.constantFrom(...'{}[]",:\\x01 -.e'),
        (value, at, length, sign) => {
          const text = JSON.stringify(value);
          const place = at % (text.length + 1);
          const broken = text.slice(0, place) + sign + text.slice(place + (length % 3));
          let whole: unknown;
          try {
            whole = JSON.parse(broken);
          } catch {
            expect(() => readInPieces(broken, 3)).toThrow('Invalid JSON body passed.');
            return;
          }
          expect(JSON.stringify(readInPieces(broken, 3))).toBe(JSON.stringify(whole));
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  it.each([
    ['"\\ud83d\\ude80"', '🚀'],
    ['"\\u00e9\\n\\/"', 'é\n/'],
    ['-0.5e+3', -500],
    ['TRUE', true],
  ])('reads %s cut anywhere', (text, expected) => {
    for (let size = 1; size <= text.length; size += 1) expect(readInPieces(text, size)).toBe(expected);
  });

  it.each([
    ['"\\ud83d"'],
    ['"\\ud83dx"'],
    ['"\\ude80"'],
    ['"\\u12g4"'],
    ['01'],
    ['+1'],
    ['.5'],
    ['1.'],
    ['nul'],
    ['"a'],
    [''],
    ['1 2'],
    ['[1,]'],
    ['{"a":1,}'],
    ['{"a" 1}'],
    ['[1}'],
  ])('refuses %s', (text) => {
    for (const size of [1, 2, 100]) {
      expect(() => readInPieces(text, size)).toThrow('Invalid JSON body passed.');
    }
  });

  it('accepts a hundred levels, in skipped values too', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    const targets = { ...keepAll, passesOver: (name: string) => name === 'skip' };
    for (const text of [nested(100), `{"skip":${nested(99)}}`]) {
      expect(() => readInPieces(text, 7, targets)).not.toThrow();
    }
    for (const text of [nested(101), `{"skip":${nested(100)}}`]) {
      expect(() => readInPieces(text, 7, targets)).toThrow('Invalid JSON body passed.');
    }
  });

  it('keeps __proto__ and constructor as ordinary names', () => {
    const read = readInPieces('{"__proto__":{"polluted":1},"constructor":2}', 5) as Record<string, Json>;
    expect(Object.keys(read)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('keeps head and tail of a long text', () => {
    const text = `START${'x'.repeat(500_000)}END`;
    const read = readInPieces(JSON.stringify(text), 10_000) as string;
    expect(read.length).toBeLessThan(70_000);
    expect(read.startsWith('START')).toBe(true);
    expect(read.endsWith('END')).toBe(true);
  });

  it('emits elements and texts, and skips what it is asked to skip', () => {
    const elements: Json[] = [];
    const pieces: string[] = [];
    const read = readInPieces(
      '{"tests":[{"a":1},[2],"x"],"big":"yyyy","skip":[[{"tests":[1]}]],"keep":[3]}',
      2,
      {
        elementsAt: (path) => (path.join('.') === 'tests' ? (value) => elements.push(value) : null),
        textAt: (path) =>
          path.join('.') === 'big' ? { write: (text) => pieces.push(text), end: () => undefined } : null,
        passesOver: (name) => name === 'skip',
      },
    );
    expect(JSON.stringify(elements)).toBe('[{"a":1},[2],"x"]');
    expect(pieces.join('')).toBe('yyyy');
    expect(JSON.stringify(read)).toBe('{"tests":[],"big":"","skip":true,"keep":[3]}');
  });

  it('counts the values it keeps', () => {
    const many = `[${'1,'.repeat(100_000)}1]`;
    expect(() => readInPieces(many, 4096)).toThrow('more than 100000 JSON values');
    expect(() =>
      readInPieces(`{"skip":${many}}`, 4096, { ...keepAll, passesOver: (name) => name === 'skip' }),
    ).not.toThrow();
  });
});

describe('a text of which head and tail are kept', () => {
  it.each(['😀', '👨‍👩‍👧', 'e\u0301'])('is cut between characters: %s', (character) => {
    for (let pad = 0; pad < 8; pad += 1) {
      const text = 'x'.repeat(pad) + character.repeat(60_000);
      const [head = '', tail = ''] = String(readInPieces(JSON.stringify(text), 9_001)).split('\n…\n');
      expect(head.slice(pad).replaceAll(character, '')).toBe('');
      expect(tail.replaceAll(character, '')).toBe('');
      expect(head.length).toBeGreaterThan(40_900);
      expect(tail.length).toBeGreaterThan(20_400);
    }
  });

  it('is unchanged where head and tail cover it', () => {
    const text = 'x'.repeat(50_000);
    expect(readInPieces(JSON.stringify(text), 9_001)).toBe(text);
  });
});
