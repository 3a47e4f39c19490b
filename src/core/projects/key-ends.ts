import type { Deps } from '../deps.ts';
import { momentText } from '../reading/moments.ts';
import { dayMs } from '../reading/spans.ts';
import type { Sweep } from './housekeeping.ts';
import { endsSoon } from './key-life.ts';
import { maskedKey } from './keys.ts';

/** A housekeeping job that warns once a day of keys that expire within two weeks. */
export function warningOfEnds({ store, log }: Pick<Deps, 'store' | 'log'>): Sweep {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async (nowMs, stopped) => {
    if (nowMs < nextMs) return 0;
    for (const { id, name } of await store.listProjects()) {
      if (stopped()) return 0;
      for (const key of await store.listKeys(id)) {
        if (!endsSoon(key, nowMs)) continue;
        const told = {
          project: name,
          keyId: key.id,
          key: maskedKey(key),
          endsAt: momentText(key.expiresAtMs),
          lastUsedAt: momentText(key.lastUsedAtMs),
        };
        log.warn(told, 'a key expires soon');
      }
    }
    nextMs = nowMs + dayMs;
    return 0;
  };
}
