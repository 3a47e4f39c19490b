import { afterEach, describe, expect, it } from '@jest/globals';
import { workspacePages } from '../../../routes/pages/index.ts';
import { createDemo } from '../../../src/app/layers/demo.ts';
import { openCallerContext } from '../../../src/app/layers/router.ts';
import { createAssets } from '../../../src/http/pages/assets.ts';
import { openTestApp } from '../../support/app.ts';
import { type DemoApp, openDemoApp } from './demo-app.ts';
import { walked } from './walked.ts';

const opened: DemoApp[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

async function demoWith(env: Readonly<Record<string, string>> = {}): Promise<DemoApp> {
  const app = await openDemoApp(env);
  opened.push(app);
  return app;
}

describe('the demo is', () => {
  it('off with DEMO=off: 404 as any unknown URL', async () => {
    // Without the workspace, as that one asks the store who looks.
    const app = await demoWith({ DEMO: 'off', PAGES: 'off' });
    const nowhere = await app.ask('/nowhere');
    for (const path of ['/demo', '/demo/issues', '/demo/issues.json', '/demo/status/harbour-pine.rss']) {
      const { status, text } = await app.ask(path);
      expect([path, status, text]).toEqual([path, 404, nowhere.text]);
    }
    expect(nowhere).toHaveStatus(404);
  });

  it('available without the workspace, with its style and script', async () => {
    const app = await demoWith({ PAGES: 'off' });
    const page = await app.ask('/demo');
    expect(page).toHaveStatus(200);
    const { links } = walked(page.text, new URL('/demo', app.origin));
    const assets = [...new Set(links.map(({ path }) => path).filter((path) => path.startsWith('/assets/')))];
    expect(assets.length).toBeGreaterThanOrEqual(3);
    for (const path of assets) expect([path, (await app.ask(path)).status]).toEqual([path, 200]);
    expect(await app.ask('/issues')).toHaveStatus(404);
  });

  it('without an error at any URL of the workspace', async () => {
    const app = await demoWith();
    const paths = workspacePages()
      .filter(({ kind }) => kind !== 'act')
      .map(({ path }) => `/demo${path.replaceAll(/\{\w+\}/g, '1')}`);
    expect(paths).toEqual(expect.arrayContaining(['/demo/incidents/plan', '/demo/incidents/1/plan']));
    const faults: Array<[string, number]> = [];
    for (const path of paths) {
      const { status } = await app.ask(path);
      if (status >= 500) faults.push([path, status]);
    }
    expect(faults).toEqual([]);
  });

  it('below the folder of PAGES_URL, links and all', async () => {
    const app = await demoWith({ PAGES_URL: 'https://errors.example/folder' });
    const headers = { host: 'errors.example' };
    const page = await app.ask('/folder/demo', { headers });
    expect(page).toHaveStatus(200);
    const { links } = walked(page.text, new URL('/folder/demo', app.origin));
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(({ path }) => !path.startsWith('/folder/'))).toEqual([]);
    expect(await app.ask('/demo', { headers })).toHaveStatus(404);
    expect(await app.ask('/folder/demo')).toHaveStatus(404);
    expect(await app.ask('/folder/demo/issues', { headers, method: 'POST' })).toHaveStatus(405);
    const feed = await app.ask('/folder/demo/status/harbour-pine.rss', { headers });
    expect(feed.text).toContain('https://errors.example/folder/demo/status/harbour-pine');
  });

  it('created at the first request, and not by every start', async () => {
    const { deps, close } = await openTestApp();
    await close();
    const now = (): number => {
      throw new Error('The demo was asked for.');
    };
    const options = { counting: openCallerContext(deps), assets: createAssets('').addresses, version: 'x' };
    expect(() => createDemo({ ...deps, now }, options)).not.toThrow();
  });

  it('not for search engines unless DEMO_INDEX=on', async () => {
    const [hidden, shown] = [await demoWith(), await demoWith({ DEMO_INDEX: 'on' })];
    for (const path of ['/demo', '/demo/issues.json', '/demo/status/harbour-pine', '/demo/nowhere']) {
      expect((await hidden.ask(path)).headers['x-robots-tag']).toBe('noindex, nofollow');
      expect((await shown.ask(path)).headers['x-robots-tag']).toBeUndefined();
    }
    const meta = /<meta[^>]+robots[^>]*>/;
    expect((await shown.ask('/demo')).text).not.toMatch(meta);
  });

  it('counted by the limit of pages', async () => {
    const app = await demoWith({ RATE_LIMITS: 'on', RATE_LIMIT_PAGES_PER_MINUTE: '5' });
    const statuses: number[] = [];
    for (let nth = 0; nth < 6; nth += 1) statuses.push((await app.ask('/demo/help')).status);
    // Those that waited for the demo count too.
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(429);
    const refused = await app.ask('/demo');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['set-cookie']).toBeUndefined();
  });
});

