// The thread that builds the demo's database (../layers/demo-file.ts): the services over a file of its own.
import { workerData } from 'node:worker_threads';
import { loadDemo } from '../../demo/load.ts';
import { createDice } from '../../demo/shared/dice.ts';
import type { DemoTask } from '../layers/demo-file.ts';
import { silentLog } from '../log.ts';
import { openDeps } from '../open-deps.ts';

/** On a busy machine events must not be stored unmapped: they would be other issues for a while. */
const mappingBudgetMs = 60_000;

const { file, nowMs } = workerData as DemoTask;
const clock = { nowMs };
// Nothing of it is the operator's: their settings are not those of the demo.
const { deps, close } = await openDeps(
  { DATABASE_URL: `sqlite:${file}`, RATE_LIMITS: 'off' },
  { log: silentLog, now: () => clock.nowMs, eventMappingMs: mappingBudgetMs, isUnsynced: true },
);
try {
  // Nobody signs in to it and its keys open nothing: they may be the same each time, as its pages shall.
  await loadDemo(deps, clock, { randomBytes: createDice('drawn').bytes });
} finally {
  await close();
}
