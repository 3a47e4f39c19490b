// Counts what became of what was sent, in memory, and writes the sums now and then: a flood of refusals must not
// become a flood of writes. Reading asks for a flush first, so that a reader sees everything.

import type { Deps } from './deps.ts';
import type { Outcome } from './outcomes.ts';

export interface OutcomeCounter {
  /** Adds to the counts; never waits and never throws. */
  count(outcome: Outcome): void;
  /** Writes what was counted since the last time. */
  flush(): Promise<void>;
  /** Flushes, and stops the clock. */
  close(): Promise<void>;
}

const hourMs = 3_600_000;
/** Distinct lines waiting; a client that invents reasons fills this and no more. */
const linesMax = 2_000;

/** A counter that writes to the store every `everyMs` milliseconds. */
export function createOutcomeCounter(deps: Pick<Deps, 'store' | 'log'>, everyMs = 1_000): OutcomeCounter {
  let waiting = new Map<string, Outcome>();
  let writing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    const lines = [...waiting.values()];
    if (lines.length === 0) return writing;
    waiting = new Map();
    writing = writing
      .then(() => deps.store.addOutcomes(lines))
      .catch((error: unknown) => {
        deps.log.error({ error: String(error), lines: lines.length }, 'outcomes could not be written');
      });
    return writing;
  };
  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();
  return {
    count(outcome) {
      const hour = Math.floor(outcome.atMs / hourMs);
      const name = [outcome.projectId, hour, outcome.outcome, outcome.reason, outcome.category].join(
        '\u0000',
      );
      const before = waiting.get(name);
      if (before === undefined && waiting.size >= linesMax) void flush();
      waiting.set(name, { ...outcome, quantity: outcome.quantity + (before?.quantity ?? 0) });
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
