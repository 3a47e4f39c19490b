import { Worker } from 'node:worker_threads';

/** Heap limits of a worker. V8 would let the young generation grow to 48 MiB, which few tasks need. */
export interface HeapLimits {
  readonly maxOldGenerationSizeMb?: number;
  readonly maxYoungGenerationSizeMb: number;
}

/** Starts `worker.ts` (`worker.js` once built) beside the module `moduleUrl`, or in `folder` from there. */
export function startWorker(
  moduleUrl: string,
  resourceLimits: HeapLimits,
  workerData?: unknown,
  folder = '.',
): Worker {
  const program = new URL(`${folder}/worker${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl);
  return new Worker(program, { resourceLimits, workerData });
}
