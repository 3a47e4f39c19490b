// One look at a text before any search: which signs stand in it, and which beginnings of telling words. What is not there
// cannot be found, so most text of an event is never searched at all. No rule about secrets lives here.

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
export const family = { name: 1, link: 2, command: 4, call: 8, said: 16 } as const;

export interface Look {
  /** Bits of `sign`. */
  readonly signs: number;
  /** Bits of `family`: a word of it may be there. */
  readonly families: number;
  /** How many digits there are. */
  readonly digits: number;
  /** The longest run of letters, digits, "_" and "-", in characters. */
  readonly longestRun: number;
}

/** Reads each character once. */
export function lookAt(text: string): Look {
  let signs = 0;
  let families = 0;
  let digits = 0;
  let run = 0;
  let longestRun = 0;
  let three = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (kinds[code] ?? 0) : wideKind;
    if (kind <= letterMax) {
      // A letter: its number, 1 to 26.
      three = ((three << 5) | kind) & 0x7fff;
      families |= familiesOf[three] ?? 0;
      run += 1;
    } else if (kind <= digitKind) {
      digits += 1;
      run += 1;
      three = 0;
    } else {
      if (kind === dashKind || kind === underscoreKind) run += 1;
      else {
        if (run > longestRun) longestRun = run;
        run = 0;
      }
      three = 0;
      signs |= signOf[kind] ?? 0;
      if (kind === wideKind) families |= wideFamilies;
    }
  }
  return { signs, families, digits, longestRun: Math.max(run, longestRun) };
}

const letterMax = 26;
const digitKind = 27;
const dashKind = 28;
const underscoreKind = 29;
const wideKind = 30;
const firstSignKind = 31;

/** Kind of each ASCII character: 1 to 26 a letter, whatever its case, then digits, "-", "_", and the other signs. */
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

/** For each three letters in a row, the families with a word that begins so. */
const familiesOf = new Uint8Array(1 << 15);

/**
 * Says that words of a family begin so: by their first three letters, or by two where a word has no more. Words in other
 * letters than a to z are found by `sign.wide` alone.
 */
export function announceWords(bit: number, words: readonly string[]): void {
  for (const word of words) {
    const beginning = /^[a-z]{2,3}/.exec(word.toLowerCase())?.[0] ?? '';
    if (beginning === '') continue;
    const letters = [...beginning].map((letter) => letter.charCodeAt(0) - 96);
    const end = letters.reduce((sum, letter) => (sum << 5) | letter, 0);
    // Two letters end a word of two as well as one that goes on: any letter, or none, may stand before them.
    for (let before = 0; before < (letters.length < 3 ? 32 : 1); before += 1) {
      const place = (before << 10) | end;
      familiesOf[place] = (familiesOf[place] ?? 0) | bit;
    }
  }
}
