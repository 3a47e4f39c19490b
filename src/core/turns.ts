// Turns for work of which only so much may be under way: so many at once, so many waiting, the others
// refused. Who waits can leave; who works gives its turn on however it ends.

/** Says that somebody who waits is not wanted any more. */
export interface Leaving {
  /**
   * Calls `listener` once with the reason, at once when it is there already; answers how to listen no more.
   */
  onLeave(listener: (reason: Error) => void): () => void;
}

export interface TurnLimits {
  readonly atOnceMax: number;
  readonly waitingMax: number;
  /** Milliseconds that one may wait; for ever where it is absent. */
  readonly waitMsMax?: number;
  /** The refusal of whom there is no room for, or who has waited too long. */
  readonly refusal: () => Error;
}

export interface Turns {
  /**
   * Runs the job in its turn and answers what it answers. Rejects with the job's own failure, with the
   * refusal of the limits, or, while it waits, with the reason of `leaving`. On every way out the turn is
   * given on.
   */
  run<T>(job: () => Promise<T>, leaving?: Leaving): Promise<T>;
  readonly running: number;
  readonly waiting: number;
}

interface Waiting {
  begin(): void;
}

/** Turns for one kind of work; whoever came first is next. */
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
    // The turn goes to the one who waits: nobody can slip in between.
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
