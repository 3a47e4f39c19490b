// The loop beside whoever is served: takes monitors that are due, asks them, and writes down what came of it.
// Each is taken by one, however many instances there are; so many are asked at once and no more.
import type { Deps } from '../deps.ts';
import { type Rounds, startRounds } from '../rounds.ts';
import type { CheckOutcome } from '../store/monitors/monitoring.ts';
import { checkMonitor } from './checking.ts';
import { turnWindows } from './windows/turning.ts';

type Parts = Pick<Deps, 'store' | 'now' | 'log' | 'checker'>;

const tickMs = 500;
/** Each holds a connection or two, and a quarter of a megabyte where its answer is read. */
const atOnceMax = 256;
/** Beyond the time that a check may take: who dies meanwhile leaves it due again after. */
const graceMs = 5_000;

/** Starts looking. */
export function startMonitoring(
  { store, now, log, checker }: Parts,
  { everyMs = tickMs }: { readonly everyMs?: number } = {},
): Rounds {
  const waiting: CheckOutcome[] = [];
  /** What cannot be written is asked again when the time of its claim is over. */
  async function save(): Promise<void> {
    const outcomes = waiting.splice(0);
    if (outcomes.length > 0) await store.saveChecks(outcomes);
  }
  return startRounds({
    everyMs,
    warn: (error) => log.warn({ error: String(error) }, 'processing of monitors failed'),
    gather: save,
    async round(state) {
      await save().catch(state.tell);
      const room = atOnceMax - state.running;
      if (state.stopped || checker === undefined || room <= 0) return;
      const nowMs = now();
      const windows = await turnWindows({ store }, nowMs, state.tell);
      if (!(await store.monitorsDue(nowMs))) return;
      for (const monitor of await store.claimMonitors(nowMs, { graceMs, limit: room })) {
        const checking = checkMonitor({ checker, now }, monitor, windows);
        state.leave(checking.then((outcome) => waiting.push(outcome)));
      }
    },
  });
}
