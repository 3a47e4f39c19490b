// The loop beside whoever is served: makes the messages that are due and sends them. It looks once a second,
// at three indexes; an event is never waited for, nor does it wait.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import { deliverDue } from './delivering.ts';
import { makeMessages } from './making.ts';

type Parts = Pick<Deps, 'store' | 'now' | 'randomBytes' | 'log' | 'messenger'>;

const tickMs = 1_000;
/** How long a stop waits for what is on its way. */
const stopMs = 2_000;
/** Rounds of sending under way at once: a receiver that hangs must not keep the others waiting. */
const roundsMax = 4;

export interface Alerting {
  /** Makes and sends what is due now; resolves when it was tried. */
  look(): Promise<void>;
  /** Ends it; resolves when nothing is under way. */
  stop(): Promise<void>;
}

/** Starts looking. `pagesUrl` is where links lead, without a slash at its end; null for none. */
export function startAlerting(
  deps: Parts,
  { pagesUrl, everyMs = tickMs }: { readonly pagesUrl: string | null; readonly everyMs?: number },
): Alerting {
  const rounds = new Set<Promise<unknown>>();
  let looking: Promise<void> | null = null;
  let stopped = false;
  const tell = (error: unknown): void => {
    if (!stopped) deps.log.warn({ error: String(error) }, 'alerts could not go on');
  };
  async function round(): Promise<void> {
    const { toTell, toSend } = await deps.store.alertsWait(deps.now());
    let made = 0;
    while (toTell && !stopped) {
      const step = await makeMessages(deps, pagesUrl);
      made += step.made;
      if (!step.more) break;
    }
    if (deps.messenger === undefined || (!toSend && made === 0) || rounds.size >= roundsMax) return;
    const sending: Promise<unknown> = deliverDue(deps, deps.messenger, pagesUrl)
      .catch(tell)
      .finally(() => rounds.delete(sending));
    rounds.add(sending);
  }
  const look = (): Promise<void> => {
    looking ??= round()
      .catch(tell)
      .finally(() => {
        looking = null;
      });
    return looking;
  };
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return {
    async look() {
      await look();
      await Promise.all(rounds);
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await looking;
      // What is still on its way is due again when its lease ends.
      await Promise.race([Promise.all(rounds), sleep(stopMs, undefined, { ref: false })]);
    },
  };
}
