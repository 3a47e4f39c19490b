// Watches over the statements of one write, for both drivers: what failed once is over, whatever the job
// makes of it. No SQL here.

export interface JobGuard {
  /**
   * Runs one statement of the job. After one has failed, every later one is refused with the first one's
   * error: one database would refuse them itself, the other would carry on, and a job must mean the same on
   * both.
   */
  run<T>(statement: () => T | Promise<T>): Promise<T>;
  /** The first error of a statement, whether the job caught it or not. */
  failure(): Error | null;
  /** The first that is the database's own (gone, full, locked …): it outweighs what the job says of it. */
  fault(): Error | null;
  /** Refuses every later statement: the transaction is no longer the job's. */
  end(): void;
}

/** A guard for one job. `isFault` tells an error of the database itself from one of the statement. */
export function jobGuard(isFault: (error: Error) => boolean): JobGuard {
  let ended = false;
  let failure: Error | null = null;
  let fault: Error | null = null;
  return {
    async run(statement) {
      if (ended) throw new Error('A query was run after its transaction had ended.');
      if (failure !== null) throw failure;
      try {
        return await statement();
      } catch (error) {
        const met = error instanceof Error ? error : new Error(String(error));
        failure ??= met;
        if (isFault(met)) fault ??= met;
        throw met;
      }
    },
    failure: () => failure,
    fault: () => fault,
    end: () => {
      ended = true;
    },
  };
}
