// What is cleared away at the start and from hour to hour: nobody waits for it, and nothing of it fails a
// request.
import type { Deps } from '../deps.ts';
import type { EpochMs } from '../reading/moments.ts';
import { hourMs } from '../reading/spans.ts';
import { removeEnding } from './deletion.ts';

/** How often. */
const everyMs = hourMs;

export interface Housekeeping {
  /** Ends it; resolves when nothing of it runs any more, for which nobody who is in a hurry needs to wait. */
  stop(): Promise<void>;
}

/** A part of the work beside the store's: answers how many things went. Ends soon once `stopped` says so. */
export type Sweep = (nowMs: EpochMs, stopped: () => boolean) => Promise<number>;

/** Begins a round now and another every hour; never two at once. */
export function startHousekeeping(
  deps: Pick<Deps, 'store' | 'log' | 'now'>,
  others: Readonly<Record<string, Sweep>>,
): Housekeeping {
  let stopped = false;
  const sweeps: Record<string, Sweep> = {
    ...others,
    rows: (nowMs) => deps.store.sweep(nowMs, () => stopped),
    endedProjects: () => removeEnding(deps, () => stopped),
  };
  async function round(): Promise<void> {
    for (const [what, sweep] of Object.entries(sweeps)) {
      if (stopped) return;
      try {
        const removed = await sweep(deps.now(), () => stopped);
        if (removed > 0) deps.log.info({ what, removed }, 'cleaned up');
      } catch (error) {
        // The store that closes under a round says so by refusing its next slice.
        if (!stopped) deps.log.warn({ what, error: String(error) }, 'could not be cleaned up');
      }
    }
  }
  let running = round();
  const timer = setInterval(() => {
    running = running.then(round);
  }, everyMs).unref();
  return {
    stop() {
      stopped = true;
      clearInterval(timer);
      return running;
    },
  };
}
