import { expect, it } from '@jest/globals';
import { loadConfig } from '../../src/core/config/config.ts';
import { findRedisProblem, openRedis } from '../../src/redis/connection.ts';

const refused = ['redis://127.0.0.1:1/abc', 'redis://user:%zz@127.0.0.1:1'];

it.each(refused)('%s is reported as unavailable, with the reason', async (url) => {
  const told = Promise.withResolvers<readonly [isUp: boolean, why: string]>();
  const connection = openRedis({
    url,
    heartbeat: async () => null,
    changed: (isUp, why) => told.resolve([isUp, why]),
    timings: { answerMs: 100, heartbeatMs: 100, reconnectMs: 1 },
  });
  expect(await told.promise).toEqual([false, expect.stringMatching(/\w/)]);
  expect(connection.isUp()).toBe(false);
  await connection.close();
});

it.each(refused)('%s is reported as an error', async (url) => {
  expect(await findRedisProblem(url)).toMatch(/\w/);
});

const addresses: ReadonlyArray<readonly [url: string, isTaken: boolean]> = [
  ['redis://127.0.0.1', true],
  ['redis://127.0.0.1:6379/', true],
  ['rediss://user:word@cache.example/12', true],
  ['redis://127.0.0.1/abc', false],
  ['redis://127.0.0.1/1/2', false],
  ['redis://127.0.0.1/-1', false],
];

it.each(addresses)('REDIS_URL=%s is accepted: %s', (url, isTaken) => {
  const read = (): string | null => loadConfig({ REDIS_URL: url }, () => '').redisUrl;
  if (isTaken) expect(read()).toBe(url);
  else expect(read).toThrow(/^REDIS_URL must contain a host, optionally followed by a database number/);
});
