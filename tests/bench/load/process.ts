// The load generator: a process of its own, so that its memory, its collections and its processor are not the
// server's nor those of whoever asks.
import { closedLoop } from './closed-loop.ts';
import type { Job, LoadResult } from './job.ts';
import { openLoop } from './open-loop.ts';
import { requestsInTurn } from './pool.ts';

const pools = new Map<string, () => Buffer>();
/** Pools of large bodies are some megabytes each. */
const poolsMax = 12;

function poolOf({ target, requests }: Job): () => Buffer {
  const { port: _, ...place } = target;
  const name = JSON.stringify([place, requests]);
  const pool = pools.get(name) ?? requestsInTurn(target, requests);
  if (!pools.has(name) && pools.size >= poolsMax) pools.clear();
  pools.set(name, pool);
  return pool;
}

async function run(job: Job): Promise<LoadResult> {
  const { perSecond } = job;
  return perSecond === undefined
    ? closedLoop(job, poolOf(job))
    : openLoop({ ...job, perSecond }, poolOf(job));
}

process.on('message', (job: Job) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ problem: String(error) }),
  );
});
process.once('disconnect', () => process.exit());