describe('its live tail', () => {
  it('counts streams by network of one customer', async () => {
    const app = await demoWith({ TRUST_PROXY: '127.0.0.1' });
    const leaving = new AbortController();
    const statusFor = async (currentUser: string): Promise<number> => {
      const headers = { 'X-Forwarded-For': currentUser };
      return (await fetch(`${app.origin}/demo/live/stream`, { headers, signal: leaving.signal })).status;
    };
    const statuses: number[] = [];
    for (const nth of [1, 2, 3, 4]) statuses.push(await statusFor(`2001:db8:1:20${nth}::${nth}`));
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await statusFor('2001:db8:1:300::1')).toBe(200);
    for (const nth of [1, 2]) expect(await statusFor(`192.0.2.${nth}`)).toBe(200);
    leaving.abort();
  });
});

describe('its answers are', () => {
  it('the same bytes twice, and cacheable for a minute', async () => {
    const app = await demoWith();
    for (const path of ['/demo', '/demo/issues', '/demo/issues/64.json', '/demo/reports']) {
      const [first, second] = [await app.ask(path), await app.ask(path)];
      expect(first.bytes.equals(second.bytes)).toBe(true);
      expect(first.headers['cache-control']).toBe('public, max-age=60');
      expect(second.headers['cache-control']).toBe('public, max-age=60');
      expect(second.headers['content-type']).toBe(first.headers['content-type']);
      expect(second.headers['content-security-policy']).toBe(first.headers['content-security-policy']);
    }
  });

  it('not cacheable with an unknown parameter in the URL', async () => {
    const app = await demoWith();
    for (const path of ['/demo', '/demo/issues', '/demo/issues.json', '/demo/issues?q=checkout']) {
      const address = `${path}${path.includes('?') ? '&' : '?'}nobody=asks`;
      expect([path, (await app.ask(path)).headers['cache-control']]).toEqual([path, 'public, max-age=60']);
      expect([path, (await app.ask(address)).headers['cache-control']]).toEqual([path, 'no-store']);
    }
  });

  it('compressed for clients that accept it, also from the cache', async () => {
    const app = await demoWith();
    const plain = await app.ask('/demo/monitors');
    const packed = await app.ask('/demo/monitors', { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.text).toBe(plain.text);
    expect(packed.bytes.length * 3).toBeLessThan(plain.bytes.length);
    expect(packed.headers.vary).toContain('Accept-Encoding');
    const refused = await app.ask('/demo/monitors', { headers: { 'accept-encoding': 'gzip;q=0' } });
    expect(refused.headers['content-encoding']).toBeUndefined();
  });

  it('without a body for HEAD, and otherwise those of GET', async () => {
    const app = await demoWith();
    const paths = [
      '/demo/incidents',
      '/demo/audit.csv',
      '/demo/status/harbour-pine/badge.svg',
      '/demo/nowhere',
    ];
    for (const path of paths) {
      const head = await app.ask(path, { method: 'HEAD' });
      const get = await app.ask(path);
      expect(head.bytes).toHaveLength(0);
      expect([path, head.status]).toEqual([path, get.status]);
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
      // It may be left out; where it is said, it is that of GET.
      const length = head.headers['content-length'] ?? get.headers['content-length'];
      expect([path, length]).toEqual([path, get.headers['content-length']]);
    }
  });

  it('not cacheable where they are 404', async () => {
    const app = await demoWith();
    const missing = await app.ask('/demo/issues/999999');
    expect([missing.status, missing.headers['cache-control']]).toEqual([404, 'no-store']);
  });
});
