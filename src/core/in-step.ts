// Micro-batches: requests of one tick of the event loop run stage by stage together. The code of a stage then
// stays in the CPU cache, which saved most of the time of small events.

/** Returns a function that collects its arguments and calls `begin` for each at the end of the tick. */
export function inStep<T>(begin: (one: T) => void): (one: T) => void {
  let waiting: T[] = [];
  const open = (): void => {
    const all = waiting;
    waiting = [];
    for (const one of all) begin(one);
  };
  return (one) => {
    if (waiting.push(one) === 1) setImmediate(open);
  };
}

/** Result of trying to offload a waiting item. */
export type Elsewhere = 'gone' | 'not now' | 'never';

interface Waiting {
  readonly weight: number;
  readonly pass: () => void;
  elsewhere: (() => Elsewhere) | undefined;
}

export interface Gate {
  /**
   * Resolves when the batch starts. Adding an item that can be offloaded tries to offload the first such one:
   * `gone` removes that from the queue, `not now` stops the search.
   */
  pass(weight: number, elsewhere?: () => Elsewhere): Promise<void>;
  readonly waiting: number;
}

/** Releases, once per tick and in order, items of at most `turnWeightMax` in total, but at least one. */
export function createGate(turnWeightMax: number): Gate {
  let waiting: Waiting[] = [];
  let waitingWeight = 0;
  let isOpening = false;
  function turn(): void {
    const passing = thoseWithin(waiting, turnWeightMax);
    waiting = waiting.slice(passing.length);
    isOpening = waiting.length > 0;
    if (isOpening) setImmediate(turn);
    for (const { weight, pass } of passing) {
      waitingWeight -= weight;
      pass();
    }
  }
  function sendElsewhere(): void {
    for (const one of waiting) {
      const said = one.elsewhere?.() ?? 'never';
      if (said === 'not now') return;
      one.elsewhere = undefined;
      if (said === 'never') continue;
      waiting = waiting.filter((other) => other !== one);
      waitingWeight -= one.weight;
      one.pass();
      return;
    }
  }
  return {
    pass: (weight, elsewhere) =>
      new Promise((pass) => {
        waiting.push({ weight, pass, elsewhere });
        waitingWeight += weight;
        if (elsewhere !== undefined) sendElsewhere();
        if (!isOpening) setImmediate(turn);
        isOpening = true;
      }),
    get waiting() {
      return waitingWeight;
    },
  };
}

function thoseWithin(waiting: readonly Waiting[], weightMax: number): readonly Waiting[] {
  let weight = 0;
  const end = waiting.findIndex((one, index) => {
    weight += one.weight;
    return index > 0 && weight > weightMax;
  });
  return end === -1 ? waiting : waiting.slice(0, end);
}
