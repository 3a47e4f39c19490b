import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { defaultMemoryLimit, type ProcessLoad } from '../../../src/app/metrics/process-load.ts';
import type { AdmissionLimits } from '../../../src/http/server/admission.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { metricsHeaders, metricsSettings } from '../../support/program.ts';
import { until } from '../../support/until.ts';

const idle: ProcessLoad = { memoryShare: 0.3, queueShare: 0, diskFreeBytes: 1e12 };
const mebibyte = 1_048_576;

let app: TestApp;
let now = idle;
afterEach(() => app.close());

async function openApp(admission: Partial<AdmissionLimits> = {}): Promise<void> {
  now = idle;
  app = await openTestApp({
    env: metricsSettings,
    pressure: () => now,
    // A busy machine takes longer than the two seconds that a request waits elsewhere.
    admission: { concurrencyMax: 2, waitMsMax: 60_000, pressureCheckMs: 20, ...admission },
  });
  const { applyConfiguration: settle } = await import('../../../src/core/projects/apply-configuration.ts');
  await settle(app.deps, () => {});
}

function holdEvents(): () => void {
  const { store } = app.deps;
  const { recordEvent } = store;
  const gone = Promise.withResolvers<void>();
  Object.assign(store, {
    recordEvent: async (...parts: Parameters<typeof recordEvent>) => {
      await gone.promise;
      return recordEvent.apply(store, parts);
    },
  });
  return () => {
    Object.assign(store, { recordEvent });
    gone.resolve();
  };
}

const store = () => app.post('/store', { message: 'm' });
type Item = readonly [type: string, payload: object];
function envelope(items: readonly Item[], encoding?: 'gzip') {
  const lines = items.map(([type, payload]) => {
    const text = JSON.stringify(payload);
    return `${JSON.stringify({ type, length: Buffer.byteLength(text) })}\n${text}\n`;
  });
  const body = Buffer.from(`{}\n${lines.join('')}`);
  return app.agent
    .post('/wp-json/notifier/v1/envelope')
    .set({ 'X-Notifier-Key': app.publicKey, 'Content-Type': 'application/x-sentry-envelope' })
    .set(encoding === undefined ? {} : { 'Content-Encoding': encoding })
    .send(encoding === undefined ? body : gzipSync(body));
}
const event: Item = ['event', { message: 'kept' }];
const transaction: Item = ['transaction', { type: 'transaction', spans: 'x'.repeat(200_000) }];

async function metric(name: string): Promise<number> {
  const { text } = await app.agent.get('/metrics').set(metricsHeaders).expect(200);
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}
const waiting = () => metric('notifier_requests_waiting');
const statusOf = (asked: PromiseLike<{ status: number }>) => asked.then(({ status }) => status);

async function holdTurns(): Promise<{ letGo(): void; held: Promise<number[]> }> {
  const letGo = holdEvents();
  const held = Promise.all([statusOf(store()), statusOf(store())]);
  const third = statusOf(store());
  await until(async () => (await waiting()) === 1);
  return { letGo, held: Promise.all([held, third]).then(([two, one]) => [...two, one]) };
}

