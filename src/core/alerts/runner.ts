// The loop beside whoever is served: makes the messages that are due and sends them. It looks once a second,
// at three indexes; an event is never waited for, nor does it wait.
import type { Deps } from '../deps.ts';
import { type Rounds, startRounds } from '../rounds.ts';
import { clockLooks } from './clocks.ts';
import { deliverDue } from './delivering.ts';
import { limitLooks } from './limits.ts';
import { makeMessages } from './making.ts';

type Parts = Pick<Deps, 'store' | 'now' | 'randomBytes' | 'log' | 'messenger'>;

const tickMs = 1_000;
/** Of sendings under way at once: a receiver that hangs must not keep the others waiting. */
const sendingsMax = 4;

/** Starts looking. `pagesUrl` is where links lead, without a slash at its end; null for none. */
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
      // A look that fails keeps nothing else from being told.
      const isOver = hasLimits && (await lookAtLimits().catch(state.tell)) === true;
      const hasCome = (await lookByClock().catch(state.tell)) === true;
      while ((toTell || isOver || hasCome) && !state.stopped) {
        const step = await makeMessages(deps, pagesUrl);
        made += step.made;
        if (!step.more) break;
      }
      // What is on its way when all ends is due again when its lease does.
      const hasToSend = toSend || made > 0;
      if (deps.messenger === undefined || !hasToSend || state.running >= sendingsMax) return;
      state.leave(deliverDue(deps, deps.messenger, pagesUrl));
    },
  });
}
