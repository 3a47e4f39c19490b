// One look at a text before any search: which signs stand in it, and which beginnings of telling words. What
// is not there cannot be found, so most text of an event is never searched at all. No rule about secrets
// lives here.

/** Signs that a search may need. */
export const sign = {
  at: 1 << 0,
  equals: 1 << 1,
  colon: 1 << 2,
  greater: 1 << 3,
  less: 1 << 4,
  comma: 1 << 5,
  percent: 1 << 6,
  backslash: 1 << 7,
  dash: 1 << 8,
  slash: 1 << 9,
  question: 1 << 10,
  ampersand: 1 << 11,
  hash: 1 << 12,
  paren: 1 << 13,
  quote: 1 << 14,
  pipe: 1 << 15,
  dollar: 1 << 16,
  space: 1 << 17,
  line: 1 << 18,
  tab: 1 << 19,
  semicolon: 1 << 20,
  wide: 1 << 21,
  escape: 1 << 22,
} as const;

/** Families of words; a search runs where a word of its family may stand. */
export const family = { name: 1, link: 2, command: 4, call: 8, said: 16, scheme: 32 } as const;

export interface Look {
  /** Bits of `sign`. */
  readonly signs: number;
  /** Bits of `family`: a word of it may be there. */
  readonly families: number;
  /** How many digits there are. */
  readonly digits: number;
  /** The longest run of letters, digits, "_" and "-", in characters. */
  readonly longestRun: number;
  /** The longest such run with digits in it, or with large and small letters and signs. */
  readonly longestMixedRun: number;
}

/** Reads each character once. */
export function lookAt(text: string): Look {
  let signs = 0;
  let families = 0;
  let digits = 0;
  // The run that goes on: its length, and bits of what is in it.
  let run = 0;
  let inRun = 0;
  let longestRun = 0;
  let longestMixedRun = 0;
  // The last letters as numbers of five bits, and how many there are since the word began.
  let letters = 0;
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (kinds[code] as number) : wideKind;
    if (kind <= letterMax) {
      if (code < 97) {
        // A capital behind a small letter begins a word.
        if ((inRun & lowerBit) !== 0 && length > 0 && (text.charCodeAt(at - 1) & 32) !== 0) length = 0;
        inRun |= upperBit;
      } else {
        inRun |= lowerBit;
      }
      length += 1;
      run += 1;
      letters = ((letters << 5) | kind) & 0xfffff;
      const found = anywhereThree[letters & 0x7fff] as number;
      if (found !== 0) families |= (found & ~fourBit) | (anywhereFour[placeOf(letters)] as number);
      if (length <= 4) {
        if (length === 4) families |= startFour[placeOf(letters)] as number;
        else if (length === 3) families |= startThree[letters & 0x7fff] as number;
        else if (length === 2) families |= startTwo[letters & 0x3ff] as number;
      }
      continue;
    }
    letters = 0;
    length = 0;
    if (kind <= underscoreKind) {
      run += 1;
      if (kind === digitKind) {
        digits += 1;
        inRun |= digitBit;
      } else {
        inRun |= joinBit;
        signs |= signOf[kind] as number;
      }
      continue;
    }
    if (run > longestRun) longestRun = run;
    if (run > longestMixedRun && isMixed(inRun)) longestMixedRun = run;
    run = 0;
    inRun = 0;
    signs |= signOf[kind] as number;
    if (kind === wideKind) families |= wideFamilies;
  }
  if (run > longestRun) longestRun = run;
  if (run > longestMixedRun && isMixed(inRun)) longestMixedRun = run;
  return { signs, families, digits, longestRun, longestMixedRun };
}

const upperBit = 1;
const lowerBit = 2;
const digitBit = 4;
const joinBit = 8;

function isMixed(inRun: number): boolean {
  const letterBits = upperBit | lowerBit;
  return (inRun & digitBit) !== 0 || (inRun & (letterBits | joinBit)) === (letterBits | joinBit);
}

const letterMax = 26;
const digitKind = 27;
const dashKind = 28;
const underscoreKind = 29;
const wideKind = 30;
const firstSignKind = 31;

/**
 * Kind of each ASCII character: 1 to 26 a letter, whatever its case, then digits, "-", "_", and the other
 * signs.
 */
const kinds = new Uint8Array(128).fill(firstSignKind);
/** The bit of `sign` for a kind; 0 for signs that no search asks for. */
const signOf = new Int32Array(128);
const wideFamilies = family.name | family.said;

const signCharacters: ReadonlyArray<readonly [string, number]> = [
  ['@', sign.at],
  ['=', sign.equals],
  [':', sign.colon],
  ['>', sign.greater],
  ['<', sign.less],
  [',', sign.comma],
  ['%', sign.percent],
  ['\\', sign.backslash],
  ['/', sign.slash],
  ['?', sign.question],
  ['&', sign.ampersand],
  ['#', sign.hash],
  ['(', sign.paren],
  ['"\'`', sign.quote],
  ['|', sign.pipe],
  ['$', sign.dollar],
  [' ', sign.space],
  ['\n\r', sign.line],
  ['\t', sign.tab],
  [';', sign.semicolon],
  ['\u001b', sign.escape],
];

for (let letter = 1; letter <= letterMax; letter += 1) {
  kinds[96 + letter] = letter;
  kinds[64 + letter] = letter;
}
for (let digit = 48; digit <= 57; digit += 1) kinds[digit] = digitKind;
kinds[45] = dashKind;
signOf[dashKind] = sign.dash;
kinds[95] = underscoreKind;
signOf[wideKind] = sign.wide;
for (const [index, [characters, bit]] of signCharacters.entries()) {
  for (const character of characters) kinds[character.charCodeAt(0)] = firstSignKind + 1 + index;
  signOf[firstSignKind + 1 + index] = bit;
}

/**
 * For the first letters of a word, or for letters in a row anywhere, the families with a word that has them.
 */
const startTwo = new Uint8Array(1 << 10);
const startThree = new Uint8Array(1 << 15);
const startFour = new Uint8Array(1 << 13);
const anywhereThree = new Uint8Array(1 << 15);
const anywhereFour = new Uint8Array(1 << 13);
/** Said of the last three letters of four: `anywhereFour` is asked only there. */
const fourBit = 128;

/** Four letters in thirteen bits: now and then two share a place, and a search runs in vain. */
function placeOf(letters: number): number {
  return (letters ^ (letters >>> 7)) & 0x1fff;
}

/**
 * Says that a family has these words: `start` where a word of the text or of a name in camel case begins so,
 * `anywhere` also inside of words. Four letters are looked at, or all of a shorter word. Letters other than a
 * to z are found by `sign.wide`.
 */
export function announceWords(bit: number, where: 'start' | 'anywhere', words: readonly string[]): void {
  for (const word of words) {
    const beginning = /^[a-z]{2,4}/.exec(word.toLowerCase())?.[0] ?? '';
    const place = [...beginning].reduce((sum, letter) => (sum << 5) | (letter.charCodeAt(0) - 96), 0);
    const add = (table: Uint8Array, at: number): void => {
      table[at] = (table[at] ?? 0) | bit;
    };
    if (beginning.length === 4 && where === 'start') {
      add(startFour, placeOf(place));
    } else if (beginning.length === 4) {
      add(anywhereFour, placeOf(place));
      anywhereThree[place & 0x7fff] = (anywhereThree[place & 0x7fff] ?? 0) | fourBit;
    }
    if (beginning.length === 3) add(where === 'start' ? startThree : anywhereThree, place);
    else if (beginning.length === 2) add(startTwo, place);
  }
}
