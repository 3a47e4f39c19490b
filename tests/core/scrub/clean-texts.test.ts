import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  cacheClean,
  createCleanTextCache,
  hashOfText,
  isCachedClean,
} from '../../../src/core/scrub/table/prefilter.ts';
import { createScrubState, scrubString, scrubText } from '../../../src/core/scrub/text.ts';
import { strangersKinds } from '../../support/strangers.ts';

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe('the cache of clean texts', () => {
  it('stores a text from its second time on', () => {
    const known = createCleanTextCache();
    const text = 'a line of some words';
    cacheClean(known, text, hashOfText(text));
    expect(isCachedClean(known, text, hashOfText(text))).toBe(false);
    cacheClean(known, text, hashOfText(text));
    expect(isCachedClean(known, text, hashOfText(text))).toBe(true);
  });

  it('does not confuse texts with the same hash', () => {
    const known = createCleanTextCache();
    const clean = 'a'.repeat(400);
    const alike = times(400, (at) => `${clean.slice(0, at)}b${clean.slice(at + 1)}`).filter(
      (text) => hashOfText(text) === hashOfText(clean),
    );
    expect(alike.length).toBeGreaterThan(0);
    cacheClean(known, clean, hashOfText(clean));
    cacheClean(known, clean, hashOfText(clean));
    expect(alike.filter((text) => isCachedClean(known, text, hashOfText(text)))).toEqual([]);
  });

  it('drops texts beyond its limit', () => {
    const known = createCleanTextCache();
    for (const text of times(3_000, (index) => `${index} `.repeat(400))) {
      cacheClean(known, text, hashOfText(text));
      cacheClean(known, text, hashOfText(text));
      const chars = known.texts.reduce((sum, kept) => sum + (kept?.length ?? 0), 0);
      if (chars > 524_288 || chars !== known.chars) throw new Error(`${chars} characters are kept`);
    }
    expect(known.chars).toBeGreaterThan(0);
  });
});

describe('a text that is scrubbed again', () => {
  it.each(strangersKinds('secrets-1.txt').map(({ text }) => text))(
    'is scrubbed as the first time, among clean ones: %j',
    (text) => {
      const first = scrubText(text);
      const clean = 'x'.repeat(text.length);
      for (let round = 0; round < 3; round += 1) {
        scrubText(clean);
        expect(scrubText(text)).toBe(first);
      }
    },
  );

  it('has its secrets counted each time, of any kind', () => {
    const words = fc.array(
      fc.constantFrom('password=', 'hunter2X9', ' ', 'note', '"', ':', '4111111111111111'),
    );
    const asAtFirst = (parts: readonly string[]) => {
      const text = parts.join('');
      for (const kind of ['text', 'source', 'settings', 'version', 'name'] as const) {
        const answers = times(3, () => {
          const state = createScrubState(null);
          return [scrubString(text, state, kind), state.count];
        });
        expect(answers[1]).toEqual(answers[0]);
        expect(answers[2]).toEqual(answers[0]);
      }
    };
    fc.assert(fc.property(words, asAtFirst));
  });
});
