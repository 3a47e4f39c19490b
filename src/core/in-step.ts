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

/** Milliseconds for a unit of weight until it is known: those of code that V8 has only just read. */
const firstRate = 0.0003;
/** How fast a rate that was too high is forgotten. */
const forgottenShare = 0.25;
/** By how much a rate that was too low grows at once: the machine may only have been elsewhere. */
const growthMax = 4;
/** So much goes on in step: enough to be worth it, and little where more time is taken than foretold. */
const stepMsMax = 2.5;

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
   * Resolves when it is one's turn to go on. `weight` says how much there is to do, in any one unit. Each
   * time that one comes who can go on `elsewhere`, the first of those who can is asked to; once it has `gone`
   * it goes on at once, and weighs nothing here.
   */
  pass(weight: number, elsewhere?: () => Elsewhere): Promise<void>;
  /** What those weigh together who wait now. */
  readonly waiting: number;
}

/**
 * Makes a gate: whoever awaits it goes on at the end of the turn of the loop, in step with others who wait.
 * As many are let through as take `turnMsMax` milliseconds, the others in the next turn, in their order. How
 * long they take is measured up to where each waits for something, and foretold by what the weight of those
 * before took.
 */
export function createGate(turnMsMax: number, clockMs: () => number = () => performance.now()): Gate {
  let waiting: Waiting[] = [];
  let waitingWeight = 0;
  let isOpening = false;
  let rate = firstRate;
  let turnBeganMs = 0;
  function turn(): void {
    turnBeganMs = clockMs();
    isOpening = waiting.length > 0;
    if (isOpening) step(turnBeganMs);
  }
  function step(beganMs: number): void {
    const leftMs = Math.min(stepMsMax, turnMsMax - (beganMs - turnBeganMs));
    const passing = thoseWithin(waiting, leftMs / rate);
    const weight = weightOf(passing);
    waiting = waiting.slice(passing.length);
    waitingWeight -= weight;
    for (const { pass } of passing) pass();
    whenDone(() => {
      const nowMs = clockMs();
      const took = (nowMs - beganMs) / weight;
      rate = took > rate ? Math.min(took, rate * growthMax) : rate + (took - rate) * forgottenShare;
      const [next] = waiting;
      isOpening = next !== undefined;
      if (next === undefined) return;
      if (nowMs - turnBeganMs + next.weight * rate <= turnMsMax) step(nowMs);
      else setImmediate(turn);
    });
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

function weightOf(waiting: readonly Waiting[]): number {
  return waiting.reduce((sum, { weight }) => sum + weight, 0);
}

/** A tick that is asked for by a microtask comes when all microtasks are done. */
function whenDone(then: () => void): void {
  queueMicrotask(() => process.nextTick(then));
}
