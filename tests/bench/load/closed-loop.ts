// A closed loop: so many connections, each asking again as soon as it is answered. It finds what a server can
// make at the most, and says little of how long people wait.
import { performance } from 'node:perf_hooks';
import { type Connection, openConnection } from './connection.ts';
import type { Job, LoadResult } from './job.ts';
import { openTally } from './tally.ts';

/** Sends `next()` over the job's connections for its time, and waits for the last answers. */
export async function closedLoop(job: Job, next: () => Buffer): Promise<LoadResult> {
  const tally = openTally();
  const endsAtMs = performance.now() + job.milliseconds;
  const one = async (): Promise<void> => {
    while (performance.now() < endsAtMs) await untilClosed(job, next, endsAtMs, tally.answered);
  };
  await Promise.all(Array.from({ length: job.connections }, one));
  return tally.result();
}

/** One connection until the time is over or the server closes it. */
function untilClosed(
  { target }: Job,
  next: () => Buffer,
  endsAtMs: number,
  answered: (status: number | 'lost', milliseconds: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let connection: Connection | null = null;
    let sentAtMs = 0;
    let waits = false;
    const send = (): void => {
      sentAtMs = performance.now();
      waits = true;
      connection?.send(next());
    };
    openConnection(target, {
      answered(status) {
        const nowMs = performance.now();
        waits = false;
        answered(status, nowMs - sentAtMs);
        if (nowMs < endsAtMs) send();
        else connection?.end();
      },
      closed() {
        if (waits) answered('lost', performance.now() - sentAtMs);
        resolve();
      },
    }).then((opened) => {
      connection = opened;
      send();
    }, reject);
  });
}
