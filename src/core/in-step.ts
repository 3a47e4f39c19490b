// Work for many requests in step: what came in one turn of the event loop is begun together, so that each of
// its stages is done for all of them before the next one is begun for any. A stage's code is then in the
// processor's cache when it is needed; one request after the other each fetches the whole way of an event
// anew, which is most of what that cost (DECISIONS.md D-231).

/**
 * Makes of `begin` a function that is called for each of many: `begin` runs for all of one turn of the loop
 * at its end, in their order, and what it leaves to promises goes on in step.
 */
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

/** What one who waits says when it is asked to go on elsewhere. */
export type Elsewhere = 'gone' | 'not now' | 'never';

/** Who waits at a gate. */
interface Waiting {
  readonly weight: number;
  readonly pass: () => void;
  /** Absent where it never goes elsewhere. */
  elsewhere: (() => Elsewhere) | undefined;
}

export interface Gate {
  /**
   * Resolves when it is one's turn to go on. Each time that one comes who can go on `elsewhere`, the first of
   * those who can is asked to; once it has `gone` it goes on at once, and weighs nothing here.
   */
  pass(weight: number, elsewhere?: () => Elsewhere): Promise<void>;
  /** What those weigh together who wait now. */
  readonly waiting: number;
}

/**
 * Makes a gate: whoever awaits it goes on at the end of the turn of the loop, in step with others who wait.
 * As many are let through as weigh `turnWeightMax` together, one at least, the others in the next turn, in
 * their order.
 */
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

/** The first of them that weigh so much together, but one at least. */
function thoseWithin(waiting: readonly Waiting[], weightMax: number): readonly Waiting[] {
  let weight = 0;
  const end = waiting.findIndex((one, index) => {
    weight += one.weight;
    return index > 0 && weight > weightMax;
  });
  return end === -1 ? waiting : waiting.slice(0, end);
}
