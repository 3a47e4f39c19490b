export interface AbortNotice {
  /** Calls `listener` once with the reason, at once if already known. Returns an unsubscribe function. */
  onLeave(listener: (reason: Error) => void): () => void;
}

export interface ConcurrencyOptions {
  readonly atOnceMax: number;
  readonly waitingMax: number;
  readonly waitMsMax?: number;
  readonly refusal: () => Error;
}

export interface ConcurrencyLimit {
  /** Rejects with the job's error, with `refusal()`, or while waiting with the reason of `leaving`. */
  run<T>(job: () => Promise<T>, leaving?: AbortNotice): Promise<T>;
  readonly running: number;
  readonly waiting: number;
}

interface QueuedJob {
  begin(): void;
}

/** Some jobs run, some wait (first in, first out), further ones are rejected. */
export function createConcurrencyLimit(limits: ConcurrencyOptions): ConcurrencyLimit {
  const queue = new Set<QueuedJob>();
  let running = 0;

  function acquireSlot(leaving: AbortNotice | undefined): Promise<void> | null {
    if (running < limits.atOnceMax) {
      running += 1;
      return null;
    }
    if (queue.size >= limits.waitingMax) throw limits.refusal();
    return waitForSlot(queue, limits, leaving);
  }

  function releaseSlot(): void {
    const [next] = queue;
    // The slot is passed on directly, so that no new job can take it in between.
    if (next !== undefined) next.begin();
    else running -= 1;
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
    async run(job, leaving) {
      const turn = acquireSlot(leaving);
      if (turn !== null) await turn;
      try {
        return await job();
      } finally {
        releaseSlot();
      }
    },
  };
}

function waitForSlot(
  queue: Set<QueuedJob>,
  limits: ConcurrencyOptions,
  leaving: AbortNotice | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let unlisten: () => void = () => {};
    const leave = (): void => {
      queue.delete(waiting);
      clearTimeout(timer);
      unlisten();
    };
    const giveUp = (reason: Error): void => {
      leave();
      reject(reason);
    };
    const waiting: QueuedJob = {
      begin() {
        leave();
        resolve();
      },
    };
    queue.add(waiting);
    if (limits.waitMsMax !== undefined) timer = setTimeout(() => giveUp(limits.refusal()), limits.waitMsMax);
    if (leaving !== undefined) unlisten = leaving.onLeave(giveUp);
  });
}
