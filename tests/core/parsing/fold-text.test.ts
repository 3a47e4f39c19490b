import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { foldCase, foldSearchTexts } from '../../../src/core/parsing/fold-text.ts';
import { sameTexts } from '../../data/support/spellings.ts';
import { allOrSome, fullOrShort, inFull, runs } from '../../support/test-level.ts';

describe('folding a text', () => {
  it.each(sameTexts)('%s: %s and %s are one', (_script, one, other) => {
    expect(foldCase(one)).toBe(foldCase(other));
  });

  it.each([
    ['accents', 'Müller', 'Muller'],
    ['accents that stand alone', 'e\u0301', 'e'],
    ['a diaeresis and two letters', 'ä', 'ae'],
    ['letters of two scripts that look alike', 'Аа', 'Aa'],
    ['ø and o', 'ø', 'o'],
    ['ñ and n', 'ñ', 'n'],
    ['a Korean letter and a syllable', 'ㅋ', '크'],
    ['hiragana and katakana', 'か', 'カ'],
    ['voiced and unvoiced kana', 'が', 'か'],
    ['й and и', 'й', 'и'],
  ])('keeps %s apart', (_what, one, other) => {
    expect(foldCase(one)).not.toBe(foldCase(other));
  });

  inFull(it)('gives every character one spelling in all its forms', () => {
    const wrong: string[] = [];
    for (const letter of allOrSome(assigned(), 20)) {
      const folded = foldCase(letter);
      const forms = [
        letter.toUpperCase(),
        letter.toLowerCase(),
        letter.toUpperCase().toLowerCase(),
        letter.toLowerCase().toUpperCase(),
        letter.normalize('NFC'),
        letter.normalize('NFD'),
        letter.normalize('NFD').toUpperCase(),
        letter.toLocaleUpperCase('tr'),
        letter.toLocaleLowerCase('tr'),
        folded,
      ];
      if (forms.some((form) => foldCase(form) !== folded)) wrong.push(letter);
    }
    expect(wrong).toEqual([]);
  });

  it('finds a part of a text, cut between characters, in every form', () => {
    const letters = assigned().filter((letter) => !/\p{Script=Han}|\p{Script=Hangul}/u.test(letter));
    const marks = ['\u0301', '\u0308', '\u0323', '\u0307', '\u0327', '\uff9e', '\u3099'];
    const pieces = [letters, letters, marks, [...'aisσςßıİㅋㅠ가']].map((list) => fc.constantFrom(...list));
    const drawn = fc.array(fc.oneof(...pieces), { minLength: 1, maxLength: 7 });
    const spelling = fc.constantFrom(...spellings);
    const holds = fc.property(
      drawn,
      spelling,
      spelling,
      fc.nat(),
      fc.nat(),
      (units, one, other, from, to) => {
        const text = one(units.join(''));
        const characters = Array.from(segments.segment(text), ({ segment }) => segment);
        const start = from % characters.length;
        const end = start + 1 + (to % (characters.length - start));
        const part = other(characters.slice(start, end).join(''));
        expect(foldCase(text)).toContain(foldCase(part));
      },
    );
    fc.assert(holds, {
      numRuns: fullOrShort(runs(4_000), 60),
      examples: [
        // An iota below a letter, with a mark of Japanese behind it.
        [['ᾈ', '\uff9e', '\u0001'], (text) => text, spellings[1] ?? String, 0, 0],
        // A vowel sign that begins a character of its own, with a dot above.
        [['i', '\u{11721}', '\u0307'], (text) => text, (text) => text, 1, 0],
      ],
    });
  });

  it('replaces NUL, lone surrogates and noncharacters by U+FFFD', () => {
    expect(foldCase('a\0Ä\ud800\uffff')).toBe('a\ufffdä\ufffd\ufffd');
  });

  it('drops accents beyond 64 on one letter', () => {
    const pile = '\u0301\u0323'.repeat(50_000);
    expect([...foldCase(`a${pile}`)].length).toBeLessThan(66);
    expect(foldCase(`x${'\u0323'.repeat(60)}`)).toBe(`x${'\u0323'.repeat(60)}`);
  });
});

describe('the folded texts of a row', () => {
  it('are empty where everything is ASCII', () => {
    expect(foldSearchTexts(['TypeError: x', null, ''])).toBeNull();
  });

  it('are separated, whatever they contain', () => {
    expect(foldSearchTexts(['Ä', null, 'B\uffffC'])).toBe('ä\uffff\uffffb\ufffdc');
  });
});

const segments = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * By way of NFD where the case changes: an iota below a letter becomes a letter, and must stand last before.
 */
const spellings: ReadonlyArray<(text: string) => string> = [
  (text) => text,
  (text) => text.normalize('NFD').toUpperCase(),
  (text) => text.normalize('NFD').toLowerCase(),
  (text) => text.normalize('NFD').replace(/^./u, (first) => first.toUpperCase()),
  (text) => text.normalize('NFC'),
  (text) => text.normalize('NFD'),
];

function assigned(): string[] {
  const letters: string[] = [];
  for (let code = 1; code < 0x11_0000; code += 1) {
    if (code === 0xd800) code = 0xe000;
    const letter = String.fromCodePoint(code);
    if (/\p{Assigned}/u.test(letter) && !/\p{Co}/u.test(letter)) letters.push(letter);
  }
  return letters;
}
