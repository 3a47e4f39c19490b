// Worker thread that builds the demo's database (../layers/demo-file.ts).
import { workerData } from 'node:worker_threads';
import { loadDemo } from '../../demo/load.ts';
import { createDice } from '../../demo/shared/dice.ts';
import type { DemoTask } from '../layers/demo-file.ts';
import { silentLog } from '../log.ts';
import { openDeps } from '../open-deps.ts';

/** Long, for busy machines: an event stored before symbolication would be grouped differently. */
const mappingBudgetMs = 60_000;

const { file, nowMs } = workerData as DemoTask;
const clock = { nowMs };
const { deps, close } = await openDeps(
  { DATABASE_URL: `sqlite:${file}`, RATE_LIMITS: 'off' },
  { log: silentLog, now: () => clock.nowMs, eventMappingMs: mappingBudgetMs, isUnsynced: true },
);
try {
  // Fixed seed: demo pages are the same each time. Nobody can sign in to it, and its keys accept nothing.
  await loadDemo(deps, clock, { randomBytes: createDice('drawn').bytes });
} finally {
  await close();
}
