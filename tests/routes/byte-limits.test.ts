import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { updateRateLimits } from '@sentry/core';
import { createKey } from '../../src/core/projects/keys.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { closerAfterTest } from '../support/shared.ts';
import { inFull } from '../support/test-level.ts';

const kibibyte = 1024;
const [first, second] = ['203.0.113.1', '203.0.113.2'];
const closeAfterTest = closerAfterTest();

async function limitedApp(env: Record<string, string> = {}): Promise<TestApp> {
  return closeAfterTest(
    await openTestApp({
      env: {
        RATE_LIMITS: 'on',
        TRUST_PROXY: '127.0.0.1',
        RATE_LIMIT_BYTES_PER_MINUTE: String(400 * kibibyte),
        RATE_LIMIT_BYTES_PER_ADDRESS_PER_MINUTE: String(100 * kibibyte),
        ...env,
      },
      domains: ['shop.example'],
    }),
  );
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at member by member.
  readonly body: any;
}

interface Sending {
  readonly from?: string;
  readonly key?: string;
  readonly path?: string;
  readonly encoding?: string;
}

function send(app: TestApp, body: string | Buffer, sending: Sending = {}): Promise<Answer> {
  const { from = first, key = app.publicKey, path = '/envelope', encoding } = sending;
  const request = app.agent
    .post(`/wp-json/notifier/v1${path}`)
    .set({ 'X-Notifier-Key': key, 'X-Forwarded-For': from, 'Content-Type': 'application/octet-stream' });
  if (encoding !== undefined) request.set('Content-Encoding', encoding);
  return request.serialize((given: unknown) => given as string).send(body) as unknown as Promise<Answer>;
}

function envelopeOf(bytes: number): Buffer {
  const event = JSON.stringify({ event_id: randomBytes(16).toString('hex'), message: 'with a file' });
  const head = `{}\n{"type":"event"}\n${event}\n{"type":"attachment","length":${bytes},"filename":"a.bin"}\n`;
  return Buffer.concat([Buffer.from(head), randomBytes(bytes)]);
}

const large = (bytes: number): string => JSON.stringify({ message: 'm', extra: { text: 'x'.repeat(bytes) } });
const kept = (app: TestApp): Promise<number> => app.deps.store.countStoredEvents(app.project.id);