describe('requests past the concurrency limit', () => {
  it('wait for a free slot, and are answered as usual', async () => {
    await openApp();
    const { letGo, held } = await holdTurns();
    const feedback = statusOf(app.post('/feedback', { message: 'It is slow', url: 'https://a.test/' }));
    const late = envelope([event]);
    const sent = statusOf(late);
    await until(async () => (await waiting()) === 3);
    letGo();
    expect(await held).toEqual([201, 201, 201]);
    expect([await sent, await feedback]).toEqual([201, 403]);
    expect([await waiting(), await metric('notifier_request_wait_seconds_count')]).toEqual([0, 5]);
  });

  it('get 429 after the maximum wait, with the categories that an SDK must hold back', async () => {
    await openApp({ waitMsMax: 100 });
    const letGo = holdEvents();
    const held = [statusOf(store()), statusOf(store())];
    await until(async () => (await metric('notifier_ingest_inflight_requests')) === 3);
    const answers = await Promise.all([
      store(),
      envelope([event]),
      envelope([['check_in', { monitor_slug: 'a', status: 'ok' }], event]),
      envelope([['session', { sid: 'a' }]], 'gzip'),
      app.post('/feedback', { message: 'm' }),
      app.agent.post('/?rest_route=/Notifier/v1/STORE'),
    ]);
    letGo();
    for (const { status, body, headers } of answers) {
      expect([status, body.code]).toEqual([429, 'rest_too_many_requests']);
      expect(headers['retry-after']).toBe(String(body.data.retry_after));
      expect(headers).toMatchObject({ 'access-control-allow-headers': expect.any(String) });
    }
    expect(answers.map(({ headers }) => (headers['x-sentry-rate-limits'] ?? '').replace(/\d+:/, ''))).toEqual(
      [
        'error:key:overload',
        'error:key:overload',
        'monitor:key:overload',
        'session:key:overload',
        'feedback:key:overload',
        'error:key:overload',
      ],
    );
    expect(await Promise.all(held)).toEqual([201, 201]);
    expect(await metric('notifier_requests_refused_total{reason="waited"}')).toBe(6);
    expect(await metric('notifier_events_total{outcome="shed",reason="overload",category="unknown"}')).toBe(
      6,
    );
  });

  it('are refused late when the queue is full, and their bodies are discarded', async () => {
    await openApp({ waitingBytesMax: 16_384, refuseAfterMs: 60_000 });
    const { letGo, held } = await holdTurns();
    const sent = request(`${app.api}/store`, {
      method: 'POST',
      headers: { 'X-Notifier-Key': app.publicKey, 'Content-Length': 8 * mebibyte },
    });
    let isAnswered = false;
    sent
      .on('error', () => {})
      .on('response', () => {
        isAnswered = true;
      });
    await new Promise<void>((resolve) => sent.end(Buffer.alloc(8 * mebibyte), () => resolve()));
    expect(await metric('notifier_requests_refused_total{reason="waiting_bytes"}')).toBe(1);
    expect(isAnswered).toBe(false);
    sent.destroy();
    letGo();
    expect(await held).toEqual([201, 201, 201]);
  });

  it('are not refused when the queue is full if none of their items is stored', async () => {
    await openApp({ waitingBytesMax: 16_384, refuseAfterMs: 0 });
    const { letGo, held } = await holdTurns();
    const answers = await Promise.all([
      envelope([transaction]),
      envelope([transaction, event]),
      envelope([['session', { sid: 'a'.repeat(200_000) }]]),
    ]);
    letGo();
    const said = answers.map(({ status, headers }) => [
      status,
      (headers['x-sentry-rate-limits'] ?? '').replace(/\d+:/, ''),
    ]);
    expect(said).toEqual([
      [200, 'transaction:organization:not_taken'],
      [429, 'error:key:overload'],
      [429, 'session:key:overload'],
    ]);
    expect(await metric('notifier_requests_refused_total{reason="waiting_bytes"}')).toBe(2);
    expect(await held).toEqual([201, 201, 201]);
  });

  it('do not delay requests without events', async () => {
    await openApp();
    const { letGo, held } = await holdTurns();
    await app.get('/issues').expect(200);
    await app.postSecret('/releases', { version: '1.0.0' }).expect(201);
    await app.agent.get('/readyz').expect(200);
    letGo();
    expect(await held).toEqual([201, 201, 201]);
  });

  it('leave the queue when their client disconnects', async () => {
    await openApp();
    const { letGo, held } = await holdTurns();
    const sent = request(`${app.api}/store`, {
      method: 'POST',
      headers: { 'X-Notifier-Key': app.publicKey },
    });
    sent.on('error', () => {}).end('{"message":"nobody waits for this"}');
    await until(async () => (await waiting()) === 2);
    // Who only says that nothing more will come may still read an answer; who resets the connection is gone.
    sent.socket?.resetAndDestroy();
    await until(async () => (await waiting()) === 1);
    letGo();
    expect(await held).toEqual([201, 201, 201]);
  });
});

describe('an envelope that begins with unsupported items', () => {
  it.each([undefined, 'gzip'] as const)('is answered without waiting (%s)', async (encoding) => {
    await openApp();
    const { letGo, held } = await holdTurns();
    const answer = await envelope([transaction, ['replay_event', {}]], encoding).expect(200);
    expect(answer.body).toMatchObject({ skipped: { transaction: 1, replay_event: 1 } });
    expect(answer.headers['x-sentry-rate-limits']).toMatch(/transaction.*replay/);
    letGo();
    await held;
  });

  it.each([undefined, 'gzip'] as const)('waits if it also has an event (%s)', async (encoding) => {
    await openApp();
    const { letGo, held } = await holdTurns();
    const sent = envelope([transaction, event, transaction], encoding).then((answer) => answer);
    await until(async () => (await waiting()) === 2);
    letGo();
    const { status, body } = await sent;
    expect([status, body.items, body.skipped]).toEqual([201, { event: 1 }, { transaction: 2 }]);
    await held;
    expect((await app.get(`/events/${body.id}`)).status).toBe(200);
  });
});

describe('a shortage', () => {
  it('of memory: events wait and are refused, all else is served', async () => {
    await openApp({ waitMsMax: 50 });
    now = { ...idle, memoryShare: 0.96 };
    await until(async () => (await app.agent.get('/readyz')).status === 503);
    expect((await app.agent.get('/readyz')).body).toMatchObject({ ready: false, scarce: 'memory' });
    await store().expect(429);
    expect(await metric('notifier_requests_refused_total{reason="memory"}')).toBe(1);
    await app.get('/issues').expect(200);
    now = idle;
    await until(async () => (await store()).status === 201);
  });

  it('of disk space: writes are refused, reads are served', async () => {
    await openApp();
    now = { ...idle, diskFreeBytes: 5 };
    await until(async () => (await app.agent.get('/readyz')).status === 503);
    expect((await store().expect(503)).body.code).toBe('rest_unavailable');
    await app.postSecret('/releases', { version: '1.0.0' }).expect(503);
    await app.get('/issues').expect(200);
    now = idle;
    await until(async () => (await store()).status === 201);
  });
});

describe('the default memory limit', () => {
  const gibibyte = 1024 * mebibyte;
  it.each([
    ['what a container allows', 768 * mebibyte, 8 * gibibyte, 768 * mebibyte],
    ['half of a machine without a limit', 2 ** 63, 8 * gibibyte, 4 * gibibyte],
    ['half of a machine that says nothing', 0, 8 * gibibyte, 4 * gibibyte],
    ['512 MiB on a small machine', 0, 0.6 * gibibyte, 512 * mebibyte],
  ])('is %s', (_what, allowed, machine, limit) => {
    expect(defaultMemoryLimit(allowed, machine)).toBe(limit);
  });
});
