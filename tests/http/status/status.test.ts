import { request as ask } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { silentLog } from '../../../src/app/log.ts';
import { openTestApp, type TestApp, type TestAppOptions } from '../../support/app.ts';
import { pngOf } from '../../support/images.ts';
import { fullOrShort, inFull } from '../../support/test-level.ts';
import { verifyDomain } from '../../support/verified-domain.ts';

let app: TestApp;
afterEach(() => app.close());

const secondMs = 1_000;
const host = 'status.shop.example';

const open = async (more: object = {}, options: TestAppOptions = {}): Promise<void> => {
  app = await openTestApp(options);
  await verifyDomain(app, 'shop.example');
  const page = { name: 'Harbour', published: true, components: [{ name: 'Parcels' }], ...more };
  const made = await app.postSecret('/status-pages', page);
  expect(made).toHaveStatus(201);
  // Looked for again after a second.
  app.advance(secondMs);
};

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asking = ask(`${app.origin}${path}`, { method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    asking.on('error', reject).end();
  });
}

function countCalls(): Map<string, number> {
  const counts = new Map<string, number>();
  const store = app.deps.store as unknown as Record<string, unknown>;
  for (const [name, method] of Object.entries(store)) {
    if (typeof method !== 'function') continue;
    store[name] = (...args: unknown[]) => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return method.apply(store, args);
    };
  }
  return counts;
}

describe('a public status page', () => {
  it('is a page, its JSON, a feed and a badge, without account, cookie or script', async () => {
    await open();
    const page = await get('/status/harbour', { Accept: 'text/html' });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('All systems operational');
    for (const none of ['<script', 'style=', 'Notifier']) expect(page.text).not.toContain(none);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const twin = await get('/status/harbour.json');
    expect(JSON.parse(twin.text)).toMatchObject({
      slug: 'harbour',
      state: 'working',
      past: expect.any(Array),
    });
    const feed = await get('/status/harbour.rss');
    expect(feed.headers['content-type']).toBe('application/rss+xml; charset=utf-8');
    const badge = await get('/status/harbour/badge.svg');
    expect(badge.text).toMatch(/^<svg .*operational/);
    for (const { headers } of [page, twin, feed, badge]) {
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers['vary']).toBe('Accept-Encoding');
    }
    expect(badge.headers['cross-origin-resource-policy']).toBe('cross-origin');
    const sheet = /href="(\/assets\/[^"]+\.css)"/.exec(page.text)?.[1] ?? '';
    expect(await get(sheet)).toHaveStatus(200);
  });

  it('can be cached while it is fresh, and is 304 for who has it', async () => {
    await open();
    const first = await get('/status/harbour');
    expect(first.headers['cache-control']).toBe(
      'public, max-age=15, stale-while-revalidate=15, stale-if-error=3600',
    );
    app.advance(10 * secondMs);
    const etag = String(first.headers['etag']);
    const again = await get('/status/harbour', { 'If-None-Match': etag });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag]);
    expect(again.headers['cache-control']).toContain('max-age=5,');
    const packed = await get('/status/harbour', { 'If-None-Match': etag, 'Accept-Encoding': 'gzip' });
    expect([packed.status, packed.headers['content-encoding']]).toEqual([200, 'gzip']);
    expect(packed.headers['etag']).not.toBe(etag);
    const head = await get('/status/harbour', {}, 'HEAD');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      first.headers['content-length'],
    ]);
    const posted = await get('/status/harbour', {}, 'POST');
    expect([posted.status, posted.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  inFull(it)('is queried and rendered once for a thousand visitors', async () => {
    await open({}, { env: { RATE_LIMITS: 'on' } });
    const counts = countCalls();
    const etags = new Set<unknown>();
    for (let round = 0; round < fullOrShort(20, 4); round += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => get('/status/harbour')));
      for (const { status, headers } of answers) etags.add(`${status} ${headers['etag']}`);
    }
    expect(etags.size).toBe(1);
    expect(Object.fromEntries(counts)).toEqual({
      publishedPages: 1,
      findStatusPage: 1,
      monitorDays: 1,
      listIncidents: 1,
    });
    // Where there is none, nothing is asked either.
    const lost = await Promise.all(Array.from({ length: 50 }, (_, at) => get(`/status/none-${at}`)));
    expect(new Set(lost.map(({ status }) => status))).toEqual(new Set([404]));
    expect(counts.get('publishedPages')).toBeLessThanOrEqual(2);
  });

  it('is served stale while the next is rendered, and without a database', async () => {
    await open({}, { deps: { log: silentLog } });
    const first = await get('/status/harbour.json');
    const counts = countCalls();
    const store = app.deps.store as unknown as Record<string, unknown>;
    const real = store['findStatusPage'];
    const gate = Promise.withResolvers<never>();
    store['findStatusPage'] = () => gate.promise;
    app.advance(20 * secondMs);
    expect((await get('/status/harbour.json')).text).toBe(first.text);
    gate.reject(new Error('The database is down'));
    app.advance(600 * secondMs);
    expect((await get('/status/harbour.json')).text).toBe(first.text);
    store['findStatusPage'] = real;
    app.advance(10 * secondMs);
    const { generated_at: at } = JSON.parse((await get('/status/harbour.json')).text);
    expect(Date.parse(at)).toBe(app.deps.now());
    expect(counts.get('listIncidents')).toBe(1);
  });
});

