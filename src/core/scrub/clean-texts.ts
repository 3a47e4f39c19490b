// Texts in which no search found anything, remembered: the names, lines and values of one event are mostly
// those of the event before. What is forgotten is searched again, so nothing depends on what is known here.
import { ownCopy } from '../reading/remembered.ts';

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
  return known.texts[placeOf(mark)] === text;
}

/** Remembers a text in which nothing was found, unless it is the first time that one of this mark is seen. */
export function rememberClean(known: CleanTexts, text: string, mark: number): void {
  const place = placeOf(mark);
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

function placeOf(mark: number): number {
  return (mark >>> 1) & (places - 1);
}
