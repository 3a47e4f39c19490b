// Chance that falls the same way for the same words: what the demo is made of. No clock, no generator that
// remembers; a value depends on nothing but the words that name it.

/** A part of a name: an entity, a bucket, a number. */
type Word = string | number;

/** 32 bits from some words. */
export function hashOf(...words: readonly Word[]): number {
  let hash = 0x811c9dc5;
  const text = words.join('\u001f');
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  // FNV leaves the low bits of short texts alike: the last mixing of Murmur spreads them.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** From 0 up to, not including, 1. */
export function chance(...words: readonly Word[]): number {
  return hashOf(...words) / 2 ** 32;
}

/** A whole number from `least` to `most`, both included. */
export function between(least: number, most: number, ...words: readonly Word[]): number {
  return least + Math.floor(chance(...words) * (most - least + 1));
}

/** One of a list that is not empty. */
export function pick<T>(list: readonly T[], ...words: readonly Word[]): T {
  return list[hashOf(...words) % list.length] as T;
}

/** Around 0 with a spread of 1, as heights and errors of measurement are: three throws, added. */
export function spread(...words: readonly Word[]): number {
  return (chance(...words, 1) + chance(...words, 2) + chance(...words, 3) - 1.5) * 2;
}

/** So many hexadecimal digits. */
export function hex(digits: number, ...words: readonly Word[]): string {
  let text = '';
  for (let part = 0; text.length < digits; part += 1) {
    text += hashOf(...words, 'hex', part)
      .toString(16)
      .padStart(8, '0');
  }
  return text.slice(0, digits);
}
