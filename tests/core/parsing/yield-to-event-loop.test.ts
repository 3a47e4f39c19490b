import { describe, expect, it } from '@jest/globals';
import { createYielder } from '../../../src/core/parsing/yield-to-event-loop.ts';

/** Milliseconds that pass only where a step takes them. */
function clockOfSteps(): { now: () => number; pass: (milliseconds: number) => void } {
  let atMs = 0;
  return {
    now: () => atMs,
    pass(milliseconds) {
      atMs += milliseconds;
    },
  };
}

/** Counts turns of the event loop for as long as they are asked for. */
function turnCounter(): { turn: () => number; stop: () => void } {
  let turn = 0;
  let isOn = true;
  const count = (): void => {
    turn += 1;
    if (isOn) setImmediate(count);
  };
  setImmediate(count);
  return {
    turn: () => turn,
    stop() {
      isOn = false;
    },
  };
}

describe('yielding in long work', () => {
  it('does not yield while there is time left', async () => {
    const clock = clockOfSteps();
    const turns = turnCounter();
    const pace = createYielder(5, clock.now);
    for (let step = 0; step < 4; step += 1) {
      await pace();
      clock.pass(1);
    }
    turns.stop();
    expect(turns.turn()).toBe(0);
  });

  it('parallel parts share the time of one tick, and continue in order of their calls', async () => {
    const clock = clockOfSteps();
    const turns = turnCounter();
    const pace = createYielder(5, clock.now);
    clock.pass(5);
    const steps: Array<{ readonly part: number; readonly turn: number }> = [];
    const part = async (number: number): Promise<void> => {
      await pace();
      steps.push({ part: number, turn: turns.turn() });
      clock.pass(3);
    };
    await Promise.all([0, 1, 2, 3, 4, 5].map(part));
    turns.stop();
    expect(steps.map((step) => step.part)).toEqual([0, 1, 2, 3, 4, 5]);
    // Two parts of 3 ms use up the 5 ms of a turn.
    const perTurn = Map.groupBy(steps, (step) => step.turn);
    expect([...perTurn.values()].map((each) => each.length)).toEqual([2, 2, 2]);
  });
});
