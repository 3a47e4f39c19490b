// Counts outcomes in memory and writes sums once a second. Call `flush` before reading.

import type { Deps } from '../deps.ts';
import { startOfHour } from '../parsing/durations.ts';
import type { OutcomeCounter } from '../ports/outcome-counter.ts';
import type { Outcome } from '../store/outcomes.ts';

/** Limit on distinct rows, as clients can invent reasons. */
const linesMax = 2_000;
/** Limit on queued writes while the database hangs. */
const writesMax = 4;

export function createOutcomeCounter(deps: Pick<Deps, 'store' | 'log'>, everyMs = 1_000): OutcomeCounter {
  let waiting = new Map<string, Outcome>();
  let writing: Promise<void> = Promise.resolve();
  let writes = 0;
  /** New rows beyond the limit are dropped, so that memory does not grow while nothing can be written. */
  const add = (outcome: Outcome): void => {
    const hour = startOfHour(outcome.atMs);
    const name = [outcome.projectId, hour, outcome.outcome, outcome.reason, outcome.category].join('\u0000');
    const before = waiting.get(name);
    if (before === undefined && waiting.size >= linesMax) return;
    waiting.set(name, { ...outcome, quantity: outcome.quantity + (before?.quantity ?? 0) });
  };
  const flush = (): Promise<void> => {
    const lines = [...waiting.values()];
    if (lines.length === 0) return writing;
    waiting = new Map();
    writes += 1;
    writing = writing
      .then(() => deps.store.addOutcomes(lines))
      .catch((error: unknown) => {
        deps.log.warn({ error: String(error), lines: lines.length }, 'outcomes could not be stored yet');
        for (const line of lines) add(line);
      })
      .finally(() => {
        writes -= 1;
      });
    return writing;
  };
  const timer = setInterval(() => writes < writesMax && void flush(), everyMs);
  timer.unref();
  return {
    count(outcome) {
      if (waiting.size >= linesMax && writes < writesMax) void flush();
      add(outcome);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
