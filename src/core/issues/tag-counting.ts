// Counts what was stored before tags were counted and texts searched, beside whoever is served: slice by
// slice, each followed by a rest as long as it took.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../deps.ts';

export interface TagCounting {
  /** Ends it; resolves when no slice is under way any more. */
  stop(): Promise<void>;
}

/** After a failed slice; the next one begins where that one did. */
const afterFailureMs = 60_000;
const restMsMin = 20;

/** Begins now, and ends by itself when all is counted. */
export function startTagCounting(deps: Pick<Deps, 'store' | 'log'>): TagCounting {
  const ended = new AbortController();
  const rest = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: ended.signal, ref: false }).catch(() => {});
  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      const startedMs = performance.now();
      try {
        if (!(await deps.store.countStoredTags())) return;
        await rest(Math.max(restMsMin, performance.now() - startedMs));
      } catch (error) {
        // The store that closes under a slice says so by refusing it.
        if (ended.signal.aborted) return;
        deps.log.warn({ error: String(error) }, 'stored tags could not be counted');
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
