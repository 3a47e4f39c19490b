// Requests of one tick run stage by stage: a stage's code stays in the CPU cache, most of the time of small events.

/** Returns a function that collects its arguments and calls `start` for each at the end of the tick. */
export function batchPerTick<T>(start: (one: T) => void): (one: T) => void {
  let waiting: T[] = [];
  const open = (): void => {
    const all = waiting;
    waiting = [];
    for (const one of all) start(one);
  };
  return (one) => {
    if (waiting.push(one) === 1) setImmediate(open);
  };
}

export type OffloadResult = 'gone' | 'not now' | 'never';

interface QueuedItem {
  readonly weight: number;
  readonly pass: () => void;
  elsewhere: (() => OffloadResult) | undefined;
}

/** Releases, once per tick and in order, items of at most `batchWeightMax` in total, but at least one. */
export function createBatchQueue(batchWeightMax: number) {
  let waiting: QueuedItem[] = [];
  let waitingWeight = 0;
  let isReleaseScheduled = false;
  function releaseBatch(): void {
    const passing = takeWithinWeight(waiting, batchWeightMax);
    waiting = waiting.slice(passing.length);
    isReleaseScheduled = waiting.length > 0;
    if (isReleaseScheduled) setImmediate(releaseBatch);
    for (const { weight, pass } of passing) {
      waitingWeight -= weight;
      pass();
    }
  }
  function offloadFirst(): void {
    for (const one of waiting) {
      const offloaded = one.elsewhere?.() ?? 'never';
      if (offloaded === 'not now') return;
      one.elsewhere = undefined;
      if (offloaded === 'never') continue;
      waiting = waiting.filter((other) => other !== one);
      waitingWeight -= one.weight;
      one.pass();
      return;
    }
  }
  return {
    /** Resolves when the batch starts. Adding an item that can be offloaded tries to offload the first such one: `gone`
     * removes that from the queue, `not now` stops the search. */
    pass: (weight: number, elsewhere?: () => OffloadResult) =>
      new Promise<void>((pass) => {
        waiting.push({ weight, pass, elsewhere });
        waitingWeight += weight;
        if (elsewhere !== undefined) offloadFirst();
        if (!isReleaseScheduled) setImmediate(releaseBatch);
        isReleaseScheduled = true;
      }),
    get waiting() {
      return waitingWeight;
    },
  };
}

function takeWithinWeight(waiting: readonly QueuedItem[], weightMax: number): readonly QueuedItem[] {
  let weight = 0;
  const end = waiting.findIndex((one, index) => {
    weight += one.weight;
    return index > 0 && weight > weightMax;
  });
  return end === -1 ? waiting : waiting.slice(0, end);
}
