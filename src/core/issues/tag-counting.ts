// Brings what an older program stored up to today, beside whoever is served: tags that were not counted,
// then bodies that were packed without a dictionary. Slice by slice, each followed by a rest as long as it
// took.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../deps.ts';

export interface TagCounting {
  /** Ends it; resolves when no slice is under way any more. */
  stop(): Promise<void>;
}

/** After a failed slice; the next one begins where that one did. */
const afterFailureMs = 60_000;
const restMsMin = 20;

/** Begins now, and ends by itself when all is done. */
export function startTagCounting(deps: Pick<Deps, 'store' | 'log'>): TagCounting {
  const ended = new AbortController();
  const rest = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: ended.signal, ref: false }).catch(() => {});
  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      const startedMs = performance.now();
      try {
        if (!(await deps.store.countStoredTags()) && !(await deps.store.repackBodies())) return;
        await rest(Math.max(restMsMin, performance.now() - startedMs));
      } catch (error) {
        // The store that closes under a slice says so by refusing it.
        if (ended.signal.aborted) return;
        deps.log.warn(
          { error: String(error) },
          'what an older program stored could not be brought up to date',
        );
        await rest(afterFailureMs);
      }
    }
  }
  const running = run();
  return {
    stop() {
      ended.abort();
      return running;
    },
  };
}
