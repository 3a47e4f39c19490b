// Deletes expired data at the start and every hour.
import type { Deps } from '../deps.ts';
import type { EpochMs } from '../reading/moments.ts';
import { hourMs } from '../reading/spans.ts';
import { removeEnding } from './deletion.ts';

const everyMs = hourMs;

export interface Housekeeping {
  stop(): Promise<void>;
}

/** Deletes one kind of data and returns a count. Should end soon once `stopped()` is true. */
export type Sweep = (nowMs: EpochMs, stopped: () => boolean) => Promise<number>;

/** Runs never overlap. */
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
        // While stopping, the closed store refuses the next slice.
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
