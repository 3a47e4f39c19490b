import { setTimeout as sleep } from 'node:timers/promises';

const stopMs = 2_000;

export type PeriodicJob = ReturnType<typeof startPeriodicJob>;

interface PeriodicRun {
  readonly stopped: boolean;
  readonly running: number;
  /** Starts a background task that later runs do not wait for. */
  runInBackground(job: Promise<unknown>): void;
  /** Logs an error, unless the job is stopping. */
  logError(error: unknown): void;
}

export interface PeriodicJobOptions {
  /** Interval in milliseconds; a longer run delays the next one. */
  readonly everyMs: number;
  run(state: PeriodicRun): Promise<void>;
  /** Collects results of background tasks, on `runNow` and on stop. */
  collectResults?(): Promise<void>;
  readonly warn: (error: unknown) => void;
}

/** Starts a job whose runs never overlap. A failed run is logged, and the next one runs as planned. */
export function startPeriodicJob({
  everyMs,
  run,
  collectResults = async () => {},
  warn,
}: PeriodicJobOptions) {
  const backgroundTasks = new Set<Promise<unknown>>();
  let currentRun: Promise<void> | null = null;
  let stopped = false;
  const logError = (error: unknown): void => {
    if (!stopped) warn(error);
  };
  const state: PeriodicRun = {
    get stopped() {
      return stopped;
    },
    get running() {
      return backgroundTasks.size;
    },
    runInBackground(job) {
      const running: Promise<unknown> = job.catch(logError).finally(() => backgroundTasks.delete(running));
      backgroundTasks.add(running);
    },
    logError,
  };
  const runNow = (): Promise<void> => {
    currentRun ??= run(state)
      .catch(logError)
      .finally(() => {
        currentRun = null;
      });
    return currentRun;
  };
  const timer = setInterval(() => void runNow(), everyMs);
  timer.unref();
  return {
    async runNow() {
      await runNow();
      await Promise.all(backgroundTasks);
      await collectResults();
    },
    /** Stops it; waits for the current run, and at most two seconds for background tasks. */
    async stop() {
      stopped = true;
      clearInterval(timer);
      await currentRun;
      await Promise.race([Promise.all(backgroundTasks), sleep(stopMs, undefined, { ref: false })]);
      await collectResults().catch(() => {});
    },
  };
}
