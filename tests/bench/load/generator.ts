// Starts the load generator and hands it one job after another.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Job, LoadResult } from './job.ts';

export interface Generator {
  run(job: Job): Promise<LoadResult>;
  stop(): void;
}

/** One job at a time. */
export function startGenerator(): Generator {
  const child = fork(join(import.meta.dirname, 'process.ts'), { serialization: 'advanced' });
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        child.once('message', (answer: { result: LoadResult } | { problem: string }) => {
          if ('result' in answer) resolve(answer.result);
          else reject(new Error(`The load could not be made: ${answer.problem}`));
        });
        child.send(job);
      }),
    stop: () => child.disconnect(),
  };
}
