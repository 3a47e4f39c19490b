// Limits that speak: every surface over HTTP, with a clock that the tests move.
import { describe, expect, it } from '@jest/globals';
import { StoreBusyError, StoreUnavailableError } from '../../src/core/errors.ts';
import type { Log } from '../../src/core/ports/log.ts';
import { createKey } from '../../src/core/projects/keys.ts';
import { openTestApp, type TestApp, type TestAppOptions } from '../support/app.ts';
import { closerAfterTest } from '../support/shared.ts';
import { inFull } from '../support/test-level.ts';

const closeAfterTest = closerAfterTest();

async function limitedApp(env: Record<string, string> = {}, more: TestAppOptions = {}): Promise<TestApp> {
  return closeAfterTest(await openTestApp({ ...more, env: { RATE_LIMITS: 'on', ...env } }));
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: { code: string; data: Record<string, unknown> };
}

const event = { message: 'limited' };

/** A 429, whole; `seconds` is how long to wait at most. */
function expectLimited(answer: Answer, seconds: number, onEvents: boolean): void {
  expect(answer).toHaveStatus(429);
  const wait = Number(answer.headers['retry-after']);
  expect(answer.body).toEqual({
    code: 'rest_too_many_requests',
    message: 'Too many requests. Please retry later.',
    data: { status: 429, retry_after: wait },
  });
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(seconds);
  expect(answer.headers['x-sentry-rate-limits']).toBe(onEvents ? `${wait}:error:key:key_quota` : undefined);
  expect(answer.headers['ratelimit']).toMatch(/r=0; t=\d+/);
}

function expectPolicies(
  answer: Answer,
  policies: ReadonlyArray<[name: string, quota: number, window: number]>,
): void {
  const lines = (name: string): string[] => (answer.headers[name] ?? '').split(', ');
  expect(lines('ratelimit-policy').map((line) => line.replace(/; pk=.*$/, ''))).toEqual(
    policies.map(([name, quota, window]) => `"${name}"; q=${quota}; w=${window}`),
  );
  expect(lines('ratelimit').map((line) => line.split(';')[0])).toEqual(policies.map(([name]) => `"${name}"`));
  for (const line of lines('ratelimit')) expect(line).toMatch(/^"[a-z-]+"; r=\d+; t=\d+$/);
}

describe('events', () => {
  const policies: Array<[string, number, number]> = [
    ['events', 2, 60],
    ['events-address', 300, 60],
  ];

  it('are limited by key, on every address for events, and free again after the window', async () => {
    const app = await limitedApp({ RATE_LIMIT_EVENTS_PER_MINUTE: '2' });
    expect(await app.post('/store', event)).toHaveStatus(201);
    expect(await app.post('/envelope', { message: 'x' })).toHaveStatus(201);
    for (const path of [
      '/store',
      '/envelope',
      `/api/${app.project.id}/store/`,
      `/api/${app.project.id}/envelope/`,
    ]) {
      const answer = await app.post(path, event);
      expectLimited(answer, 60, true);
      expectPolicies(answer, policies);
    }
    const other = await app.addProject('other');
    expect(await app.post('/store', event, { 'X-Notifier-Key': other.publicKey })).toHaveStatus(201);
    app.advance(60_000);
    expect(await app.post('/store', event)).toHaveStatus(201);
  });

  it('show how much is left on every answer, refusals included', async () => {
    const app = await limitedApp({ RATE_LIMIT_EVENTS_PER_MINUTE: '2' });
    const fine = await app.post('/store', event);
    expectPolicies(fine, policies);
    expect(fine.headers['ratelimit']).toContain('"events"; r=1; t=60');
    const bad = await app.post('/store', { message: 5 });
    expect(bad).toHaveStatus(400);
    expectPolicies(bad, policies);
    expect(bad.headers['ratelimit']).toContain('"events"; r=0; t=60');
    expect(bad.headers['x-sentry-rate-limits']).toBeUndefined();
  });

  it('are limited by address over all keys', async () => {
    const app = await limitedApp({ RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '2' });
    const other = await app.addProject('other');
    expect(await app.post('/store', event)).toHaveStatus(201);
    expect(await app.post('/store', event, { 'X-Notifier-Key': other.publicKey })).toHaveStatus(201);
    expectLimited(await app.post('/store', event), 60, true);
  });

  it('past the limit still accept client reports, however often they repeat', async () => {
    const app = await limitedApp({ RATE_LIMIT_EVENTS_PER_MINUTE: '1' });
    const send = (body: string) =>
      app.agent.post('/wp-json/notifier/v1/envelope').set('X-Notifier-Key', app.publicKey).send(body);
    const report =
      '{"type":"client_report"}\n{"discarded_events":[{"reason":"ratelimit_backoff","category":"error","quantity":3}]}\n';
    const session = '{"type":"session"}\n{"init":true}\n';
    expect(await send(`{}\n{"type":"event"}\n{"message":"first"}\n`)).toHaveStatus(201);
    for (let times = 0; times < 3; times += 1) {
      const answer = await send(`{}\n${report}`);
      expect([answer.status, answer.body]).toEqual([200, { accepted: true, items: { client_report: 1 } }]);
    }
    expectLimited(await send(`{}\n${report}${session}`), 60, true);
    expectLimited(
      await send(`{}\n{"type":"event"}\n${JSON.stringify({ message: 'x'.repeat(400_000) })}\n`),
      60,
      true,
    );
    const { body } = await app.get('/outcomes');
    expect(body[0].outcomes).toEqual([
      { outcome: 'accepted', reason: '', category: 'error', quantity: 1 },
      { outcome: 'client_discard', reason: 'ratelimit_backoff', category: 'error', quantity: 12 },
      { outcome: 'rate_limited', reason: 'key_quota', category: 'error', quantity: 1 },
      { outcome: 'rate_limited', reason: 'key_quota', category: 'session', quantity: 1 },
    ]);
  });
});

