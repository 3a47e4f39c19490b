import { workerData } from 'node:worker_threads';
import { loadDemo } from '../../demo/load.ts';
import { createRandom } from '../../demo/shared/random.ts';
import type { DemoBuildTask } from '../layers/demo-database.ts';
import { silentLog } from '../log.ts';
import { openDeps } from '../open-deps.ts';

/** Long, for busy machines: an event stored before symbolication would be grouped differently. */
const mappingBudgetMs = 60_000;

const { file, nowMs } = workerData as DemoBuildTask;
const clock = { nowMs };
const { deps, close } = await openDeps(
  { DATABASE_URL: `sqlite:${file}`, RATE_LIMITS: 'off' },
  { log: silentLog, now: () => clock.nowMs, eventMappingMs: mappingBudgetMs, isUnsynced: true },
);
try {
  // Fixed seed: demo pages are the same each time. Nobody can sign in to it, and its keys accept nothing.
  await loadDemo(deps, clock, { randomBytes: createRandom('drawn').bytes });
} finally {
  await close();
}
