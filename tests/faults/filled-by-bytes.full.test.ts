import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { silentLog } from '../../src/app/log.ts';
import { openDeps } from '../../src/app/open-deps.ts';
import { createKey } from '../../src/core/projects/keys.ts';
import { type RunningRedis, runRedis } from '../redis/support/redis-server.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { type RunningProgram, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const mebibyte = 1_048_576;
const envelopes = 18;
const attachmentBytes = 17 * mebibyte;
const [attacker, currentUser] = ['203.0.113.66', '198.51.100.7'];
const publicKey = 'filled-public-1';

function letters(bytes: number): Buffer {
  const text = Buffer.alloc(bytes);
  const random = randomBytes(Math.ceil(bytes / 4));
  for (let at = 0; at < bytes; at += 1) text[at] = 65 + (((random[at >> 2] ?? 0) >> (2 * (at & 3))) & 3);
  return text;
}

const attack = gzipSync(
  Buffer.concat([
    Buffer.from('{}\n{"type":"event"}\n{"message":"filled"}\n'),
    Buffer.from(`{"type":"attachment","length":${attachmentBytes},"filename":"a.bin"}\n`),
    letters(attachmentBytes),
  ]),
  { level: 6 },
);

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

async function post(
  { origin }: RunningProgram,
  {
    from,
    key = publicKey,
    body,
    encoding,
  }: { from: string; key?: string; body: Buffer | string; encoding?: string },
): Promise<Answer> {
  const headers = { 'X-Notifier-Key': key, 'X-Forwarded-For': from, Connection: 'close' };
  const answer = await fetch(`${origin}/wp-json/notifier/v1/envelope`, {
    method: 'POST',
    headers: encoding === undefined ? headers : { ...headers, 'Content-Encoding': encoding },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}

const small = '{}\n{"type":"event"}\n{"message":"of somebody else"}\n';

describe('18 envelopes of 17 MiB from one address', () => {
  const running: RunningProgram[] = [];
  const folder = temporaryFolder();
  let redis: RunningRedis | undefined;
  afterAll(async () => {
    for (const each of running) await each.end('SIGKILL');
    await redis?.end();
    folder.remove();
  });

  async function start(
    name: string,
    more: Record<string, string>,
    count = 1,
  ): Promise<{ servers: RunningProgram[]; other: string }> {
    const env = {
      DATABASE_URL: `sqlite:${join(folder.path, `${name}.db`)}`,
      NOTIFIER_PUBLIC_KEY: publicKey,
      TRUST_PROXY: '127.0.0.1',
      LOG_LEVEL: 'info',
      ...more,
    };
    const opened = await openDeps(env, { log: silentLog });
    await opened.deps.store.createProject({ name: 'default', createdAtMs: Date.now() });
    const other = await opened.deps.store.createProject({ name: 'other', createdAtMs: Date.now() });
    const { text } = await createKey(opened.deps, other.id, 'public');
    await opened.close();
    const servers: RunningProgram[] = [];
    for (let each = 0; each < count; each += 1) {
      servers.push(await startProgram({ ...env, NOTIFIER_PROJECT: 'default' }));
    }
    running.push(...servers);
    return { servers, other: text };
  }
  const bytesOf = (name: string): number =>
    readdirSync(folder.path)
      .filter((file) => file.startsWith(name) && !file.endsWith('-reserve'))
      .reduce((sum, file) => sum + statSync(join(folder.path, file)).size, 0);

  async function expectRefused(servers: readonly RunningProgram[], other: string): Promise<void> {
    const serverOf = (index: number): RunningProgram => servers[index % servers.length] as RunningProgram;
    const statuses: number[] = [];
    const refused: Answer[] = [];
    const unexpected: Answer[] = [];
    for (let sent = 0; sent < envelopes; sent += 3) {
      const answers = await Promise.all(
        [0, 1, 2].map((each) =>
          post(serverOf(sent + each), { from: attacker, body: attack, encoding: 'gzip' }),
        ),
      );
      statuses.push(...answers.map(({ status }) => status));
      refused.push(...answers.filter(({ status }) => status === 429));
      unexpected.push(...answers.filter(({ status }) => status !== 201 && status !== 429));
    }
    // One that began while something was left; while Redis is too slow each server counts a share by itself.
    const admittedMax = servers.length === 1 ? 1 : 1 + servers.length;
    expect(unexpected).toEqual([]);
    expect(new Set(statuses)).toEqual(new Set([201, 429]));
    expect(envelopes - refused.length).toBeLessThanOrEqual(admittedMax);
    for (const { body, headers } of refused) {
      expect(JSON.parse(body)).toMatchObject({ code: 'rest_too_many_requests', data: { status: 429 } });
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(headers.get('X-Sentry-Rate-Limits')).toMatch(/^\d+:error:key:key_quota$/);
    }
    expect(refused.at(-1)?.headers.get('RateLimit')).toContain('"bytes-address"; r=0');
    for (const server of servers) {
      expect(await post(server, { from: currentUser, body: small })).toMatchObject({ status: 201 });
      expect(await post(server, { from: currentUser, key: other, body: small })).toMatchObject({
        status: 201,
      });
    }
  }

  it('are refused with 429 but for one, and nobody else is', async () => {
    const { servers, other } = await start('alone', {});
    await expectRefused(servers, other);
    expect(bytesOf('alone')).toBeLessThan(attachmentBytes / 2);
  });

  describeWithPrograms('with Redis', ['redis-server'], ({ 'redis-server': redisServer = '' }) => {
    it('by two servers together', async () => {
      redis = await runRedis(redisServer);
      const { servers, other } = await start('redis', { REDIS_URL: redis.url }, 2);
      const isTogether = ({ errors }: RunningProgram): boolean =>
        errors().includes('rate limits are counted in Redis');
      await until(() => servers.every(isTogether));
      await expectRefused(servers, other);
    });
  });
});
