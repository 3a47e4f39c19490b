// Notifications of a channel of type webpush are enabled in Chromium, whose push service is left out.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { createChannel } from '../../src/core/alerts/channels.ts';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { createMemberLink } from '../../src/core/members/links.ts';
import { createMember } from '../../src/core/members/members.ts';
import { pushBrowser } from '../support/alerts/push-browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';

describeWithPrograms('notifications in a browser', ['chromium'], ({ chromium: executablePath = '' }) => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  let ours: string;
  const { subscription } = pushBrowser('https://push.example/send/abc');

  beforeAll(async () => {
    app = await openTestApp();
    ours = app.origin.replace('127.0.0.1', 'localhost');
    const channel = { type: 'webpush', name: 'Browsers' } as const;
    await createChannel(app.deps, null, channel, commandLineSource);
    const fields = { name: 'Mara Feld', role: 'viewer', email: null } as const;
    const member = await createMember(app.deps, fields, commandLineSource);
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    page = await browser.newPage();
    const { token } = await createMemberLink(app.deps, member.id);
    await page.goto(`${ours}/sign-in?token=${token}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${ours}/`);
  });
  afterAll(async () => {
    await browser?.close();
    await app.close();
  });

  const enable = () => page.getByRole('button', { name: 'Enable notifications in this browser' });

  it('are unavailable without permission, and the page says so', async () => {
    await page.goto(`${ours}/alert-channels/1`);
    await enable().click();
    await page.getByText('This browser did not allow notifications.').waitFor();
    expect(await app.deps.store.listPushSubscriptions(1)).toEqual([]);
  });

  it('are enabled by a member, for whom the service worker is registered, and removed', async () => {
    await page.addInitScript((given) => {
      PushManager.prototype.subscribe = async (options) => {
        const isKey = /^B[\w-]{86}$/.test(String(options?.applicationServerKey));
        return (isKey && options?.userVisibleOnly === true ? JSON.parse(given) : {}) as PushSubscription;
      };
    }, subscription);
    await page.goto(`${ours}/alert-channels/1`);
    await enable().click();
    const remove = page.getByRole('button', { name: /^Remove/ });
    await remove.waitFor();
    expect(await app.deps.store.listPushSubscriptions(1)).toMatchObject([
      { endpoint: 'https://push.example/send/abc' },
    ]);
    const workers = await page.evaluate(async () => {
      const { active, scope } = await navigator.serviceWorker.ready;
      return [active?.scriptURL, scope];
    });
    expect(workers).toEqual([`${ours}/assets/push-worker.js`, `${ours}/`]);
    await remove.click();
    await page.getByText('No browsers yet.').waitFor();
    expect(await app.deps.store.listPushSubscriptions(1)).toEqual([]);
  });

  it('need a secure page, and the page says so', async () => {
    await page.addInitScript(() => {
      Object.defineProperty(globalThis, 'isSecureContext', { value: false });
    });
    await page.goto(`${ours}/alert-channels/1`);
    await page.getByText('Browsers show notifications only of https pages, and of localhost.').waitFor();
    expect(await enable().isDisabled()).toBe(true);
  });
});
