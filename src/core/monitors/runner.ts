import type { Deps } from '../deps.ts';
import { type PeriodicJob, startPeriodicJob } from '../periodic-job.ts';
import type { CheckOutcome } from '../store/monitors.ts';
import { checkMonitor } from './check-monitor.ts';
import { advanceWindows } from './maintenance-windows/advance.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'log' | 'checker'>;

const tickMs = 500;
/** Each check holds one or two connections, and 256 KB if it reads the body. */
const checksAtOnceMax = 256;
/** Added to the timeout of a check; if the process dies, the monitor is due again after it. */
const leaseMarginMs = 5_000;

export function startMonitorLoop(
  { store, now, log, checker }: ServiceDeps,
  { everyMs = tickMs }: { readonly everyMs?: number } = {},
): PeriodicJob {
  const waiting: CheckOutcome[] = [];
  /** Outcomes that cannot be saved are lost; their monitors are due again after the claim. */
  async function save(): Promise<void> {
    const outcomes = waiting.splice(0);
    if (outcomes.length > 0) await store.saveChecks(outcomes);
  }
  return startPeriodicJob({
    everyMs,
    warn: (error) => log.warn({ error: String(error) }, 'processing of monitors failed'),
    collectResults: save,
    async run(state) {
      await save().catch(state.logError);
      const freeSlots = checksAtOnceMax - state.running;
      if (state.stopped || checker === undefined || freeSlots <= 0) return;
      const nowMs = now();
      const windows = await advanceWindows({ store }, nowMs, state.logError);
      if (!(await store.monitorsDue(nowMs))) return;
      for (const monitor of await store.claimMonitors(nowMs, { graceMs: leaseMarginMs, limit: freeSlots })) {
        const check = checkMonitor({ checker, now }, monitor, windows);
        state.runInBackground(check.then((outcome) => waiting.push(outcome)));
      }
    },
  });
}
