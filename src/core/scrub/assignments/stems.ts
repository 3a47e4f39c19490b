// Where in a text a name of a secret may stand: the beginnings of its words, in the letters of English and of
// all languages. Whether it is one is judged by its whole name.
import { foreignStems, joinedStems, lonelyStems } from '../kinds/key-words.ts';
import type { ExtraFields } from '../kinds/names.ts';

/** A stem that was found: its first character, and the place behind its last one. */
interface Stem {
  readonly start: number;
  readonly end: number;
}

/** The first stem in a text from a place on; null where none follows. */
type StemFinder = (text: string, from: number) => Stem | null;

/** The finder for the names of a project, and for a text that may hold names in other letters. */
export function stemFinderOf(extra: ExtraFields, isForeign: boolean): StemFinder {
  if (extra.pattern === '') return isForeign ? foreignFinder() : findPlain;
  const known = findersWithExtra.get(extra) ?? finderOf(`${extra.pattern}|${allStems}`);
  findersWithExtra.set(extra, known);
  return known;
}

const plainStems = [...joinedStems, ...lonelyStems];
const allStems = [...plainStems, ...foreignStems].join('|');
const findAll = finderOf(allStems);
const findOnlyForeign = finderOf(foreignStems.join('|'));
const findersWithExtra = new WeakMap<ExtraFields, StemFinder>();
/** A pattern without regard to case takes these for "s" and "k". */
const unusualLetters = /[\u017f\u212a]/;

function finderOf(source: string): StemFinder {
  const pattern = new RegExp(source, 'giu');
  return (text, from) => {
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    return match === null ? null : { start: match.index, end: pattern.lastIndex };
  };
}

/**
 * A finder for one text: what `findAll` finds, but the stems in other letters, of which there are few, are
 * looked for by themselves, and each once.
 */
function foreignFinder(): StemFinder {
  let find: StemFinder | null = null;
  let next: Stem | null = null;
  let isBegun = false;
  const findBoth: StemFinder = (text, from) => {
    if (!isBegun || (next !== null && next.start < from)) {
      next = findOnlyForeign(text, from);
      isBegun = true;
    }
    const plain = findPlain(text, from);
    return plain === null || (next !== null && next.start < plain.start) ? next : plain;
  };
  return (text, from) => {
    find ??= unusualLetters.test(text) ? findAll : findBoth;
    return find(text, from);
  };
}

/** The stems that begin with two letters, in the order of the lists, as codes; by both letters. */
const stemsByLetters: Array<number[][] | undefined> = Array.from({ length: 1 << 10 });
for (const stem of plainStems) {
  const codes = [...stem].map((letter) => letter.charCodeAt(0));
  const place = placeOf(codes[0] as number, codes[1] as number);
  stemsByLetters[place] = [...(stemsByLetters[place] ?? []), codes];
}

function placeOf(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31);
}

/** 1 for a letter that a stem begins with, large or small. */
const beginsStem = new Uint8Array(128);
for (const stem of plainStems) {
  beginsStem[stem.charCodeAt(0)] = 1;
  beginsStem[stem.charCodeAt(0) & ~32] = 1;
}

/** A pattern of all stems takes five times as long, and most text holds none. */
function findPlain(text: string, from: number): Stem | null {
  for (let at = from; at < text.length - 1; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 127 || beginsStem[code] !== 1) continue;
    const stems = stemsByLetters[placeOf(code, text.charCodeAt(at + 1))];
    if (stems === undefined) continue;
    for (const stem of stems) if (standsAt(text, at, stem)) return { start: at, end: at + stem.length };
  }
  return null;
}

/** Whether the letters stand there, large or small. */
function standsAt(text: string, at: number, stem: readonly number[]): boolean {
  for (let index = 1; index < stem.length; index += 1) {
    const code = text.charCodeAt(at + index);
    if (code !== stem[index] && code + 32 !== stem[index]) return false;
  }
  return true;
}