describe('other surfaces', () => {
  const feedback = { message: 'A button is gone', url: 'https://shop.example/' };

  it('/feedback by address', async () => {
    const app = await limitedApp({ RATE_LIMIT_FEEDBACK_PER_ADDRESS_PER_MINUTE: '2' });
    expect(await app.post('/feedback', feedback)).toHaveStatus(403);
    expect(await app.post('/feedback', feedback)).toHaveStatus(403);
    const answer = await app.post('/feedback', feedback);
    expectLimited(answer, 60, false);
    expectPolicies(answer, [
      ['feedback-address', 2, 60],
      ['feedback', 100, 3600],
    ]);
    app.advance(60_000);
    expect(await app.post('/feedback', feedback)).toHaveStatus(403);
  });

  it('/feedback by key and hour', async () => {
    const app = await limitedApp({ RATE_LIMIT_FEEDBACK_PER_HOUR: '2' });
    for (let times = 0; times < 2; times += 1) {
      expect(await app.post('/feedback', feedback)).toHaveStatus(403);
    }
    app.advance(61_000);
    expectLimited(await app.post('/feedback', feedback), 3600, false);
    app.advance(3_600_000);
    expect(await app.post('/feedback', feedback)).toHaveStatus(403);
  });

  it('/sdk-verify by address', async () => {
    const app = await limitedApp({ RATE_LIMIT_VERIFY_PER_ADDRESS_PER_MINUTE: '1' });
    const body = { sdk: { name: 'x', version: '1.0' }, url: 'https://shop.example/' };
    expect(await app.post('/sdk-verify', body)).toHaveStatus(200);
    const answer = await app.post('/sdk-verify', body);
    expectLimited(answer, 60, false);
    expectPolicies(answer, [['verify-address', 1, 60]]);
  });

  it('server routes by key, reads and writes together', async () => {
    const app = await limitedApp({ RATE_LIMIT_SERVER_PER_MINUTE: '2' });
    const second = await createKey(app.deps, app.project.id, 'secret');
    expect(await app.get('/issues')).toHaveStatus(200);
    expect(await app.postSecret('/releases', { version: '1.0.0' })).toHaveStatus(201);
    const answer = await app.get('/outcomes');
    expectLimited(answer, 60, false);
    expectPolicies(answer, [['server', 2, 60]]);
    const other = await app.agent
      .get('/wp-json/notifier/v1/issues')
      .set('Authorization', `Bearer ${second.text}`);
    expect(other).toHaveStatus(200);
  });

  it('upload chunks have a limit of their own', async () => {
    const app = await limitedApp({ RATE_LIMIT_CHUNKS_PER_MINUTE: '1', RATE_LIMIT_SERVER_PER_MINUTE: '1' });
    const send = () =>
      app.agent
        .post('/api/0/organizations/any/chunk-upload/')
        .set('Authorization', `Bearer ${app.secretKey}`)
        .attach('file', Buffer.from('x'), '11f6ad8ec52a2984abaafd7c3b516503785c2072');
    expect(await send()).toHaveStatus(200);
    const answer = await send();
    expect(answer).toHaveStatus(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(await app.get('/issues')).toHaveStatus(200);
  });

  it('new domain verifications by project, whatever key', async () => {
    const app = await limitedApp({ RATE_LIMIT_PROOFS_PER_HOUR: '1' });
    expect(await app.postSecret('/domain-verifications', { domain: 'shop.example.org' })).toHaveStatus(201);
    const second = await createKey(app.deps, app.project.id, 'secret');
    const answer = await app.post(
      '/domain-verifications',
      { domain: 'other.example.org' },
      { Authorization: `Bearer ${second.text}` },
    );
    expectLimited(answer, 3600, false);
    expectPolicies(answer, [['proofs', 1, 3600]]);
  });

  it('checks by verification', async () => {
    const app = await limitedApp({ RATE_LIMIT_CHECKS_PER_MINUTE: '1' });
    const make = async (domain: string): Promise<string> =>
      (await app.postSecret('/domain-verifications', { domain })).body.id;
    const [one, two] = [await make('one.example.org'), await make('two.example.org')];
    const check = (id: string) => app.postSecret(`/domain-verifications/${id}/check`, {});
    expect(await check(one)).toHaveStatus(200);
    expectLimited(await check(one), 60, false);
    expect(await check(two)).toHaveStatus(200);
  });
});

describe('failed credentials', () => {
  it('are limited by address, and never block a valid key', async () => {
    const app = await limitedApp({ RATE_LIMIT_BAD_CREDENTIALS_PER_MINUTE: '2' });
    const bad = (path: string) => app.post(path, event, { 'X-Notifier-Key': 'ntf_pk_nobody' });
    expect(await bad('/store')).toHaveStatus(401);
    expect(await bad('/envelope')).toHaveStatus(401);
    for (const path of ['/store', '/envelope']) expectLimited(await bad(path), 60, true);
    for (const path of ['/feedback', '/releases']) expectLimited(await bad(path), 60, false);
    expect(await app.post('/store', event)).toHaveStatus(201);
    expect(await app.get('/issues')).toHaveStatus(200);
    app.advance(60_000);
    expect(await bad('/store')).toHaveStatus(401);
  });

  it('do not include a valid key that only another method accepts', async () => {
    const app = await limitedApp({ RATE_LIMIT_BAD_CREDENTIALS_PER_MINUTE: '1' });
    // `Allow` is about reading reports too, for which a public key is none.
    const report = await app.post('/feedback', { message: 'x' }, { 'X-Notifier-Key': app.publicKey });
    expect(report.headers['allow']).toBe('POST');
    const unknown = await app.post('/feedback', { message: 'x' }, { 'X-Notifier-Key': 'ntf_pk_nobody' });
    expect(unknown).toHaveStatus(401);
  });
});

describe('addresses', () => {
  const from = (app: TestApp, forwarded: string) =>
    app.post('/store', event, { 'X-Notifier-Key': app.publicKey, 'X-Forwarded-For': forwarded });

  it('of IPv6 are counted by /56, behind a proxy that is trusted', async () => {
    const app = await limitedApp({ RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '1', TRUST_PROXY: '127.0.0.1' });
    expect(await from(app, '2001:db8:0:1200::1')).toHaveStatus(201);
    expectLimited(await from(app, '2001:db8:0:12ff:ffff::9'), 60, true);
    expect(await from(app, '2001:db8:0:1300::1')).toHaveStatus(201);
    expect(await from(app, '203.0.113.7')).toHaveStatus(201);
    // What a client writes itself stands left of what the proxy saw.
    expectLimited(await from(app, '198.51.100.1, 203.0.113.7'), 60, true);
    expectLimited(await from(app, '::ffff:203.0.113.7'), 60, true);
  });

  inFull(it)('said by anyone else are not believed, and that is told once', async () => {
    const warnings: string[] = [];
    const log: Log = {
      debug() {},
      info() {},
      error() {},
      warn: (_fields, message) => warnings.push(message),
    };
    const app = await limitedApp({ RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '2' }, { deps: { log } });
    expect(await from(app, '203.0.113.1')).toHaveStatus(201);
    expect(await from(app, '203.0.113.2')).toHaveStatus(201);
    expectLimited(await from(app, '203.0.113.3'), 60, true);
    expect(warnings.filter((message) => message.includes('TRUST_PROXY'))).toHaveLength(1);
  });
});

describe('switched off', () => {
  it('nothing is limited and no header says so', async () => {
    const app = await limitedApp({ RATE_LIMITS: 'off', RATE_LIMIT_EVENTS_PER_MINUTE: '1' });
    for (let times = 0; times < 3; times += 1) {
      const answer = await app.post('/store', event);
      expect(answer).toHaveStatus(201);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    }
  });
});

describe('new issues', () => {
  const word = (n: number): string => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');

  inFull(it)('are at most a thousand an hour; the rest share one issue until the next hour', async () => {
    const app = await limitedApp({
      TRUST_PROXY: '127.0.0.1',
      RATE_LIMIT_EVENTS_PER_MINUTE: '5000',
      RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '5000',
    });
    const file = async (from: number, to: number): Promise<Array<{ issue_id: number }>> => {
      const events = Array.from({ length: to - from }, (_, n) => ({ message: `cannot ${word(from + n)}` }));
      // Fifty from each address: no share of one is used.
      const address = `192.0.2.${Math.floor(from / 50)}`;
      const headers = { 'X-Notifier-Key': app.publicKey, 'X-Forwarded-For': address };
      const answer = await app.post('/envelope', { events }, headers);
      expect(answer).toHaveStatus(201);
      return answer.body.events;
    };
    const first: Array<{ issue_id: number }> = [];
    for (let from = 0; from < 1000; from += 50) first.push(...(await file(from, from + 50)));
    expect(new Set(first.map((each) => each.issue_id)).size).toBe(1000);
    const late = new Set((await file(1000, 1020)).map((each) => each.issue_id));
    expect(late.size).toBe(1);
    const [overflow = 0] = late;
    const { body } = await app.get(`/issues/${overflow}`);
    expect(body).toMatchObject({ overflow: true, events: 20, grouping: { source: 'overflow' } });
    // An issue that is known goes on taking its events.
    expect((await app.post('/store', { message: `cannot ${word(7)}` })).body.issue_id).toBe(
      first[7]?.issue_id,
    );
    const other = await app.addProject('other');
    const elsewhere = await app.post(
      '/store',
      { message: 'cannot zzz' },
      { 'X-Notifier-Key': other.publicKey },
    );
    expect(elsewhere.body.is_new).toBe(true);
    app.advance(3_600_000);
    const [later] = await file(1000, 1001);
    expect(later?.issue_id).not.toBe(overflow);
  });
});

describe('a store that cannot write', () => {
  async function withStore(error: Error): Promise<TestApp> {
    const app = await limitedApp();
    Object.assign(app.deps.store, { recordEvent: () => Promise.reject(error) });
    return app;
  }

  it('because it is busy is 429 with a short wait', async () => {
    const app = await withStore(new StoreBusyError());
    for (const path of ['/store', '/envelope']) {
      const answer = await app.post(path, event);
      expect([answer.status, answer.body.code]).toEqual([429, 'rest_too_many_requests']);
      const { retry_after: wait } = answer.body.data;
      expect([1, 2, 3, 4, 5]).toContain(wait);
      expect(answer.headers['retry-after']).toBe(String(wait));
      expect(answer.headers['x-sentry-rate-limits']).toBe(`${wait}:error:key:store_busy`);
      expect(answer.body.data).toEqual({ status: 429, retry_after: wait });
    }
    // Whoever looks why events are missing must not take our fault for a limit of the key.
    expect((await app.get('/outcomes')).body[0].outcomes).toEqual([
      { outcome: 'rate_limited', reason: 'store_busy', category: 'error', quantity: 2 },
    ]);
  });

  it('at all is 503: nothing was accepted', async () => {
    const app = await withStore(new StoreUnavailableError());
    for (const path of ['/store', '/envelope']) {
      const answer = await app.post(path, event);
      expect([answer.status, answer.body.code]).toEqual([503, 'rest_unavailable']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    // Nothing was wrong with what was sent.
    expect((await app.get('/outcomes')).body[0]).toMatchObject({
      sent: 2,
      outcomes: [{ outcome: 'failed', reason: 'rest_unavailable', category: 'error', quantity: 2 }],
    });
  });
});
