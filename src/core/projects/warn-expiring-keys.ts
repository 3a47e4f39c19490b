import type { Deps } from '../deps.ts';
import { dayMs } from '../parsing/durations.ts';
import { formatTime } from '../parsing/timestamps.ts';
import { expiresSoon } from './change-keys.ts';
import type { CleanupJob } from './housekeeping.ts';
import { maskKey } from './keys.ts';

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
