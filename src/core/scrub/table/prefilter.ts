// What spares most searches. One look at a text finds out which signs and beginnings of words stand in it:
// what is not there cannot be found. Texts in which nothing was found are remembered: the names, lines and
// values of one event are mostly those of the event before. No rule about secrets lives here.
import { ownCopy } from '../../reading/remembered.ts';

/** Families of words; a rule is asked where a word of its family may stand. */
export const family = { name: 1, link: 2, command: 4, call: 8, said: 16, scheme: 32 } as const;

export interface Look {
  /** Bits of `signsOf`. */
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

const digitKind = 27;
const firstSign = 28;
/** Signs that a rule may need, with those that mean the same; first those of runs, then all not ASCII. */
const signs = [
  '-',
  '_',
  '\u0080',
  '@',
  '=',
  ':',
  '>',
  '<',
  ',',
  '%',
  '\\',
  '/',
  '&',
  '#',
  '(',
  '"\'`',
].concat(['|', '$', ' ', '\n\r', '\t', ';']);
const underscoreKind = 29;
const wideKind = 30;

/** The bits of these signs; any letter that is not ASCII stands for all of them. */
export function signsOf(characters: string): number {
  return [...characters].reduce((bits, each) => bits | (1 << (kindOf(each.charCodeAt(0)) - firstSign)), 0);
}

/** Of each ASCII character: 1 to 26 a letter, whatever its case, then digits and signs. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/i.test(character)) return code & 31;
  if (/\d/.test(character)) return digitKind;
  const place = signs.findIndex((each) => each.includes(character));
  return firstSign + (place === -1 ? signs.length : place);
});

function kindOf(code: number): number {
  return code < 128 ? (kinds[code] as number) : wideKind;
}

/** Letters in other alphabets may be of any name. */
const wideFamilies = family.name | family.said;
/** What stands in a run of letters, digits, "_" and "-". */
const runBit = { upper: 1, lower: 2, digit: 4, join: 8 } as const;

/** Reads each character once. */
export function lookAt(text: string): Look {
  let seen = 0;
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
    if (kind < digitKind) {
      if (code < 97) {
        // A capital behind a small letter begins a word.
        if ((inRun & runBit.lower) !== 0 && length > 0 && (text.charCodeAt(at - 1) & 32) !== 0) length = 0;
        inRun |= runBit.upper;
      } else {
        inRun |= runBit.lower;
      }
      length += 1;
      run += 1;
      letters = ((letters << 5) | kind) & 0xfffff;
      const found = anywhere[letters & 0x7fff] as number;
      if (found !== 0) families |= (found | (anywhere[placeOf(letters)] as number)) & ~fourBit;
      if (length <= 4) families |= starts[placeOf(letters & ((1 << (5 * length)) - 1))] as number;
      continue;
    }
    letters = 0;
    length = 0;
    if (kind === digitKind) digits += 1;
    else seen |= 1 << (kind - firstSign);
    if (kind <= underscoreKind) {
      run += 1;
      inRun |= kind === digitKind ? runBit.digit : runBit.join;
      continue;
    }
    if (run > longestRun) longestRun = run;
    if (run > longestMixedRun && isMixed(inRun)) longestMixedRun = run;
    run = 0;
    inRun = 0;
    if (kind === wideKind) families |= wideFamilies;
  }
  if (run > longestRun) longestRun = run;
  if (run > longestMixedRun && isMixed(inRun)) longestMixedRun = run;
  return { signs: seen, families, digits, longestRun, longestMixedRun };
}

function isMixed(inRun: number): boolean {
  return (inRun & runBit.digit) !== 0 || (inRun | runBit.digit) === 15;
}

/** The families with a word that has these letters first, or these letters in a row anywhere. */
const starts = new Uint8Array(1 << 16);
const anywhere = new Uint8Array(1 << 16);
/** Said of the last three letters of four: those of four are asked only there. */
const fourBit = 128;

/** Two and three letters have places of their own; four now and then share one, and a search runs in vain. */
function placeOf(letters: number): number {
  return letters < 0x8000 ? letters : 0x8000 | ((letters ^ (letters >>> 7)) & 0x7fff);
}

/**
 * Says that a family has these words: `start` where a word of the text or of a name in camel case begins so,
 * `anywhere` also inside of words. Four letters are looked at, or all of a shorter word. Letters other than a
 * to z are found by the sign for all of them.
 */
export function announceWords(bit: number, where: 'start' | 'anywhere', words: readonly string[]): void {
  const table = where === 'start' ? starts : anywhere;
  const add = (place: number, bits: number): void => {
    table[place] = (table[place] ?? 0) | bits;
  };
  for (const word of words) {
    const beginning = /^[a-z]{2,4}/.exec(word.toLowerCase())?.[0] ?? '';
    const letters = [...beginning].reduce((sum, letter) => (sum << 5) | (letter.charCodeAt(0) & 31), 0);
    if (letters !== 0) add(placeOf(letters), bit);
    if (where === 'anywhere' && beginning.length === 4) add(letters & 0x7fff, fourBit);
  }
}

/** Texts of one kind that are known to be clean. */
export interface CleanTexts {
  readonly texts: Array<string | undefined>;
  /** What was seen last at each place: a text is kept from its second time on. */
  readonly marks: Int32Array;
  chars: number;
}

/** A power of two. */
const places = 4096;
/** Shorter texts are searched as fast as they are found; longer ones would fill the room. */
const charsMin = 12;
const charsMax = 4096;
/** Of all texts of a kind together; past that all are forgotten. */
const charsOfAllMax = 524_288;

/** No texts yet. */
export function noCleanTexts(): CleanTexts {
  return { texts: Array.from({ length: places }), marks: new Int32Array(places), chars: 0 };
}

/**
 * The mark by which a text is found again: of its length, its last characters, where alike ones mostly
 * differ, and some of those before; 0 is not looked for.
 */
export function markOf(text: string): number {
  const { length } = text;
  if (length < charsMin || length > charsMax) return 0;
  const step = length < 48 ? 1 : length >> 4;
  let mark = length;
  let at = length - 1;
  for (; at >= length - charsMin; at -= 1) mark = Math.imul(mark ^ text.charCodeAt(at), 0x5bd1e995);
  for (; at >= 0; at -= step) mark = Math.imul(mark ^ text.charCodeAt(at), 0x5bd1e995);
  return (mark ^ (mark >>> 15)) | 1;
}

/** Whether nothing was found in this very text before. */
export function isKnownClean(known: CleanTexts, text: string, mark: number): boolean {
  return known.texts[cleanPlaceOf(mark)] === text;
}

/** Remembers a text in which nothing was found, unless it is the first time that one of this mark is seen. */
export function rememberClean(known: CleanTexts, text: string, mark: number): void {
  const place = cleanPlaceOf(mark);
  if (known.marks[place] !== mark) {
    known.marks[place] = mark;
    return;
  }
  if (known.chars + text.length > charsOfAllMax) {
    known.texts.fill(undefined);
    known.chars = 0;
  }
  known.chars += text.length - (known.texts[place]?.length ?? 0);
  // A copy: the text may be part of a long one, which would be kept with it.
  known.texts[place] = ownCopy(text);
}

function cleanPlaceOf(mark: number): number {
  return (mark >>> 1) & (places - 1);
}
