// Starts every worker thread of the program.
import { Worker } from 'node:worker_threads';

/** Heap of a worker. What was just made needs little, and would take as much as it likes (D-238). */
export interface HeapLimits {
  readonly maxOldGenerationSizeMb?: number;
  readonly maxYoungGenerationSizeMb: number;
}

/** Starts `worker.ts` beside the module of this address, or in a folder near it; `worker.js` once built. */
export function startWorker(
  moduleUrl: string,
  resourceLimits: HeapLimits,
  workerData?: unknown,
  folder = '.',
): Worker {
  const program = new URL(`${folder}/worker${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl);
  return new Worker(program, { resourceLimits, workerData });
}
