import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';

interface Answered {
  status: number;
  body: Record<string, unknown>;
  retryAfter: string | null;
}

describeWithPrograms('a page in Chromium', ['chromium'], (programs) => {
  let app: TestApp;
  let pages: Server;
  let browser: Browser;
  const preflights: string[] = [];

  beforeAll(async () => {
    app = await openTestApp({ domains: ['shop.example'] });
    app.server.prependListener('request', (request) => {
      if (request.method === 'OPTIONS') preflights.push(`${request.headers.origin} ${request.url}`);
    });
    await app.postSecret('/domains', { domain: 'quiet.example', bug_reports: false });
    pages = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end('<!doctype html><title>Shop</title><canvas width="120" height="80"></canvas>');
    });
    await new Promise<void>((resolve) => {
      pages.listen(0, '127.0.0.1', resolve);
    });
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({
      executablePath: programs['chromium'] ?? '',
      args: ['--no-sandbox', '--host-resolver-rules=MAP *.example 127.0.0.1'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await new Promise<void>((resolve) => pages.close(() => resolve()));
    await app.close();
  });

  const openPage = async (host: string): Promise<Page> => {
    const page = await browser.newPage();
    await page.goto(`http://${host}:${(pages.address() as AddressInfo).port}/cart`);
    return page;
  };
  /** Posts JSON from inside the page and reads the answer there, as a script of the page would. */
  const post = (page: Page, path: string, body: object): Promise<Answered> =>
    page.evaluate(
      async ({ url, key, sent }) => {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Notifier-Key': key },
          body: JSON.stringify(sent),
        });
        const answered = (await response.json()) as Record<string, unknown>;
        return { status: response.status, body: answered, retryAfter: response.headers.get('Retry-After') };
      },
      { url: app.api + path, key: app.publicKey, sent: body },
    );
  // What runs in the page and needs its document is handed over as text: here there is no document to check
  // types by.
  const screenshotOf = (page: Page): Promise<string> =>
    page.evaluate<string>(`(() => {
      const canvas = document.querySelector('canvas');
      canvas.getContext('2d').fillRect(10, 10, 50, 50);
      return canvas.toDataURL('image/png');
    })()`);
  const report = async (page: Page) => ({
    message: 'The button does nothing.',
    url: page.url(),
    viewport: { width: 1280, height: 720, dpr: 1 },
    screenshots: [{ content_type: 'image/png', data: await screenshotOf(page) }],
  });

  it('on an allowed domain sends a bug report with a screenshot', async () => {
    const page = await openPage('shop.example');
    const answer = await post(page, '/feedback', await report(page));
    expect(answer).toMatchObject({ status: 201, body: { accepted: true } });
    expect(preflights.some((line) => line.includes('shop.example') && line.includes('/feedback'))).toBe(true);
    const kept = (await app.get(`/feedback/${answer.body['feedback_id']}`)).body;
    expect(kept).toMatchObject({
      message: 'The button does nothing.',
      domain: 'shop.example',
      url: page.url(),
      screenshots: [{ content_type: 'image/png', width: 120, height: 80 }],
    });
    expect(kept.user_agent).toContain('Chrome');
    await page.close();
  });

  it('sends a bug report as a form with the screenshot as a file', async () => {
    const page = await openPage('shop.example');
    const status = await page.evaluate<number>(`(async () => {
      const canvas = document.querySelector('canvas');
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/webp'));
      const form = new FormData();
      form.set('message', 'As a form');
      form.set('screenshot', blob, 'shot.webp');
      const headers = { 'X-Notifier-Key': ${JSON.stringify(app.publicKey)} };
      const url = ${JSON.stringify(`${app.api}/feedback`)};
      return (await fetch(url, { method: 'POST', headers, body: form })).status;
    })()`);
    expect(status).toBe(201);
    const [newest] = (await app.get('/feedback?search=As a form')).body;
    expect((await app.get(`/feedback/${newest.feedback_id}`)).body.screenshots).toMatchObject([
      { content_type: 'image/webp', width: 120, height: 80 },
    ]);
    await page.close();
  });

  it('on a domain with bug reports off gets 403 and can read the reason', async () => {
    const page = await openPage('quiet.example');
    await expect(post(page, '/feedback', await report(page))).resolves.toMatchObject({
      status: 403,
      body: { code: 'rest_forbidden', data: { status: 403, reason: 'bug_reports_disabled' } },
    });
    await page.close();
  });

  it('gets its flags and the SDK statistics from /sdk-verify', async () => {
    const sdk = { name: 'notifier.browser', version: '3.2.1' };
    for (const [host, bugReports] of [
      ['quiet.example', false],
      ['shop.example', true],
    ] as const) {
      const page = await openPage(host);
      await expect(
        post(page, '/store', { message: `Boom on ${host}`, platform: 'javascript', sdk }),
      ).resolves.toMatchObject({ status: 201 });
      const verdict = await post(page, '/sdk-verify', { sdk, url: page.url() });
      expect(verdict).toMatchObject({
        status: 200,
        body: { verified: true, domain: { name: host, known: true }, flags: { bug_reports: bugReports } },
      });
      const { sdks } = verdict.body['stats'] as {
        sdks: Array<{ name: string; version: string; events: number }>;
      };
      const own = sdks.filter((each) => each.name === sdk.name && each.version === sdk.version);
      expect(own.reduce((sum, each) => sum + each.events, 0)).toBe(bugReports ? 2 : 1);
      await page.close();
    }
  });

  it('on an unknown domain gets 403 and can read the reason', async () => {
    const page = await openPage('evil.example');
    await expect(post(page, '/feedback', await report(page))).resolves.toMatchObject({
      status: 403,
      body: { data: { reason: 'unknown_domain' } },
    });
    await page.close();
  });
});
