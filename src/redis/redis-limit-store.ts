// Rate limits that several servers count together in Redis. While it is away each counts its share by itself:
// events go on being taken, and what strangers may do only seldom waits until it is back (D-222).
import { hash } from 'node:crypto';
import type { Bucket, Charge, LimitStore, LimitStoreOfServers, Taken } from '../core/ports/limit-store.ts';
import { levelsOf } from '../http/limits/limit-store.ts';
import { openRedis, type Pace } from './connection.ts';
import { leaveScript, presenceScript, takeScript } from './scripts.ts';

/** A server that says nothing for so long is gone. */
const presenceMs = 10_000;
/** How long who is refused only because Redis is away is told to wait. */
const awayWaitMs = 5_000;

/**
 * Limiters that refuse while Redis is away: a share of a few a minute is nothing that could be divided, and
 * nobody's error is lost by waiting.
 */
const closedWithout: ReadonlySet<string> = new Set([
  'feedback-address',
  'feedback',
  'feedback-share',
  'verify-address',
  'checks',
]);

interface RedisLimitParts {
  readonly url: string;
  /** The installation's own: what is counted stands in Redis as hashes with it, two installations apart. */
  readonly secret: Uint8Array;
  /** Names this server among those that share its limits. */
  readonly server: string;
  /** Where it is counted meanwhile. */
  readonly local: LimitStore;
  /** Told when it is counted together, and when alone and why. */
  changed(isUp: boolean, why: string): void;
  /** Told of each call that Redis did not answer. */
  failed(): void;
  /** Milliseconds; Redis' own clock unless said. */
  readonly now?: () => number;
  /** How often it is looked after; as `openRedis` has it unless said. */
  readonly pace?: Pace;
}

export interface RedisLimitStore extends LimitStoreOfServers {
  /** Leaves the others, and ends the connection. */
  close(): Promise<void>;
}

/** Opens the connection; counts locally until it is there. */
export function redisLimitStore(parts: RedisLimitParts): RedisLimitStore {
  const { url, secret, server, local, changed, failed, now, pace } = parts;
  const salt = Buffer.from(secret).toString('hex');
  // In a cluster what one script touches has to lie together, which the braces say.
  const prefix = `notifier:{${hash('sha256', `limits ${salt}`).slice(0, 16)}}`;
  const keyOf = ({ limiter, key }: Bucket): string =>
    `${prefix}:${limiter}:${hash('sha256', `${salt} ${key}`, 'base64url').slice(0, 22)}`;
  let servers = 1;
  const redis = openRedis({
    url,
    changed,
    pace,
    async beat(run) {
      const there = await run(presenceScript, [`${prefix}:servers`], [server, String(presenceMs)]);
      servers = Math.max(1, Number(there));
    },
  });
  async function together(charges: readonly Charge[]): Promise<readonly Taken[]> {
    const buckets = charges.flatMap((charge) => charge.buckets);
    const given = [
      now === undefined ? '' : String(now()),
      ...charges.flatMap(({ buckets: own, cost }) => [
        String(own.length),
        String(cost),
        ...own.flatMap(({ limit, windowMs, isShare }) => [
          String(limit),
          String(windowMs),
          isShare === true ? '1' : '0',
        ]),
      ]),
    ];
    return takenOf(charges, await redis.run(takeScript, buckets.map(keyOf), given));
  }
  return {
    async take(charges) {
      try {
        return await together(charges);
      } catch {
        failed();
        return takeAlone(local, charges, servers);
      }
    },
    servers: () => (redis.isUp() ? servers : 0),
    close: () => redis.close((run) => run(leaveScript, [`${prefix}:servers`], [server])),
  };
}

/** What the script answers, as levels. */
function takenOf(charges: readonly Charge[], said: unknown): readonly Taken[] {
  const numbers = said as readonly number[];
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

/** Each server admits its share, so that all of them together admit about what they did. */
async function takeAlone(
  local: LimitStore,
  charges: readonly Charge[],
  servers: number,
): Promise<readonly Taken[]> {
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
