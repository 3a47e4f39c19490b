// One scan finds which rules can match. Texts without secrets are cached: events repeat most of their texts.
import { copyText } from '../../parsing/memo-cache.ts';

/** Word families; a rule runs only where a word of its family may occur. */
export const wordFamilies = { name: 1, link: 2, command: 4, call: 8, said: 16, scheme: 32 } as const;

export interface CharacterScan {
  readonly signs: number;
  readonly families: number;
  readonly digits: number;
  /** Of letters, digits, "_" and "-", in characters. */
  readonly longestRun: number;
  /** Of runs with digits, or with both cases and signs. */
  readonly longestMixedRun: number;
}

const digitKind = 27;
const firstSign = 28;
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

export function signsOf(characters: string): number {
  return [...characters].reduce((bits, each) => bits | (1 << (kindOf(each.charCodeAt(0)) - firstSign)), 0);
}

/** 1 to 26 for letters of either case, then digits and signs. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/i.test(character)) return code & 31;
  if (/\d/.test(character)) return digitKind;
  const index = signs.findIndex((each) => each.includes(character));
  return firstSign + (index === -1 ? signs.length : index);
});

function kindOf(code: number): number {
  return code < 128 ? (kinds[code] as number) : wideKind;
}

/** Names in other alphabets. */
const wideFamilies = wordFamilies.name | wordFamilies.said;
const runBit = { upper: 1, lower: 2, digit: 4, join: 8 } as const;

export function scanCharacters(text: string): CharacterScan {
  let seen = 0;
  let families = 0;
  let digits = 0;
  let run = 0;
  let inRun = 0;
  let longestRun = 0;
  let longestMixedRun = 0;
  // The last letters as 5-bit numbers.
  let letters = 0;
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (kinds[code] as number) : wideKind;
    if (kind < digitKind) {
      if (code < 97) {
        // A capital after a small letter begins a word.
        if ((inRun & runBit.lower) !== 0 && length > 0 && (text.charCodeAt(at - 1) & 32) !== 0) length = 0;
        inRun |= runBit.upper;
      } else {
        inRun |= runBit.lower;
      }
      length += 1;
      run += 1;
      letters = ((letters << 5) | kind) & 0xfffff;
      const found = anywhere[letters & 0x7fff] as number;
      if (found !== 0) families |= (found | (anywhere[tableIndex(letters)] as number)) & ~fourBit;
      if (length <= 4) families |= starts[tableIndex(letters & ((1 << (5 * length)) - 1))] as number;
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

/** Families by letters at the start of a word, or anywhere. */
const starts = new Uint8Array(1 << 16);
const anywhere = new Uint8Array(1 << 16);
/** Marks the last three letters of a four-letter entry: only then the table of four is read. */
const fourBit = 128;

/** Exact for two and three letters. Four letters may collide, which only costs a search. */
function tableIndex(letters: number): number {
  return letters < 0x8000 ? letters : 0x8000 | ((letters ^ (letters >>> 7)) & 0x7fff);
}

/** `anywhere`: also inside a word. Only the first four letters count. */
export function registerWords(bit: number, position: 'start' | 'anywhere', words: readonly string[]): void {
  const table = position === 'start' ? starts : anywhere;
  const add = (index: number, bits: number): void => {
    table[index] = (table[index] ?? 0) | bits;
  };
  for (const word of words) {
    const beginning = /^[a-z]{2,4}/.exec(word.toLowerCase())?.[0] ?? '';
    const letters = [...beginning].reduce((sum, letter) => (sum << 5) | (letter.charCodeAt(0) & 31), 0);
    if (letters !== 0) add(tableIndex(letters), bit);
    if (position === 'anywhere' && beginning.length === 4) add(letters & 0x7fff, fourBit);
  }
}

export interface CleanTextCache {
  readonly texts: Array<string | undefined>;
  /** Last hash seen in each slot: a text is stored the second time it occurs. */
  readonly hashes: Int32Array;
  chars: number;
}

/** A power of two. */
const slots = 4096;
/** Shorter texts are searched as fast; longer ones would fill the cache. */
const charsMin = 12;
const charsMax = 4096;
/** For each kind; beyond it the cache is cleared. */
const charsOfAllMax = 524_288;

export function createCleanTextCache(): CleanTextCache {
  return { texts: Array.from({ length: slots }), hashes: new Int32Array(slots), chars: 0 };
}

/** Hash of the length, the last characters, where similar texts differ, and a sample; 0: not cached. */
export function hashOfText(text: string): number {
  const { length } = text;
  if (length < charsMin || length > charsMax) return 0;
  const step = length < 48 ? 1 : length >> 4;
  let hash = length;
  let at = length - 1;
  for (; at >= length - charsMin; at -= 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x5bd1e995);
  for (; at >= 0; at -= step) hash = Math.imul(hash ^ text.charCodeAt(at), 0x5bd1e995);
  return (hash ^ (hash >>> 15)) | 1;
}

export function isCachedClean(known: CleanTextCache, text: string, hash: number): boolean {
  return known.texts[slotOf(hash)] === text;
}

export function cacheClean(known: CleanTextCache, text: string, hash: number): void {
  const slot = slotOf(hash);
  if (known.hashes[slot] !== hash) {
    known.hashes[slot] = hash;
    return;
  }
  if (known.chars + text.length > charsOfAllMax) {
    known.texts.fill(undefined);
    known.chars = 0;
  }
  known.chars += text.length - (known.texts[slot]?.length ?? 0);
  // A copy, since a slice would keep the longer text in memory.
  known.texts[slot] = copyText(text);
}

function slotOf(hash: number): number {
  return (hash >>> 1) & (slots - 1);
}
