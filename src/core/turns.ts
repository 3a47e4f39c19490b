// A concurrency limit: at most so many jobs run, so many wait, and further ones are rejected.

/** Tells when the caller of a waiting job is gone. */
export interface Leaving {
  /** Calls `listener` once with the reason, at once if already known. Returns an unsubscribe function. */
  onLeave(listener: (reason: Error) => void): () => void;
}

export interface TurnLimits {
  readonly atOnceMax: number;
  readonly waitingMax: number;
  readonly waitMsMax?: number;
  /** The error for a full queue, or for a wait that was too long. */
  readonly refusal: () => Error;
}

export interface Turns {
  /** Rejects with the job's error, with `refusal()`, or while waiting with the reason of `leaving`. */
  run<T>(job: () => Promise<T>, leaving?: Leaving): Promise<T>;
  readonly running: number;
  readonly waiting: number;
}

interface Waiting {
  begin(): void;
}

/** First in, first out. */
export function createTurns(limits: TurnLimits): Turns {
  const queue = new Set<Waiting>();
  let running = 0;

  function takeTurn(leaving: Leaving | undefined): Promise<void> | null {
    if (running < limits.atOnceMax) {
      running += 1;
      return null;
    }
    if (queue.size >= limits.waitingMax) throw limits.refusal();
    return waitIn(queue, limits, leaving);
  }

  function giveOn(): void {
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
      const turn = takeTurn(leaving);
      if (turn !== null) await turn;
      try {
        return await job();
      } finally {
        giveOn();
      }
    },
  };
}

function waitIn(queue: Set<Waiting>, limits: TurnLimits, leaving: Leaving | undefined): Promise<void> {
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
    const waiting: Waiting = {
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
