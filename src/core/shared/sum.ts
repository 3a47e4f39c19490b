// A sum that is added to and taken from: of this thread alone, or of threads together.

export interface Sum {
  /** Adds, and answers the sum with it. */
  add(amount: number): number;
  value(): number;
}

export function localSum(): Sum {
  let sum = 0;
  return {
    add(amount) {
      sum += amount;
      return sum;
    },
    value: () => sum,
  };
}

/** A sum below 2^31 in one word of shared memory. */
export function sharedSum(words: Int32Array<SharedArrayBuffer>, at = 0): Sum {
  return {
    add: (amount) => Atomics.add(words, at, amount) + amount,
    value: () => Atomics.load(words, at),
  };
}
