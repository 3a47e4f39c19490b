import { createHash } from 'node:crypto';

export interface Random {
  /** 0 ≤ value < 1 */
  next(): number;
  between(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
  /** True with a probability of `share` percent. */
  percent(share: number): boolean;
  bytes(count: number): Buffer;
  hex(digits: number): string;
}

/** Deterministic. Each part has its own seed, so that a change in one part does not change the others. */
export function createRandom(seed: string): Random {
  const next = sfc32(seed);
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
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

/** Chris Doty-Humphrey's sfc32, seeded with the SHA-256 of a text. */
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
