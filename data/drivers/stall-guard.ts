// Notices a write that awaits what is not a query: while it waits, nobody else could write.

export interface StallGuard {
  /** The job's own end, or a rejection if the process turns before. */
  race<T>(job: Promise<T>): Promise<T>;
  end(): void;
}

/**
 * A batch runs without the process turning once. If it turns, a job awaits what is not a query: that job is
 * ended.
 */
export function stallGuard(): StallGuard {
  let stall = nextStall();
  return {
    race(job) {
      if (stall.fired()) stall = nextStall();
      return Promise.race([job, stall.promise]);
    },
    end: () => stall.end(),
  };
}

function nextStall(): { promise: Promise<never>; fired(): boolean; end(): void } {
  let fired = false;
  let timer: NodeJS.Immediate | undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    timer = setImmediate(() => {
      fired = true;
      reject(new Error('A write awaited something other than its queries.'));
    });
  });
  promise.catch(() => {});
  return { promise, fired: () => fired, end: () => clearImmediate(timer) };
}
