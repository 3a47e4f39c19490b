import { afterEach, describe, expect, it } from '@jest/globals';
import { page } from '../../../src/http/pages/declarations.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { type OpenedPages, openPages } from '../../support/pages.ts';

let opened: { close(): Promise<void> } | null = null;
afterEach(async () => {
  await opened?.close();
  opened = null;
});

describe('too many pages', () => {
  async function limited(env: Record<string, string> = {}): Promise<TestApp> {
    const app = await openTestApp({ env: { RATE_LIMITS: 'on', RATE_LIMIT_PAGES_PER_MINUTE: '2', ...env } });
    opened = app;
    return app;
  }
  const browse = (app: TestApp, path: string) => app.agent.get(path).set('Accept', 'text/html,*/*;q=0.8');

  it('are 429 with a page for browsers: how long to wait and a link back', async () => {
    const app = await limited();
    const { text: first } = await browse(app, '/help?x=1').redirects(0);
    for (let times = 0; times < 1; times += 1) await browse(app, '/help');
    const refused = await browse(app, '/issues?level=fatal');
    expect(first).not.toContain('Too many');
    expect([refused.status, refused.type, refused.headers['retry-after']]).toEqual([429, 'text/html', '60']);
    expect(refused.text).toContain('<b>60 seconds</b>');
    expect(refused.text).toContain('2 pages per minute');
    expect(refused.text).toContain('12:01:00 UTC');
    expect(refused.text).toContain('href="/issues?level=fatal"');
    expect(refused.headers['content-security-policy']).toContain("default-src 'none'");
    app.advance(60_000);
    expect(await browse(app, '/sign-in')).toHaveStatus(200);
  });

  it('are 429 with a line of text for programs; style sheets do not count', async () => {
    const app = await limited();
    const sheet = /href="(\/assets\/[^"]+\.css)"/.exec((await browse(app, '/sign-in')).text)?.[1] ?? '';
    for (let times = 0; times < 5; times += 1) expect(await app.agent.get(sheet)).toHaveStatus(200);
    expect(await browse(app, '/sign-in')).toHaveStatus(200);
    const refused = await app.agent.get('/live.json').set('Accept', 'application/json');
    expect([refused.status, refused.type]).toEqual([429, 'text/plain']);
    expect(await app.agent.get(sheet)).toHaveStatus(200);
    expect(await app.post('/store', { message: 'goes on' })).toHaveStatus(201);
  });

  it('are 429 with text where there are no pages', async () => {
    const app = await limited({ PAGES: 'off' });
    for (let times = 0; times < 2; times += 1) expect(await browse(app, '/')).toHaveStatus(404);
    const refused = await browse(app, '/');
    expect([refused.status, refused.type]).toEqual([429, 'text/plain']);
  });
});

describe('other refusals', () => {
  async function pages(): Promise<OpenedPages> {
    const broken = page(
      '/broken',
      'viewer',
      () => Promise.reject(new Error('secret words of a fault')),
      () => ({ title: '', main: '' }),
    );
    const opening = await openPages({ declarations: [broken] });
    // A fault is what this is about.
    opened = { close: () => opening.close().catch(() => {}) };
    return opening;
  }

  it('404 offers a search for the last part of the address', async () => {
    const { browser } = await (await pages()).signedIn('viewer');
    const { status, text } = await browser.get('/releases/shop%404.18.0%22%3E%3Cb%3E');
    expect(status).toBe(404);
    expect(text).toContain('Not found');
    expect(text).toMatch(/<input[^>]*name="q"[^>]*value="shop@4\.18\.0&quot;>&lt;b>"/);
  });

  it('500 shows the request id and nothing of the error', async () => {
    const { browser } = await (await pages()).signedIn('viewer');
    const { status, text } = await browser.get('/broken');
    expect(status).toBe(500);
    expect(text).toMatch(/<code id="request">[0-9a-f]{16}<\/code>/);
    expect(text).toContain('href="/broken"');
    expect(text).not.toContain('secret words');
  });

  it('405 says so, without navigation or search for signed-out visitors', async () => {
    const opening = await pages();
    const { browser, csrf } = await opening.signedIn('viewer');
    expect(await browser.post('/broken', csrf)).toHaveStatus(405);
    const { status, text } = await opening.browser().get('/nothing');
    expect(status).toBe(404);
    for (const shown of ['name="q"', 'aria-label="Workspace"', 'Issues']) expect(text).not.toContain(shown);
  });
});
