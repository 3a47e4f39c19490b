import type { Deps } from '../deps.ts';
import { RestError } from '../errors.ts';
import { minuteMs } from '../parsing/durations.ts';
import { startPeriodicJob } from '../periodic-job.ts';
import { recheckVerification } from './verifications.ts';

const batchMax = 10;
/** If the process that claimed a verification dies, it is due again after this time. */
const leaseMs = 10 * minuteMs;
const tickMs = 30_000;

/** Checks at most ten verifications that are due, and returns how many were done. */
export async function recheckDueVerifications(deps: Deps): Promise<number> {
  const due = await deps.store.claimDueVerifications(deps.now(), leaseMs, batchMax);
  const done = await Promise.all(
    due.map(async (proof) => {
      try {
        await recheckVerification(deps, proof);
        return 1;
      } catch (error) {
        // 429: out of checks for this minute. It is due again when the lease ends.
        const isBudget = error instanceof RestError && error.status === 429;
        if (!isBudget) deps.log.error({ verificationId: proof.id, error: String(error) }, 're-check failed');
        return 0;
      }
    }),
  );
  return done.reduce<number>((sum, one) => sum + one, 0);
}

export function startRecheckLoop(deps: Deps, options: { tickMs?: number } = {}) {
  return startPeriodicJob({
    everyMs: options.tickMs ?? tickMs,
    async run() {
      await recheckDueVerifications(deps);
    },
    warn: (error) => deps.log.error({ error: String(error) }, 're-checks could not run'),
  });
}
