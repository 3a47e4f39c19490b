// What acts on issues have left to do, beside a running server: removing what was deleted, moving events
// after the keys that were taken out.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../deps.ts';

type Parts = Pick<Deps, 'store' | 'now'>;

/** Whoever acts waits this long for slices; the rest goes on for itself. */
const waitMs = 500;

/** Does the next slice of what is left; how many rows that removed, null where nothing is left. */
async function nextSlice({ store }: Parts): Promise<{ readonly removed: number } | null> {
  if (await store.moveSplitSlice()) return { removed: 0 };
  const issue = await store.nextEndingIssue();
  return issue === null ? null : store.removeIssueSlice(issue);
}

/**
 * Does all that is left, slice by slice, and answers how many rows were removed. May be interrupted at any
 * moment and called again: a start does, and every hour. After each slice others get as long as it took.
 */
export async function finishIssueActs(deps: Parts, stopped: () => boolean): Promise<number> {
  for (let rows = 0; ; ) {
    const startedMs = performance.now();
    const slice = await nextSlice(deps);
    rows += slice?.removed ?? 0;
    if (slice === null || stopped()) return rows;
    await sleep(Math.max(1, performance.now() - startedMs));
  }
}

/**
 * Waits for the first slices of an act; what is left then goes on without anybody who waits, and what a stop
 * interrupts is taken up by the next start.
 */
export async function goOnBeside(deps: Parts & Pick<Deps, 'log'>): Promise<void> {
  const finished = finishIssueActs(deps, () => false).then(
    () => true,
    (error: unknown) => {
      deps.log.warn({ error: String(error) }, 'an action on an issue is not finished yet');
      return true;
    },
  );
  const late = new AbortController();
  await Promise.race([finished, sleep(waitMs, false, { signal: late.signal }).catch(() => false)]);
  late.abort();
}
