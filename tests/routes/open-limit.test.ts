import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { closerAfterTest } from '../support/shared.ts';

const closeAfterTest = closerAfterTest();

async function limitedApp(env: Record<string, string> = {}): Promise<TestApp> {
  return closeAfterTest(await openTestApp({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1', ...env } }));
}

const limit = 120;
const open = [
  ['GET', '/wp-json/'],
  ['GET', '/wp-json/notifier/v1'],
  ['GET', '/?rest_route=/'],
  ['HEAD', '/wp-json/notifier/v1'],
  ['POST', '/wp-json/batch/v1'],
] as const;

function ask(app: TestApp, method: (typeof open)[number][0], path: string, from = '203.0.113.1') {
  const name = method.toLowerCase() as 'get' | 'head' | 'post';
  return app.agent[name](path).set('X-Forwarded-For', from);
}

async function spend(app: TestApp, from?: string): Promise<void> {
  for (let times = 0; times < limit; times += 1) {
    expect(await ask(app, 'POST', '/wp-json/batch/v1', from)).toHaveStatus(400);
  }
}

describe('routes without a credential', () => {
  it('share one limit for each address, shown on every answer', async () => {
    const app = await limitedApp();
    for (const [index, [method, path]] of open.entries()) {
      const answer = await ask(app, method, path);
      expect([path, answer.headers['ratelimit']]).toEqual([
        path,
        `"open-address"; r=${limit - 1 - index}; t=60`,
      ]);
      expect(answer.headers['ratelimit-policy']).toMatch(/^"open-address"; q=120; w=60; pk=:[\w=]+:$/);
    }
  });

  it('are all refused past it, before their body arrives, for as long as it says and for that address only', async () => {
    const app = await limitedApp();
    await spend(app);
    for (const [method, path] of open) {
      const answer = await ask(app, method, path);
      expect([path, answer.status, answer.headers['retry-after']]).toEqual([path, 429, '60']);
      if (method === 'HEAD') continue;
      expect(answer.body).toEqual({
        code: 'rest_too_many_requests',
        message: 'Too many requests. Please retry later.',
        data: { status: 429, retry_after: 60 },
      });
      expect(answer.headers['x-sentry-rate-limits']).toBeUndefined();
    }
    const { port } = app.server.address() as AddressInfo;
    const status = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          'POST /wp-json/batch/v1 HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.1\r\n' +
            'Content-Type: application/json\r\nContent-Length: 900000\r\n\r\n{"requests":',
        );
      });
      socket.once('data', (chunk) => {
        socket.destroy();
        resolve(chunk.toString('latin1').slice(9, 12));
      });
      socket.once('error', reject);
    });
    expect(status).toBe('429');
    expect(await ask(app, 'GET', '/wp-json/', '203.0.113.2')).toHaveStatus(200);
    app.advance(60_000);
    expect(await ask(app, 'GET', '/wp-json/')).toHaveStatus(200);
  });

  it('do not count against keys or events, and keys do not refuse them', async () => {
    const app = await limitedApp();
    await spend(app, '127.0.0.1');
    const stored = await app.post('/store', { message: 'x' });
    expect([stored.status, stored.headers['ratelimit']]).toEqual([
      201,
      '"events"; r=1199; t=60, "events-address"; r=299; t=60',
    ]);
    expect(await app.get('/issues')).toHaveStatus(200);
    // A preflight that is refused looks like a network that is down: nobody would hear of the limit.
    expect(await app.agent.options('/wp-json/notifier/v1/store')).toHaveStatus(200);
    expect(await app.agent.get('/wp-json/notifier/v1/nothing')).toHaveStatus(404);
  });
});

describe('pages beside the API', () => {
  it('have a limit for each address', async () => {
    const app = await limitedApp({ RATE_LIMIT_PAGES_PER_MINUTE: '2' });
    const page = (from: string) => app.agent.get('/nothing').set('X-Forwarded-For', from);
    for (let times = 0; times < 2; times += 1) expect(await page('2001:db8::1')).toHaveStatus(404);
    const limited = await page('2001:db8:0:ff::2');
    expect([limited.status, limited.text, limited.headers['retry-after']]).toEqual([
      429,
      'Too many requests. Please retry later.\n',
      '60',
    ]);
    expect(limited.headers['ratelimit']).toBe('"pages-address"; r=0; t=60');
    expect(limited.headers['ratelimit-policy']).toMatch(/^"pages-address"; q=2; w=60; pk=:[\w=]+:$/);
    expect(await page('2001:db8:1::')).toHaveStatus(404);
    // Who looks whether we are well is never turned away: it would take us out of service.
    for (const path of ['/healthz', '/readyz']) expect(await app.agent.get(path)).toHaveStatus(200);
    app.advance(60_000);
    expect(await page('2001:db8::1')).toHaveStatus(404);
  });

  it('have no limit with limits off, nor have routes without a credential', async () => {
    const app = await limitedApp({ RATE_LIMITS: 'off', RATE_LIMIT_PAGES_PER_MINUTE: '1' });
    for (const [path, status] of [
      ['/nothing', 404],
      ['/nothing', 404],
      ['/wp-json/', 200],
    ] as const) {
      const answer = await app.agent.get(path);
      expect([answer.status, answer.headers['ratelimit']]).toEqual([status, undefined]);
    }
  });
});
