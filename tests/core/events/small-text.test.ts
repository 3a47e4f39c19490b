// What makes short texts small: matches that are there, codes that zlib reads, and nothing that one text
// leaves to the next.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { trainCodes } from '../../../scripts/body-dictionary/codes.ts';
import { readCodes } from '../../../src/core/events/deflate-codes.ts';
import { SmallTexts } from '../../../src/core/events/small-text.ts';
import { TextMatches, textBytesMax, tokenOf } from '../../../src/core/events/text-matches.ts';
import { benchEvent } from '../../bench/event.ts';

const folder = join(import.meta.dirname, '../../../src/core/events/dictionaries');
const dictionary = readFileSync(join(folder, '2.txt'));
const codes = readFileSync(join(folder, '2.codes'), 'latin1');

/** What the tokens stand for, by the rules of matches alone. */
function textOf(matches: TextMatches, text: string): string | null {
  const tokens = matches.tokensOf([text]);
  if (tokens === null) return null;
  const bytes = [...dictionary];
  for (const token of tokens.list.subarray(0, tokens.count)) {
    if (token < 256) {
      bytes.push(token);
      continue;
    }
    const from = bytes.length - tokenOf.distance(token);
    for (let nth = 0; nth < tokenOf.length(token); nth += 1) bytes.push(bytes[from + nth] as number);
  }
  return Buffer.from(bytes.slice(dictionary.byteLength)).toString();
}

const few = fc.string({ unit: fc.constantFrom('a', 'b', '"', ':', '\u2603'), maxLength: 600 });
const text = fc.oneof(few, fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat(99).map(benchEvent));

describe('the matches of a text', () => {
  it('stand for the text, whatever came before it', () => {
    const matches = new TextMatches(dictionary);
    fc.assert(
      fc.property(text, (one) => {
        expect(textOf(matches, one)).toBe(one);
        const tokens = matches.tokensOf([one]);
        const fresh = new TextMatches(dictionary).tokensOf([one]);
        expect(tokens?.list.subarray(0, tokens.count)).toEqual(fresh?.list.subarray(0, fresh.count));
      }),
      { numRuns: 60 },
    );
  });

  it('are found as far as a text may reach, and at its very end', () => {
    const matches = new TextMatches(dictionary);
    const random = Array.from({ length: textBytesMax }, (_, nth) =>
      String.fromCharCode(33 + ((nth * nth * 31 + nth * 7) % 89)),
    ).join('');
    for (const one of [random, 'x'.repeat(textBytesMax), dictionary.toString('latin1', 0, 300)]) {
      expect(textOf(matches, one)).toBe(one);
    }
    expect(matches.tokensOf(['x'.repeat(textBytesMax)])?.count).toBeLessThan(40);
    const known = 'the first and the last of what is known';
    const tokens = new TextMatches(Buffer.from(known)).tokensOf([known]);
    expect([tokens?.count, tokens?.list[0]]).toEqual([1, tokenOf.match(known.length, known.length)]);
  });

  it('are not looked for in a text that is too long', () => {
    const matches = new TextMatches(dictionary);
    expect(matches.tokensOf(['x'.repeat(textBytesMax), 'y'])).toBeNull();
    // As bytes it is.
    expect(matches.tokensOf(['\u2603'.repeat(textBytesMax / 2)])).toBeNull();
    expect(textOf(matches, 'as before')).toBe('as before');
  });
});

describe('codes', () => {
  it('head a stream that zlib reads by itself', () => {
    const packed = new SmallTexts(2, dictionary, codes).pack([benchEvent(1)]) as Buffer;
    const { head } = readCodes(codes);
    const stream = Buffer.concat([head, packed.subarray(2)]);
    stream[head.byteLength - 1] = (head.at(-1) as number) | (packed[1] as number);
    expect(inflateRawSync(stream, { dictionary }).toString()).toBe(benchEvent(1));
  });

  it('are made of what samples say, and there is one for what none says', () => {
    const samples = Array.from({ length: 20 }, (_, nth) => benchEvent(nth));
    const trained = trainCodes(dictionary, samples);
    expect(trainCodes(dictionary, samples)).toBe(trained);
    const lengths = trained.split('\n').map((line) => [...line].map((digit) => Number.parseInt(digit, 16)));
    const taken = lengths.map((line) => line.reduce((sum, length) => sum + 2 ** -length, 0));
    expect([taken, Math.max(...lengths.flat())]).toEqual([[1, 1, 0], 12]);
    const texts = new SmallTexts(7, dictionary, trained);
    const packed = texts.pack([benchEvent(99)]) as Buffer;
    expect(packed.byteLength).toBeLessThan(
      (new SmallTexts(2, dictionary, codes).pack([benchEvent(99)]) as Buffer).byteLength,
    );
    expect(texts.unpack(packed, textBytesMax).toString()).toBe(benchEvent(99));
    const strange = `${benchEvent(1)}\u0001\u00ff\u2603\ud83d\ude00`;
    expect(texts.unpack(texts.pack([strange]) as Buffer, textBytesMax).toString()).toBe(strange);
  });

  it.each([codes.slice(1), codes.replace('c', '0'), codes.replace('c', 'd'), ''])(
    'are refused where a symbol has none, or one that is too long',
    (text) => {
      expect(() => readCodes(text)).toThrow('every symbol');
    },
  );
});
