// Chance that always falls the same way: the same seed and the same order of asking give the same answers.
// Nothing here knows what is thrown for.
import { createHash } from 'node:crypto';

export interface Dice {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** True in so many of 100 throws. */
  percent(share: number): boolean;
  bytes(count: number): Buffer;
  /** So many hexadecimal digits. */
  hex(digits: number): string;
}

/** Dice of their own for whatever `seed` names, so that one part that asks more often shifts no other. */
export function createDice(seed: string): Dice {
  const next = sfc32(seed);
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => between(0, 255)));
  return {
    next,
    between,
    pick: (list) => list[between(0, list.length - 1)] as (typeof list)[number],
    percent: (share) => next() * 100 < share,
    bytes,
    hex: (digits) =>
      bytes(Math.ceil(digits / 2))
        .toString('hex')
        .slice(0, digits),
  };
}

/** Doty-Humphrey's Small Fast Counting generator, begun with the SHA-256 of a text. */
function sfc32(seed: string): () => number {
  const digest = createHash('sha256').update(seed).digest();
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => digest.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  return () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}
