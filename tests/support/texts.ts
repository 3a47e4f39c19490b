// Unicode texts for property tests. fast-check's own units take half a second per file to set up, so short
// runs choose from a list.
import fc from 'fast-check';
import { isFull } from './test-level.ts';

/** Difficult ones: combining marks, joined emoji, flags, parts of syllables, directions, invisible ones. */
const graphemes = [
  ...['e\u0301', '\u0301', '\u0e33', 'ก\u0e33', '각', '\u1100\u1161\u11a8', 'नि', '\r\n', '\u200d', '\u200b'],
  ...[
    '😀',
    '👍🏽',
    '🇩🇪',
    '👩‍👩‍👧‍👦',
    '❤️',
    '1️⃣',
    '\u202e',
    '\u2028',
    '\ufeff',
    '\u00a0',
    'ß',
    'İ',
    'ſ',
    'ﬁ',
    '𝒳',
    '\u{10fffd}',
  ],
];
const names = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', 'then', '0', '-0'];

const visible = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code));
const codePoint = fc
  .oneof(fc.nat(0x7f), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((code) => String.fromCodePoint(code));

interface Length {
  readonly minLength?: number;
  readonly maxLength?: number;
}

export function graphemeText(length: Length): fc.Arbitrary<string> {
  return isFull()
    ? fc.string({ unit: 'grapheme', ...length })
    : textOf(fc.oneof({ weight: 3, arbitrary: visible }, fc.constantFrom(...graphemes)), length);
}

/** May have unpaired surrogates. */
export function codePointText(length: Length): fc.Arbitrary<string> {
  return isFull() ? fc.string({ unit: 'binary', ...length }) : textOf(fc.oneof(visible, codePoint), length);
}

function textOf(unit: fc.Arbitrary<string>, { minLength = 0, maxLength = 20 }: Length): fc.Arbitrary<string> {
  const fitting = names.filter((name) => name.length >= minLength && name.length <= maxLength);
  const drawn = fc.array(unit, { minLength, maxLength }).map((characters) => characters.join(''));
  return fitting.length === 0
    ? drawn
    : fc.oneof({ weight: 9, arbitrary: drawn }, { weight: 1, arbitrary: fc.constantFrom(...fitting) });
}
