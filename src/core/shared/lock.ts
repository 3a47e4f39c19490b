// Locks in memory that threads share: one for steps that are over in a microsecond, one for work that takes
// its time. Whoever holds one is never ended by us without the whole process.

const free = 0;
const taken = 1;
const awaited = 2;

/** Nobody holds a lock for a step this long: its thread is gone, and the process about to follow. */
const abandonedMs = 1_000;
/** Before a thread lies down: a step is over by then, unless its thread was put aside. */
const spinsMax = 200;

/** Runs `step`, which neither waits nor throws, while no other thread runs one under the same word. */
export function withLock<T>(words: Int32Array<SharedArrayBuffer>, at: number, step: () => T): T {
  hold(words, at);
  try {
    return step();
  } finally {
    if (Atomics.exchange(words, at, free) === awaited) Atomics.notify(words, at, 1);
  }
}

function hold(words: Int32Array<SharedArrayBuffer>, at: number): void {
  for (let spins = 0; spins < spinsMax; spins += 1) {
    if (Atomics.compareExchange(words, at, free, taken) === free) return;
  }
  const sinceMs = performance.now();
  while (Atomics.exchange(words, at, awaited) !== free) {
    if (performance.now() - sinceMs > abandonedMs) return;
    Atomics.wait(words, at, awaited, abandonedMs);
  }
}

/** Whose turn it is, among threads of which one works at a time. */
export interface SharedTurn {
  /** Takes the turn: null where it was free, else what resolves once it is ours. */
  take(): Promise<void> | null;
  /** Gives it back. */
  leave(): void;
}

/** From then on who comes anew lets one that waits go first. */
const patienceMs = 50;

/**
 * A turn over two words: who has it, and how many have waited for long. Whoever comes when it is free takes
 * it, so that nobody stands idle until a busy thread wakes up; one that was passed over for long goes first.
 */
export function sharedTurn(words: Int32Array<SharedArrayBuffer>, at: number): SharedTurn {
  const tired = at + 1;
  const isMine = (): boolean => Atomics.compareExchange(words, at, free, taken) === free;
  async function wait(): Promise<void> {
    const sinceMs = performance.now();
    let isTired = false;
    // A wait alone keeps no thread alive, and somebody relies on this one.
    const alive = setInterval(() => {}, 60_000);
    try {
      while (!((isTired || Atomics.load(words, tired) === 0) && isMine())) {
        const seen = Atomics.load(words, at);
        const before = Atomics.load(words, tired);
        if (seen !== free) await Atomics.waitAsync(words, at, seen, patienceMs).value;
        // Free, and left to one who has waited longer.
        else if (before > 0) await Atomics.waitAsync(words, tired, before, patienceMs).value;
        if (!isTired && performance.now() - sinceMs > patienceMs) {
          isTired = true;
          Atomics.add(words, tired, 1);
        }
      }
    } finally {
      clearInterval(alive);
      if (isTired) {
        Atomics.sub(words, tired, 1);
        Atomics.notify(words, tired);
      }
    }
  }
  return {
    take: () => (Atomics.load(words, tired) === 0 && isMine() ? null : wait()),
    leave() {
      Atomics.store(words, at, free);
      Atomics.notify(words, at);
    },
  };
}
