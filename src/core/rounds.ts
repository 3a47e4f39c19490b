// Work beside whoever is served: rounds, one after another, and the jobs that they leave under way.
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a stop waits for what is under way. */
const stopMs = 2_000;

export interface Rounds {
  /** A round now, or what is left of the one under way; resolves when its jobs are over too. */
  look(): Promise<void>;
  /** Ends them; resolves when nothing is under way, or nothing is waited for any longer. */
  stop(): Promise<void>;
}

/** What a round sees of those before it. */
interface RoundState {
  readonly stopped: boolean;
  /** Jobs under way. */
  readonly running: number;
  /** Leaves a job under way, which the next rounds do not wait for. */
  leave(job: Promise<unknown>): void;
  /** Takes a failure; says it once, in the log, unless all is ending anyway. */
  tell(error: unknown): void;
}

export interface RoundPlan {
  /** Milliseconds from one round to the next; one that takes longer is waited for. */
  readonly everyMs: number;
  round(state: RoundState): Promise<void>;
  /** Brings home what jobs found that no round came for. */
  gather?(): Promise<void>;
  /** Writes down that something failed. */
  readonly warn: (error: unknown) => void;
}

/** Starts them. A round that fails is told of, and is no reason against the next one. */
export function startRounds({ everyMs, round, gather = async () => {}, warn }: RoundPlan): Rounds {
  const underWay = new Set<Promise<unknown>>();
  let looking: Promise<void> | null = null;
  let stopped = false;
  const tell = (error: unknown): void => {
    if (!stopped) warn(error);
  };
  const state: RoundState = {
    get stopped() {
      return stopped;
    },
    get running() {
      return underWay.size;
    },
    leave(job) {
      const told: Promise<unknown> = job.catch(tell).finally(() => underWay.delete(told));
      underWay.add(told);
    },
    tell,
  };
  const look = (): Promise<void> => {
    looking ??= round(state)
      .catch(tell)
      .finally(() => {
        looking = null;
      });
    return looking;
  };
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return {
    async look() {
      await look();
      await Promise.all(underWay);
      await gather();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await looking;
      await Promise.race([Promise.all(underWay), sleep(stopMs, undefined, { ref: false })]);
      await gather().catch(() => {});
    },
  };
}