describe('bytes are charged after decompression', () => {
  it.each([
    ['/envelope', (): Buffer => envelopeOf(110 * kibibyte), undefined],
    ['/store', () => large(110 * kibibyte), undefined],
    ['/store', () => gzipSync(large(110 * kibibyte)), 'gzip'],
    ['/envelope', () => gzipSync(`{}\n{"type":"event"}\n${large(110 * kibibyte)}\n`), 'gzip'],
  ])('of an address at %s: a body over the limit is refused and not stored', async (path, body, encoding) => {
    const app = await limitedApp();
    const sending = { path, ...(encoding === undefined ? {} : { encoding }) };
    // What a request takes beyond the window begins the next one, as with items.
    expect(await send(app, body(), sending)).toHaveStatus(201);
    const small = path === '/store' ? '{"message":"small"}' : '{}\n{"type":"event"}\n{"message":"small"}\n';
    const refused = await send(app, small, { path });
    expect([refused.status, refused.body.code, refused.body.data]).toEqual([
      429,
      'rest_too_many_requests',
      { status: 429, retry_after: 60 },
    ]);
    expect(refused.headers).toMatchObject({
      'retry-after': '60',
      'x-sentry-rate-limits': '60:error:key:key_quota',
    });
    expect(refused.headers['ratelimit']).toContain('"bytes-address"; r=0; t=60');
    expect(refused.headers['ratelimit-policy']).toContain(`"bytes-address"; q=${100 * kibibyte}; w=60`);
    expect(updateRateLimits({}, { statusCode: 429, headers: sdkHeaders(refused) }, 0)).toEqual({
      error: 60_000,
    });
    expect(await kept(app)).toBe(1);
    // Nobody else is told of it: another address of the same key, and another project.
    expect(await send(app, small, { path, from: second })).toHaveStatus(201);
    const other = await app.addProject('other');
    expect(await send(app, small, { path, from: second, key: other.publicKey })).toHaveStatus(201);
    app.advance(60_000);
    expect(await send(app, small, { path })).toHaveStatus(201);
  });

  inFull(it)('of concurrent requests: one is admitted, however many had begun', async () => {
    const app = await limitedApp();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => send(app, envelopeOf(110 * kibibyte))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(429)]);
    expect(await kept(app)).toBe(1);
  });

  it('of a key from many addresses, and of a project with many keys', async () => {
    const app = await limitedApp({ RATE_LIMIT_BYTES_PER_PROJECT_PER_MINUTE: String(500 * kibibyte) });
    const another = await createKey(app.deps, app.project.id, 'public');
    const from = (number: number) => ({ from: `198.51.100.${number}` });
    const sendFrom = (number: number, key: string) =>
      send(app, envelopeOf(90 * kibibyte), { ...from(number), key }).then(({ status }) => status);
    const ofKey: number[] = [];
    for (let number = 1; number <= 6; number += 1) ofKey.push(await sendFrom(number, app.publicKey));
    expect(ofKey).toEqual([201, 201, 201, 201, 201, 429]);
    const ofProject: number[] = [];
    for (let number = 7; number <= 9; number += 1) ofProject.push(await sendFrom(number, another.text));
    expect(ofProject).toEqual([201, 429, 429]);
  });

  it('a bomb is charged with its decompressed bytes', async () => {
    const app = await limitedApp();
    const bomb = brotliCompressSync(Buffer.alloc(32 * 1_048_576, 0x20), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 2 },
    });
    expect(await send(app, bomb, { path: '/store', encoding: 'br' })).toHaveStatus(400);
    expect(await send(app, '{"message":"small"}', { path: '/store' })).toHaveStatus(429);
    const { publicKey: key } = await app.addProject('other');
    expect(await send(app, bomb, { encoding: 'br', from: second, key })).toHaveStatus(400);
    expect(await send(app, '{}\n{"type":"event"}\n{}\n', { from: second, key })).toHaveStatus(429);
  });

  it('client reports are read and counted although no bytes are left', async () => {
    const app = await limitedApp();
    expect(await send(app, envelopeOf(110 * kibibyte))).toHaveStatus(201);
    const report = '{"discarded_events":[{"reason":"ratelimit_backoff","category":"error","quantity":7}]}';
    expect(await send(app, `{}\n{"type":"client_report"}\n${report}\n`)).toHaveStatus(200);
    expect(await send(app, envelopeOf(110 * kibibyte))).toHaveStatus(429);
  });

  it('unsupported items have their own byte limit', async () => {
    const app = await limitedApp();
    const replay = `{}\n{"type":"replay_recording","length":${150 * kibibyte}}\n${'x'.repeat(150 * kibibyte)}\n`;
    expect(await send(app, replay)).toHaveStatus(200);
    expect(await send(app, replay)).toHaveStatus(429);
    expect(await send(app, '{}\n{"type":"event"}\n{"message":"small"}\n')).toHaveStatus(201);
  });

  it('bug reports and /sdk-verify are charged too, requests with a secret key are not', async () => {
    const app = await limitedApp();
    expect(await send(app, envelopeOf(110 * kibibyte))).toHaveStatus(201);
    expect(await send(app, '{"message":"it does not work"}', { path: '/feedback' })).toHaveStatus(429);
    expect(await send(app, '{}', { path: '/sdk-verify' })).toHaveStatus(429);
    const notes = 'x'.repeat(200 * kibibyte);
    const body = { version: '1.0', commits: [{ id: 'abc', message: notes }] };
    for (let times = 0; times < 2; times += 1) {
      const answer = await app.postSecret('/releases', body).set('X-Forwarded-For', first);
      expect(answer.status).toBeLessThan(429);
    }
  });
});

function sdkHeaders({ headers }: Answer) {
  return {
    'x-sentry-rate-limits': headers['x-sentry-rate-limits'] ?? null,
    'retry-after': headers['retry-after'] ?? null,
  };
}
