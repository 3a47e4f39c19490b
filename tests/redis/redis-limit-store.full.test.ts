import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { silentLog } from '../../src/app/log.ts';
import { openSharedLimits } from '../../src/app/open-deps.ts';
import { loadConfig } from '../../src/core/config/config.ts';
import type { Charge, LimitStore } from '../../src/core/ports/limit-store.ts';
import type { Meter } from '../../src/core/ports/metrics.ts';
import { createMemoryLimitStore } from '../../src/http/limits/limit-store.ts';
import { findRedisProblem } from '../../src/redis/connection.ts';
import { openRedisLimitStore, type RedisLimitStore } from '../../src/redis/redis-limit-store.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { closerAfterTest, shared } from '../support/shared.ts';
import { runs } from '../support/test-level.ts';
import { until } from '../support/until.ts';
import { type RedisDoor, redisDoor, runRedis } from './support/redis-server.ts';

const windowMs = 60_000;
const events = (key: string, limit = 10): Charge['buckets'] => [{ limiter: 'events', key, limit, windowMs }];

describeWithPrograms('rate limits in Redis', ['redis-server'], ({ 'redis-server': program = '' }) => {
  const redis = shared(() => runRedis(program));
  const closeAfterTest = closerAfterTest();

  /** However busy the machine is, Redis is not taken for away. */
  const calm = { answerMs: 60_000, heartbeatMs: 60_000, reconnectMs: 50 };
  const usual = { answerMs: 100, heartbeatMs: 50, reconnectMs: 50 };

  interface ServerOptions {
    readonly installation?: string;
    readonly now?: () => number;
    readonly pace?: typeof calm;
  }

  interface Server {
    readonly store: RedisLimitStore;
    failed: number;
  }

  let made = 0;
  /** One of the servers of an installation; `open` until Redis was there. */
  async function server(
    url: string,
    { installation = 'one', now, pace = calm }: ServerOptions = {},
  ): Promise<Server> {
    made += 1;
    const store = openRedisLimitStore({
      url,
      secret: Buffer.from(installation),
      server: `server ${made}`,
      local: createMemoryLimitStore(now ?? (() => performance.now())),
      changed() {},
      failed: () => {
        each.failed += 1;
      },
      timings: pace,
      ...(now === undefined ? {} : { now }),
    });
    const each: Server = { store, failed: 0 };
    closeAfterTest(store);
    await until(() => store.servers() > 0);
    return each;
  }

  it('work as those of one server', async () => {
    let nowMs = 1_790_000_000_000;
    const now = (): number => nowMs;
    const two = [await server(redis.url, { now }), await server(redis.url, { now })];
    const charge = fc.record({
      at: fc.nat(1),
      afterMs: fc.constantFrom(0, 1, 400, 1_000, 2_500, -300),
      charges: fc.array(
        fc.record({
          cost: fc.nat(25),
          keys: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 2 }),
          share: fc.option(fc.constantFrom('x', 'y')),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    });
    let lives = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(charge, { maxLength: 40 }), async (steps) => {
        lives += 1;
        const one = createMemoryLimitStore(now);
        for (const { at, afterMs, charges } of steps) {
          nowMs += afterMs;
          const asked = charges.map(({ cost, keys, share }) => {
            const buckets = keys.map((key, index) => ({
              limiter: `limiter ${index}`,
              key: `${lives} ${key}`,
              limit: 10,
              windowMs: 1_000,
            }));
            const own = {
              limiter: 'share',
              key: `${lives} ${share}`,
              limit: 2,
              windowMs: 1_000,
              isShare: true,
            };
            return { cost, buckets: share === null ? buckets : [...buckets, own] };
          });
          expect(await two[at]?.store.take(asked)).toEqual(await one.take(asked));
        }
      }),
      { numRuns: runs(60) },
    );
    expect(two.map(({ failed }) => failed)).toEqual([0, 0]);
  });

  it('distinguish servers with the same host name, as in containers', async () => {
    const config = loadConfig({ REDIS_URL: redis.url }, () => '');
    const parts = { config, userHashKey: Buffer.from('alike'), log: silentLog, now: () => 1_000 };
    const open = async (): Promise<RedisLimitStore> => {
      const meter = { count() {} } as unknown as Meter;
      const store = await openSharedLimits({ ...parts, meter, serves: true });
      if (store === null) throw new Error('A Redis is named.');
      closeAfterTest(store);
      await until(() => store.servers() > 0);
      return store;
    };
    expect((await open()).servers()).toBe(1);
    expect((await open()).servers()).toBe(2);
  });

  it('are reported as failing where Redis answers but stores nothing', async () => {
    expect(await findRedisProblem(redis.url)).toBeNull();
    const full = await runRedis(program, ['--maxmemory', '1', '--maxmemory-policy', 'noeviction']);
    closeAfterTest(full);
    expect(await findRedisProblem(full.url)).toContain('OOM');
    const copy = await runRedis(program, ['--replicaof', '127.0.0.1', String(redis.port)]);
    closeAfterTest(copy);
    expect(await findRedisProblem(copy.url)).toContain('READONLY');
  });

  it('count for all servers of an installation together, by the clock of Redis, and for no other', async () => {
    const servers = [await server(redis.url), await server(redis.url)];
    const takes = await Promise.all(
      Array.from({ length: 30 }, (_each, index) =>
        servers[index % 2]?.store.take([{ buckets: events('shared'), cost: 1 }]),
      ),
    );
    expect(takes.filter((taken) => taken?.[0]?.admitted)).toHaveLength(10);
    const other = await server(redis.url, { installation: 'other' });
    expect(await other.store.take([{ buckets: events('shared'), cost: 1 }])).toMatchObject([
      { admitted: true, levels: [{ left: 9, resetMs: windowMs }] },
    ]);
  });

  it('are stored in Redis without IP addresses, and expire', async () => {
    const { store } = await server(redis.url);
    await store.take([{ buckets: events('192.0.2.77'), cost: 1 }]);
    const { createClient } = await import('@redis/client');
    const client = createClient({ url: redis.url });
    await client.connect();
    const keys = (await client.keys('*')).filter((key) => key.includes(':events:'));
    const lives = await Promise.all(keys.map((key) => client.pTTL(key)));
    client.destroy();
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.join(' ')).not.toContain('192.0.2');
    expect(lives.every((ms) => ms > 0 && ms <= 2 * windowMs)).toBe(true);
  });

  describe('while Redis is unavailable', () => {
    let door: RedisDoor;
    afterEach(async () => {
      await door.end();
    });

    async function admittedOf(store: LimitStore, charge: Charge, times: number): Promise<number> {
      let admitted = 0;
      for (let each = 0; each < times; each += 1) {
        const [taken] = await store.take([charge]);
        if (taken?.admitted === true) admitted += 1;
      }
      return admitted;
    }

    it.each(['nothing', 60] as const)(
      'passing %s: each server admits its share, and limits are shared again after it recovers',
      async (pass) => {
        door = await redisDoor(redis.port);
        const servers = [await server(door.url, { installation: `away ${pass}`, pace: usual })];
        servers.push(await server(door.url, { installation: `away ${pass}`, pace: usual }));
        await until(() => servers.every(({ store }) => store.servers() === 2));
        const [one, other] = servers as [Server, Server];
        door.pass = pass;
        await until(() => servers.every(({ store }) => store.servers() === 0));
        const failedBefore = one.failed;
        const cost = 1;
        expect(await admittedOf(one.store, { buckets: events('k'), cost }, 12)).toBe(5);
        expect(await admittedOf(other.store, { buckets: events('k'), cost }, 12)).toBe(5);
        const reports = [{ limiter: 'feedback', key: 'k', limit: 10, windowMs }];
        expect(
          await one.store.take([
            { buckets: reports, cost },
            { buckets: events('l'), cost },
          ]),
        ).toEqual([
          { admitted: false, levels: [{ left: 0, resetMs: 5_000 }] },
          { admitted: true, levels: [{ left: 4, resetMs: windowMs }] },
        ]);
        expect(one.failed - failedBefore).toBe(13);
        door.pass = 0;
        await until(() => servers.every(({ store }) => store.servers() === 2));
        expect(await admittedOf(one.store, { buckets: events('m'), cost }, 12)).toBe(10);
        expect((await one.store.take([{ buckets: reports, cost }]))[0]?.admitted).toBe(true);
      },
    );
  });
});
