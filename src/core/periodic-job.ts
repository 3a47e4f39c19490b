import { setTimeout as sleep } from 'node:timers/promises';

const stopMs = 2_000;

export interface PeriodicJob {
  look(): Promise<void>;
  /** Stops it; waits for the current run, and at most two seconds for background tasks. */
  stop(): Promise<void>;
}

interface PeriodicRun {
  readonly stopped: boolean;
  readonly running: number;
  /** Starts a background task that later runs do not wait for. */
  leave(job: Promise<unknown>): void;
  /** Logs an error, unless the job is stopping. */
  tell(error: unknown): void;
}

export interface PeriodicJobOptions {
  /** Interval in milliseconds; a longer run delays the next one. */
  readonly everyMs: number;
  round(state: PeriodicRun): Promise<void>;
  /** Collects results of background tasks, on `look` and on stop. */
  gather?(): Promise<void>;
  readonly warn: (error: unknown) => void;
}

/** Starts a job whose runs never overlap. A failed run is logged, and the next one runs as planned. */
export function startPeriodicJob({
  everyMs,
  round,
  gather = async () => {},
  warn,
}: PeriodicJobOptions): PeriodicJob {
  const underWay = new Set<Promise<unknown>>();
  let looking: Promise<void> | null = null;
  let stopped = false;
  const tell = (error: unknown): void => {
    if (!stopped) warn(error);
  };
  const state: PeriodicRun = {
    get stopped() {
      return stopped;
    },
    get running() {
      return underWay.size;
    },
    leave(job) {
      const running: Promise<unknown> = job.catch(tell).finally(() => underWay.delete(running));
      underWay.add(running);
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
