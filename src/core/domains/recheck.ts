// Re-checks in the background: what is due, a few at a time. The rule takes its time from deps; the loop
// alone has a timer.
import type { Deps } from '../deps.ts';
import { RestError } from '../errors.ts';
import { minuteMs } from '../reading/spans.ts';
import { recheckProof } from './verifications.ts';

const batchMax = 10;
/**
 * For so long nobody else takes a proof that is being checked; a process that dies leaves it due again after.
 */
const leaseMs = 10 * minuteMs;
const tickMs = 30_000;

/**
 * Checks the proofs whose time has come, at most ten, and answers how many it did. Never rejects for one
 * proof's sake.
 */
export async function recheckDue(deps: Deps): Promise<number> {
  const due = await deps.store.claimDueProofs(deps.now(), leaseMs, batchMax);
  const done = await Promise.all(
    due.map(async (proof) => {
      try {
        await recheckProof(deps, proof);
        return 1;
      } catch (error) {
        // Over this minute's budget: due again when the lease ends. Anything else is told, and the others go
        // on.
        const isBudget = error instanceof RestError && error.status === 429;
        if (!isBudget) deps.log.error({ verificationId: proof.id, error: String(error) }, 're-check failed');
        return 0;
      }
    }),
  );
  return done.reduce<number>((sum, one) => sum + one, 0);
}

/** Starts re-checking every half minute. `stop` ends it and resolves when a round under way is over. */
export function startRecheckLoop(deps: Deps, options: { tickMs?: number } = {}): { stop(): Promise<void> } {
  let round: Promise<void> = Promise.resolve();
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    round = recheckDue(deps)
      .catch((error: unknown) => deps.log.error({ error: String(error) }, 're-checks could not run'))
      .then(() => {
        running = false;
      });
  }, options.tickMs ?? tickMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}
