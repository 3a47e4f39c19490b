// Names as two numbers, by which tables in shared memory know them: 64 bits that depend on a seed of the
// process, so that nobody outside can choose two names that are one.

export interface NameHash {
  readonly high: number;
  readonly low: number;
}

/** A hash over two seeds of 32 bits each. Never zero in both halves: that is an empty place. */
export function hashName(name: string, seeds: Uint32Array): NameHash {
  let high = seeds[0] ?? 0;
  let low = seeds[1] ?? 0;
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    high = Math.imul(high ^ code, 0x85ebca6b);
    low = Math.imul(low ^ code, 0xc2b2ae35);
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  high = Math.imul(high ^ (low >>> 16), 0x9e3779b1);
  low = Math.imul(low ^ (high >>> 13), 0x27d4eb2f) ^ name.length;
  return { high: (high ^ (high >>> 16)) >>> 0, low: (low ^ (low >>> 15)) >>> 0 || 1 };
}