describe('the brand of a page', () => {
  const logo = pngOf(480, 64);
  it('is a logo, a favicon made from it, and a style sheet with the accent colour', async () => {
    await open({ logo: logo.toString('base64'), accent: '#0a7f5c', hosts: [host] });
    const page = await get('/status/harbour');
    expect(page.text).toContain('<img src="/status/harbour/logo" alt width="240" height="32"/>');
    expect(page.text).toContain('<link rel="icon" href="/status/harbour/favicon"/>');
    expect(page.text).toContain('<link rel="stylesheet" href="/status/harbour/accent.css"/>');
    for (const at of ['/status/harbour/logo', '/status/harbour/favicon']) {
      const { status, headers } = await get(at);
      expect([status, headers['content-type'], headers['content-length']]).toEqual([
        200,
        'image/png',
        String(logo.length),
      ]);
      expect(headers['content-security-policy']).toBe("sandbox; default-src 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
    const sheet = await get('/status/harbour/accent.css');
    expect([sheet.headers['content-type'], sheet.text]).toEqual([
      'text/css; charset=utf-8',
      expect.stringContaining('#0a7f5c'),
    ]);
    const own = await get('/', { Host: host });
    expect(own.text).toContain('<img src="/logo"');
    expect(await get('/logo', { Host: host })).toHaveStatus(200);
    expect((await get('/status/harbour/subscribe')).status).toBe(404);
  });

  it('is that of the product by default', async () => {
    await open();
    const { text } = await get('/status/harbour');
    expect(text).toContain('href="/assets/favicon.');
    expect(text).not.toMatch(/<img|accent/);
    for (const at of ['logo', 'favicon', 'accent.css']) {
      expect([at, (await get(`/status/harbour/${at}`)).status]).toEqual([at, 404]);
    }
  });
});

describe('an unpublished page', () => {
  it('is 404, as a page that never existed', async () => {
    await open({ published: false, hosts: [host] });
    const never = await get('/status/nothing');
    for (const path of [
      '/status/harbour',
      '/status/harbour.json',
      '/status/harbour.rss',
      '/status/harbour/badge.svg',
    ]) {
      const { status, text } = await get(path, { Accept: 'text/html' });
      expect([path, status, text]).toEqual([path, 404, never.text]);
    }
    expect((await get('/', { Host: host })).text).not.toContain('Harbour');
    await app.postSecret('/status-pages/1', { published: true });
    app.advance(secondMs);
    expect(await get('/status/harbour')).toHaveStatus(200);
    await app.postSecret('/status-pages/1', { published: false });
    app.advance(61 * secondMs);
    expect(await get('/status/harbour')).toHaveStatus(404);
  });
});

describe('a host of its own', () => {
  it('shows the page at its root, and nothing else', async () => {
    await open({ hosts: [host] });
    await get('/status/harbour');
    const at = (path: string) => get(path, { Host: `${host.toUpperCase()}:8443` });
    const page = await at('/');
    expect([page.status, page.text.includes('All systems operational')]).toEqual([200, true]);
    for (const [, address = ''] of page.text.matchAll(/href="(\/[^"]*)"/g)) {
      expect([address, (await at(address)).status]).toEqual([address, 200]);
    }
    const feed = await at('/status.rss');
    expect(feed.text).toContain(`<link>http://${host}/</link>`);
    expect(feed.text).toContain(`<atom:link href="http://${host}/status.rss" rel="self"`);
    for (const path of [
      '/status/harbour',
      '/sign-in',
      '/issues',
      '/demo',
      '/healthz',
      '/metrics',
      '/wp-json/notifier/v1',
      '/wp-json/notifier/v1/issues',
      '/?rest_route=/notifier/v1/issues',
      '/api/0/',
      `/api/${app.project.id}/cron/nightly/${app.publicKey}/?status=ok`,
    ]) {
      const { status, text } = await at(path);
      const isPage = path.startsWith('/?');
      expect([path, status, text.includes('rest_')]).toEqual([path, isPage ? 200 : 404, false]);
    }
    // The API is where it was.
    expect(await app.get('/issues')).toHaveStatus(200);
  });

  it('must be configured: an unknown Host header is not repeated', async () => {
    await open({ hosts: [host] }, { env: { PAGES_URL: 'https://errors.shop.example' } });
    for (const wrong of ['evil.example', `${host}.evil.example`, `evil.example#${host}`]) {
      for (const path of ['/status/harbour', '/status/harbour.rss', '/']) {
        const answered = await get(path, { Host: wrong, 'X-Forwarded-Host': wrong });
        expect([path, wrong, answered.status]).toEqual([path, wrong, 404]);
        expect(`${JSON.stringify(answered.headers)}${answered.text}`).not.toContain('evil');
      }
    }
    const feed = await get('/status/harbour.rss', { Host: 'errors.shop.example' });
    expect(feed.text).toContain('<link>https://errors.shop.example/status/harbour</link>');
    expect(feed.text).toContain(
      '<atom:link href="https://errors.shop.example/status/harbour.rss" rel="self"',
    );
  });
});

describe('with the workspace off', () => {
  it('a status page is served with its assets, below the folder of the pages', async () => {
    const env = { PAGES: 'off', DEMO: 'off', PAGES_URL: 'https://shop.example/errors' };
    await open({ hosts: [host] }, { env });
    const at = (path: string) => get(path, { Host: 'shop.example' });
    const page = await at('/errors/status/harbour');
    expect([page.status, page.text.includes('All systems operational')]).toEqual([200, true]);
    for (const [, address = ''] of page.text.matchAll(/href="(\/[^"]*)"/g)) {
      expect([address, (await at(address)).status]).toEqual([address, 200]);
    }
    for (const path of ['/errors/issues', '/errors/sign-in', '/status/harbour', '/errors/status/other']) {
      expect([path, (await at(path)).status]).toEqual([path, 404]);
    }
    const root = await get('/', { Host: host });
    const sheet = /href="(\/assets\/[^"]+\.css)"/.exec(root.text)?.[1] ?? '';
    expect(await get(sheet, { Host: host })).toHaveStatus(200);
  });

  it('an API path with “assets” in it is not an asset', async () => {
    await open({}, { env: { PAGES: 'off', DEMO: 'off' } });
    const named = await get('/api/0/projects/acme/other/releases/', {}, 'POST');
    const assets = await get('/api/0/projects/acme/assets/releases/', {}, 'POST');
    expect([assets.status, assets.text]).toEqual([named.status, named.text]);
    expect(assets.status).not.toBe(405);
  });
});
