// Guards the statements of one write job, for both drivers: after a failed statement the job must fail.

export interface JobGuard {
  /** After a failure refuses further statements with the first error, as PostgreSQL itself does. */
  run<T>(statement: () => T | Promise<T>): Promise<T>;
  /** The first error of a statement, even if the job caught it. */
  failure(): Error | null;
  /** The first error of the database itself (full, locked …); it takes precedence over the job's error. */
  databaseError(): Error | null;
  end(): void;
}

export function createJobGuard(isDatabaseError: (error: Error) => boolean): JobGuard {
  let ended = false;
  let failure: Error | null = null;
  let databaseError: Error | null = null;
  return {
    async run(statement) {
      if (ended) throw new Error('A query was run after its transaction had ended.');
      if (failure !== null) throw failure;
      try {
        return await statement();
      } catch (error) {
        const caught = error instanceof Error ? error : new Error(String(error));
        failure ??= caught;
        if (isDatabaseError(caught)) databaseError ??= caught;
        throw caught;
      }
    },
    failure: () => failure,
    databaseError: () => databaseError,
    end: () => {
      ended = true;
    },
  };
}
