// Rate limits shared by servers through Redis. During an outage each server enforces its share alone.
import { hash } from 'node:crypto';
import type {
  Bucket,
  Charge,
  ChargeResult,
  LimitStore,
  SharedLimitStore,
} from '../core/ports/limit-store.ts';
import { levelsOf } from '../http/limits/limit-store.ts';
import { openRedis, type RedisTimings } from './connection.ts';
import { consumeScript, registerScript, unregisterScript } from './scripts.ts';

/** A server without a heartbeat for this long is not counted. */
const presenceMs = 10_000;
/** Retry-After for requests refused because of an outage. */
const awayWaitMs = 5_000;

/** Limiters that refuse during an outage: their limits are too small to divide, and no errors are lost. */
const closedWithout: ReadonlySet<string> = new Set([
  'feedback-address',
  'feedback',
  'feedback-share',
  'verify-address',
  'checks',
]);

interface RedisLimitOptions {
  readonly url: string;
  /** Hashed into keys, so that installations can share a Redis. */
  readonly secret: Uint8Array;
  readonly server: string;
  readonly local: LimitStore;
  changed(isUp: boolean, reason: string): void;
  failed(): void;
  readonly now?: () => number;
  readonly timings?: RedisTimings;
}

export interface RedisLimitStore extends SharedLimitStore {
  /** Unregisters this server, then disconnects. */
  close(): Promise<void>;
}

/** Counts locally until connected. */
export function openRedisLimitStore(options: RedisLimitOptions): RedisLimitStore {
  const { url, secret, server, local, changed, failed, now, timings } = options;
  const salt = Buffer.from(secret).toString('hex');
  // Redis Cluster: the braces (hash tag) put all keys of a script into one slot.
  const prefix = `notifier:{${hash('sha256', `limits ${salt}`).slice(0, 16)}}`;
  const keyOf = ({ limiter, key }: Bucket): string =>
    `${prefix}:${limiter}:${hash('sha256', `${salt} ${key}`, 'base64url').slice(0, 22)}`;
  let servers = 1;
  const redis = openRedis({
    url,
    changed,
    timings,
    async heartbeat(run) {
      const serverCount = await run(registerScript, [`${prefix}:servers`], [server, String(presenceMs)]);
      servers = Math.max(1, Number(serverCount));
    },
  });
  async function transaction(charges: readonly Charge[]): Promise<readonly ChargeResult[]> {
    const buckets = charges.flatMap((charge) => charge.buckets);
    const args = [
      now === undefined ? '' : String(now()),
      ...charges.flatMap(({ buckets: chargedBuckets, cost }) => [
        String(chargedBuckets.length),
        String(cost),
        ...chargedBuckets.flatMap(({ limit, windowMs, isShare }) => [
          String(limit),
          String(windowMs),
          isShare === true ? '1' : '0',
        ]),
      ]),
    ];
    return countsOf(charges, await redis.run(consumeScript, buckets.map(keyOf), args));
  }
  return {
    async take(charges) {
      try {
        return await transaction(charges);
      } catch {
        failed();
        return takeLocally(local, charges, servers);
      }
    },
    servers: () => (redis.isUp() ? servers : 0),
    close: () => redis.close((run) => run(unregisterScript, [`${prefix}:servers`], [server])),
  };
}

function countsOf(charges: readonly Charge[], reply: unknown): readonly ChargeResult[] {
  const numbers = reply as readonly number[];
  const [nowMs = 0] = numbers;
  let at = 1;
  return charges.map(({ buckets }) => {
    const admitted = numbers[at] === 1;
    const counters = buckets.map((_, index) => {
      const [used = -1, endsAtMs = 0] = numbers.slice(at + 1 + 2 * index, at + 3 + 2 * index);
      return used < 0 ? null : { used, endsAtMs };
    });
    at += 1 + 2 * buckets.length;
    return { admitted, levels: levelsOf(buckets, counters, nowMs) };
  });
}

async function takeLocally(
  local: LimitStore,
  charges: readonly Charge[],
  servers: number,
): Promise<readonly ChargeResult[]> {
  const shares = charges.map(({ buckets, cost }) => ({
    cost,
    buckets: buckets.map((bucket) => ({ ...bucket, limit: Math.max(1, Math.ceil(bucket.limit / servers)) })),
  }));
  const isClosed = ({ buckets }: Charge): boolean =>
    buckets.some(({ limiter }) => closedWithout.has(limiter));
  const open = await local.take(shares.filter((charge) => !isClosed(charge)));
  let at = 0;
  return charges.map((charge) => {
    if (isClosed(charge)) {
      return { admitted: false, levels: charge.buckets.map(() => ({ left: 0, resetMs: awayWaitMs })) };
    }
    at += 1;
    return open[at - 1] ?? { admitted: true, levels: [] };
  });
}
