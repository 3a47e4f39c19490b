import type { Deps } from '../deps.ts';
import { dayMs, hourMs } from '../parsing/durations.ts';
import { type EpochMs, formatTime } from '../parsing/timestamps.ts';
import { expiresSoon } from './change-keys.ts';
import { maskKey } from './keys.ts';
import { removeEndedProjects } from './projects.ts';

const everyMs = hourMs;

/** Deletes one kind of data and returns a count. Should end soon once `stopped()` is true. */
export type CleanupJob = (nowMs: EpochMs, stopped: () => boolean) => Promise<number>;

/** Deletes expired data at the start and every hour. Runs never overlap. */
export function startHousekeeping(
  deps: Pick<Deps, 'store' | 'log' | 'now'>,
  extraJobs: Readonly<Record<string, CleanupJob>>,
) {
  let stopped = false;
  const sweeps: Record<string, CleanupJob> = {
    ...extraJobs,
    rows: (nowMs) => deps.store.sweep(nowMs, () => stopped),
    endedProjects: () => removeEndedProjects(deps, () => stopped),
  };
  async function runSweeps(): Promise<void> {
    for (const [name, sweep] of Object.entries(sweeps)) {
      if (stopped) return;
      try {
        const removed = await sweep(deps.now(), () => stopped);
        if (removed > 0) deps.log.info({ what: name, removed }, 'cleaned up');
      } catch (error) {
        // While stopping, the closed store refuses the next slice.
        if (!stopped) deps.log.warn({ what: name, error: String(error) }, 'could not be cleaned up');
      }
    }
  }
  let running = runSweeps();
  const timer = setInterval(() => {
    running = running.then(runSweeps);
  }, everyMs).unref();
  return {
    stop() {
      stopped = true;
      clearInterval(timer);
      return running;
    },
  };
}

/** A housekeeping job that warns once a day of keys that expire within two weeks. */
export function createExpiryWarning({ store, log }: Pick<Deps, 'store' | 'log'>): CleanupJob {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async (nowMs, stopped) => {
    if (nowMs < nextMs) return 0;
    for (const { id, name } of await store.listProjects()) {
      if (stopped()) return 0;
      for (const key of await store.listKeys(id)) {
        if (!expiresSoon(key, nowMs)) continue;
        const fields = {
          project: name,
          keyId: key.id,
          key: maskKey(key),
          endsAt: formatTime(key.expiresAtMs),
          lastUsedAt: formatTime(key.lastUsedAtMs),
        };
        log.warn(fields, 'a key expires soon');
      }
    }
    nextMs = nowMs + dayMs;
    return 0;
  };
}
