import { createServer, globalAgent, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createSession } from '../../src/core/members/sessions.ts';
import { readPagesAddress } from '../../src/http/pages/pages-address.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';

const flags = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];

describeWithPrograms('the live tail in Chromium', ['chromium'], ({ chromium: executablePath = '' }) => {
  let app: TestApp;
  let browser: Browser;
  let shop: Server;
  let shopOrigin: string;

  beforeAll(async () => {
    app = await openTestApp();
    const script = `addEventListener('error', ({ message }) => fetch('${app.api}/store', {
      method: 'POST', headers: { 'X-Notifier-Key': '${app.publicKey}' },
      body: JSON.stringify({ message, platform: 'javascript' }) }));`;
    shop = createServer((_request, response) => {
      response
        .setHeader('Content-Type', 'text/html')
        .end(`<!doctype html><title>Shop</title><script>${script}</script>`);
    });
    await new Promise<void>((done) => {
      shop.listen(0, '127.0.0.1', done);
    });
    shopOrigin = `http://localhost:${(shop.address() as AddressInfo).port}`;
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath, args: flags });
  });
  afterAll(async () => {
    await browser.close();
    await new Promise((done) => shop.close(done));
    await app.close();
  });

  async function memberAt(path: string): Promise<{ page: Page; context: BrowserContext; faults: string[] }> {
    const { deps } = app;
    const name = `Viewer ${Math.round(performance.now() * 1000)}`;
    const added = {
      name,
      nameKey: name,
      email: null,
      role: 'viewer',
      createdAtMs: deps.now(),
      createdBy: '',
    } as const;
    const member = await deps.store.addMember(added);
    const { sessionId, session } = createSession(deps, { userAgent: '', network: '', requestId: '' }, '');
    await deps.store.addSession({ memberId: member?.id ?? 0 }, session);
    const { cookieName } = readPagesAddress(deps.config, deps.userHashKey);
    const context = await browser.newContext();
    await context.addCookies([{ name: cookieName, value: sessionId, url: app.origin }]);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
    await page.goto(`${app.origin}${path}`);
    return { page, context, faults };
  }

  async function throwIn(context: BrowserContext, message: string): Promise<void> {
    const page = await context.newPage();
    await page.goto(shopOrigin);
    await page.evaluate(
      (text) =>
        void setTimeout(() => {
          throw new Error(text);
        }),
      message,
    );
  }

  it('shows the first event instead of the waiting message', async () => {
    const { page, context, faults } = await memberAt('/');
    await page.getByText('Waiting for the first event').waitFor();
    await throwIn(await browser.newContext(), 'the very first');
    await page.getByText('First event received').waitFor();
    await page.getByRole('link', { name: 'the very first' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows an error from another browser as text', async () => {
    const { page, context, faults } = await memberAt('/live');
    await page.getByText('Connected').waitFor();
    const evil = '<img src=x onerror=alert(1)> thrown over there';
    const cell = page.locator('tbody[data-stream] tr', { hasText: evil });
    const shown = cell.first().waitFor();
    const thrower = await browser.newContext();
    const other = await thrower.newPage();
    await other.goto(shopOrigin);
    await other.evaluate(
      (text) =>
        void setTimeout(() => {
          throw new Error(text);
        }),
      evil,
    );
    await shown;
    // A second where nothing else runs; this machine may have other tests to do.
    expect(await cell.count()).toBe(1);
    expect(await cell.locator('time').getAttribute('datetime')).toMatch(/^2026-11-21T12:00:00/);
    expect(await cell.locator('a').getAttribute('href')).toMatch(/^\/issues\/\d+\/events\/[0-9a-f]{32}$/);
    expect(await page.locator('[data-figure=accepted]').textContent()).not.toBe('0');
    expect(faults).toEqual([]);
    await Promise.all([context.close(), thrower.close()]);
  });

  it('updates the bars of the last minute, also after the stream reconnects', async () => {
    const { page, context, faults } = await memberAt('/live');
    await page.getByText('Connected').waitFor();
    const bars = page.locator('[data-minute] svg');
    const label = (await bars.getAttribute('aria-label')) ?? '';
    const before = Number(/: (\d+) in all/.exec(label)?.[1]);
    const saysInAll = (events: number): Promise<void> =>
      page.locator(`[data-minute] svg[aria-label*=": ${events} in all"]`).waitFor();
    await app.post('/store', { message: 'counted' });
    await saysInAll(before + 1);
    app.server.closeAllConnections();
    // The test's own requests must not take a connection that was just closed.
    globalAgent.destroy();
    for (const message of ['one', 'two']) await app.post('/store', { message });
    await saysInAll(before + 3);
    // What was counted leaves at the left: a minute later by the page's clock nothing of it stands there.
    await page.evaluate('{ const now = Date.now; Date.now = () => now() + 61_000 }');
    await saysInAll(0);
    expect(faults.filter((each) => !each.includes('ERR_'))).toEqual([]);
    await context.close();
  });

  it('works without JavaScript: rows, figures and a link to refresh', async () => {
    const { context } = await memberAt('/live');
    const cookies = await context.cookies();
    const plain = await browser.newContext({ javaScriptEnabled: false });
    await plain.addCookies(cookies);
    const page = await plain.newPage();
    await page.goto(`${app.origin}/live`);
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
    expect(await page.getByRole('link', { name: 'Refresh' }).count()).toBe(1);
    for (const gone of ['Connected', 'Connecting', 'Pause']) {
      expect(await page.getByText(gone, { exact: true }).filter({ visible: true }).count()).toBe(0);
    }
    await Promise.all([context.close(), plain.close()]);
  });
});
