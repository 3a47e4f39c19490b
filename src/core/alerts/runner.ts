// Background loop: builds and sends due messages. Polls three indexes once a second.
import type { Deps } from '../deps.ts';
import { type Rounds, startRounds } from '../rounds.ts';
import { clockLooks } from './clocks.ts';
import { deliverDue } from './delivering.ts';
import { limitLooks } from './limits.ts';
import { makeMessages } from './making.ts';

type Parts = Pick<Deps, 'store' | 'now' | 'randomBytes' | 'log' | 'messenger'>;

const tickMs = 1_000;
/** Several batches may run at once, so that a slow receiver does not delay the others. */
const sendingsMax = 4;

export function startAlerting(
  deps: Parts,
  { pagesUrl, everyMs = tickMs }: { readonly pagesUrl: string | null; readonly everyMs?: number },
): Rounds {
  const lookAtLimits = limitLooks(deps);
  const lookByClock = clockLooks(deps);
  return startRounds({
    everyMs,
    warn: (error) => deps.log.warn({ error: String(error) }, 'processing of alerts failed'),
    async round(state) {
      const { toTell, toSend, hasLimits } = await deps.store.alertsWait(deps.now());
      let made = 0;
      // A failed check must not keep other messages back.
      const isOver = hasLimits && (await lookAtLimits().catch(state.tell)) === true;
      const hasCome = (await lookByClock().catch(state.tell)) === true;
      while ((toTell || isOver || hasCome) && !state.stopped) {
        const step = await makeMessages(deps, pagesUrl);
        made += step.made;
        if (!step.more) break;
      }
      // Messages that are being sent when the process stops are due again after their lease.
      const hasToSend = toSend || made > 0;
      if (deps.messenger === undefined || !hasToSend || state.running >= sendingsMax) return;
      state.leave(deliverDue(deps, deps.messenger, pagesUrl));
    },
  });
}
