// Where a server counts rate limits: by itself, or with others in the Redis that REDIS_URL names.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Config } from '../core/config/config.ts';
import type { LimitStoreOfServers } from '../core/ports/limit-store.ts';
import type { Log } from '../core/ports/log.ts';
import type { Meter } from '../core/ports/measures.ts';
import { memoryLimitStore } from '../http/limits/limit-store.ts';

interface LimitParts {
  readonly config: Config;
  /** The installation's own secret. */
  readonly userHashKey: Uint8Array;
  readonly log: Log;
  readonly now: () => number;
  readonly meter: Meter;
}

interface LimitOptions {
  /** Whether requests are answered. */
  readonly serves?: boolean;
}

/** Null where no Redis is named, or nothing is limited: its client is not loaded then. */
export async function openLimits(
  { config, userHashKey: secret, log, now, meter }: LimitParts,
  { serves = false }: LimitOptions,
): Promise<(LimitStoreOfServers & { close(): Promise<void> }) | null> {
  const { redisUrl: url } = config;
  if (!serves || url === null || !config.rateLimits.enabled) return null;
  const { redisLimitStore } = await import('../redis/redis-limit-store.ts');
  return redisLimitStore({
    url,
    secret,
    // In containers all may have one name, and be process 1.
    server: `${hostname()} ${process.pid} ${randomBytes(8).toString('hex')}`,
    local: memoryLimitStore(now),
    failed: () => meter.count('limitStoreErrors', []),
    changed(isUp, why) {
      if (isUp) log.info({}, 'rate limits are counted in Redis');
      else log.warn({ error: why }, 'rate limits are counted by this server alone: there is no Redis');
    },
  });
}
