import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

describeWithPrograms('@sentry/browser in Chromium', ['chromium'], ({ chromium: executablePath = '' }) => {
  let script = '';
  let pages: Server;
  let browser: Browser;
  let pageOrigin = '';

  beforeAll(async () => {
    const built = await build({
      entryPoints: [join(import.meta.dirname, 'page.entry.js')],
      bundle: true,
      write: false,
      format: 'iife',
      legalComments: 'none',
    });
    script = built.outputFiles[0]?.text ?? '';
    pages = createServer((request, response) => {
      const isScript = request.url === '/page.js';
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
      response.end(
        isScript
          ? script
          : '<!doctype html><title>Shop</title><button id="buy">Buy</button><script src="/page.js"></script>',
      );
    });
    await new Promise<void>((done) => {
      pages.listen(0, '127.0.0.1', done);
    });
    pageOrigin = `http://localhost:${(pages.address() as AddressInfo).port}`;
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath, args: flags });
  });

  afterAll(async () => {
    await browser.close();
    await new Promise((done) => pages.close(done));
  });

  async function openPage(app: TestApp, how: 'dsn' | 'tunnel'): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(pageOrigin);
    const { port } = new URL(app.origin);
    await page.evaluate(
      ({ dsn, tunnel }) => {
        const { Sentry } = globalThis as unknown as { Sentry: typeof import('@sentry/browser') };
        Sentry.init({ dsn, release: 'shop@1.2.3', environment: 'staging', ...(tunnel ?? {}) });
        Sentry.setUser({ id: 'visitor-9' });
        Sentry.setTag('section', 'checkout');
        Sentry.addBreadcrumb({ category: 'test', message: 'about to fail' });
      },
      {
        dsn: `http://${app.publicKey}@127.0.0.1:${port}/wp-json/notifier/v1/${app.project.id}`,
        tunnel:
          how === 'dsn'
            ? null
            : {
                tunnel: `${app.api}/envelope`,
                transportOptions: { headers: { 'X-Notifier-Key': app.publicKey } },
              },
      },
    );
    return page;
  }

  async function open(env: Record<string, string> = {}): Promise<TestApp> {
    const app = await openTestApp({ nowMs: Date.now(), env, domains: ['localhost'] });
    return app;
  }

  /** Issues as soon as there are `count` of them; asked again while requests are under way. */
  async function issuesOf(app: TestApp, count: number): Promise<Array<{ issue_id: number; title: string }>> {
    for (let asked = 0; asked < 200; asked += 1) {
      const { body } = await app.get('/issues?per_page=100');
      if (body.length >= count) return body;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`fewer than ${count} issues came`);
  }

  it.each(['dsn', 'tunnel'] as const)('reports throws and rejections by %s', async (how) => {
    const app = await open();
    const page = await openPage(app, how);
    await page.evaluate(() => {
      setTimeout(function throwLater() {
        throw new TypeError('cup has no price');
      }, 0);
    });
    await issuesOf(app, 1);
    await page.evaluate(() => {
      void Promise.reject(new RangeError('no such page'));
    });
    const issues = await issuesOf(app, 2);
    expect(issues.map((issue) => issue.title).sort()).toEqual([
      'RangeError: no such page',
      'TypeError: cup has no price',
    ]);
    for (const issue of issues) {
      const [summary] = (await app.get(`/issues/${issue.issue_id}/events`)).body;
      const { body } = await app.get(`/events/${summary.event_id}`);
      expect(body).toMatchObject({
        platform: 'javascript',
        release: 'shop@1.2.3',
        environment: 'staging',
        user: { id: 'visitor-9' },
        sdk: { name: 'sentry.javascript.browser' },
        domain: 'localhost',
      });
      expect(body.tags).toContainEqual(['section', 'checkout']);
      expect(
        body.breadcrumbs.values.some((each: { message?: string }) => each.message === 'about to fail'),
      ).toBe(true);
      expect(body.exception.values[0].stacktrace.frames.length).toBeGreaterThan(0);
      expect(body.exception.values[0].mechanism.handled).toBe(false);
    }
    await page.close();
    await app.close();
  });

  it('sends feedback with a screenshot', async () => {
    const app = await open();
    const page = await openPage(app, 'dsn');
    const screenshot = await page.screenshot({ type: 'png' });
    await page.evaluate(
      async (bytes) => {
        const { Sentry } = globalThis as unknown as { Sentry: typeof import('@sentry/browser') };
        const data = Uint8Array.from(bytes);
        Sentry.captureFeedback(
          { name: 'Ann', email: 'ann@shop.example', message: 'The button does nothing' },
          { attachments: [{ filename: 'screenshot.png', contentType: 'image/png', data }] },
        );
        await Sentry.flush(5000);
      },
      [...screenshot],
    );
    const { body } = await app.get('/feedback');
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({
      message: 'The button does nothing',
      name: 'Ann',
      email: 'ann@shop.example',
    });
    const whole = await app.get(`/feedback/${body[0].feedback_id}`);
    expect(whole.body.screenshots[0]).toMatchObject({ content_type: 'image/png' });
    expect((await issuesOf(app, 0)).length).toBe(0);
    await page.close();
    await app.close();
  });

  it('accounts for every error after a 429', async () => {
    const app = await open({ RATE_LIMITS: 'on', RATE_LIMIT_EVENTS_PER_MINUTE: '3' });
    const page = await openPage(app, 'dsn');
    await page.evaluate(async () => {
      const { Sentry } = globalThis as unknown as { Sentry: typeof import('@sentry/browser') };
      for (let serial = 0; serial < 10; serial += 1) {
        Sentry.captureException(new Error(`failure ${serial}`));
        await Sentry.flush(2000);
      }
    });
    // The SDK sends its report of losses when the page is hidden.
    await page.evaluate(() => {
      const { document } = globalThis as unknown as { document: EventTarget };
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    const total = async (): Promise<Record<string, number>> => {
      const { body } = await app.get('/outcomes');
      const sums: Record<string, number> = {};
      for (const line of body.flatMap(
        (hour: { outcomes: Array<Record<string, unknown>> }) => hour.outcomes,
      )) {
        if (line.category === 'error') sums[line.outcome] = (sums[line.outcome] ?? 0) + line.quantity;
      }
      return sums;
    };
    let sums = await total();
    for (let asked = 0; asked < 200 && (sums['client_discard'] ?? 0) === 0; asked += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      sums = await total();
    }
    expect(sums['accepted']).toBeGreaterThan(0);
    expect(sums['accepted']).toBeLessThan(10);
    expect((sums['accepted'] ?? 0) + (sums['rate_limited'] ?? 0) + (sums['client_discard'] ?? 0)).toBe(10);
    await page.close();
    await app.close();
  });
});
