import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../deps.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now'>;

async function nextSlice({ store }: ServiceDeps): Promise<{ readonly removed: number } | null> {
  if (await store.moveSplitSlice()) return { removed: 0 };
  const issue = await store.nextEndingIssue();
  return issue === null ? store.eraseUserSlice() : store.removeIssueSlice(issue);
}

/** Returns the number of removed rows. Can be interrupted: it runs at every start and every hour. */
export async function finishBackgroundWork(deps: ServiceDeps, isStopped: () => boolean): Promise<number> {
  for (let rows = 0; ; ) {
    const startedMs = performance.now();
    const slice = await nextSlice(deps);
    rows += slice?.removed ?? 0;
    if (slice === null || isStopped()) return rows;
    await sleep(Math.max(1, performance.now() - startedMs));
  }
}

/** Waits up to half a second for the first slices; the rest continues in the background. */
export async function continueInBackground(
  deps: ServiceDeps & Pick<Deps, 'log'>,
  waitMs = 500,
): Promise<void> {
  const finished = finishBackgroundWork(deps, () => false).then(
    () => true,
    (error: unknown) => {
      deps.log.warn({ error: String(error) }, 'a background change is not finished yet');
      return true;
    },
  );
  const late = new AbortController();
  await Promise.race([finished, sleep(waitMs, false, { signal: late.signal }).catch(() => false)]);
  late.abort();
}
