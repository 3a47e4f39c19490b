// The pages of subscribers of a status page, in two languages and as an admin sees them, looked at by axe.
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { NotificationSender } from '../../src/core/ports/notification-sender.ts';
import { applyConfiguration } from '../../src/core/projects/apply-configuration.ts';
import { sendDueStatusMessages } from '../../src/core/status-pages/runner.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { adminToken } from '../support/pages.ts';
import { until } from '../support/until.ts';

const looks = [
  { width: 1280, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const;

describeWithPrograms('subscribers of a status page', ['chromium'], ({ chromium: executablePath = '' }) => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  const mails: string[] = [];
  const messenger: NotificationSender = {
    canMail: true,
    async mail({ text }) {
      mails.push(text);
      return { ok: true, status: null, detail: '' };
    },
    post: async () => ({ ok: true, status: 200, detail: '' }),
  };
  const linkIn = (text: string, which: string): string =>
    new RegExp(`http://[^/\\s]+(\\S*/${which}/\\S+)`).exec(text)?.[1] ?? '';

  beforeAll(async () => {
    app = await openTestApp({
      env: { NOTIFIER_ADMIN_TOKEN: adminToken },
      deps: { notificationSender: messenger },
    });
    await applyConfiguration(app.deps, () => undefined);
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    page = await (await browser.newContext()).newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  async function faults(): Promise<string[]> {
    const found: string[] = [];
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      found.push(...violations.map(({ id, nodes }) => `${page.url()} ${id}: ${nodes[0]?.html}`));
      const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      if (wide === true) found.push(`${page.url()} is wider than ${width} px`);
    }
    return found;
  }

  it.each([
    ['de', 'Updates abonnieren', 'Abonnieren', 'Abonnement bestätigen', 'Abmelden'],
    ['ja', '更新を購読', '購読する', '購読を確定する', '購読を解除'],
  ])('subscribe, confirm and unsubscribe in %s', async (language, link, send, confirm, leave) => {
    const [down, late] = [{ name: 'Checkout' }, { name: 'Parcels', state: 'slow' }];
    const asked = { name: `Harbour ${language}`, language, published: true, components: [down, late] };
    const made = await app.postSecret('/status-pages', asked);
    const { components } = made.body;
    await app.postSecret('/incidents', {
      ...{ title: 'Parcels are late', message: 'We are looking into it.', public: true },
      components: [components[1].component_id],
    });
    app.advance(1_000);
    await page.goto(`${app.origin}/status/harbour-${language}`);
    expect(await faults()).toEqual([]);
    await page.getByRole('link', { name: link }).click();
    expect(await faults()).toEqual([]);
    await page.getByRole('textbox').fill('mara@');
    await page.getByRole('button', { name: send }).click();
    expect(await faults()).toEqual([]);
    await page.getByRole('textbox').fill('mara@shop.example');
    await page.getByRole('button', { name: send }).click();
    expect(await faults()).toEqual([]);
    await until(async () => {
      await sendDueStatusMessages(app.deps, messenger, app.origin);
      return mails.length > 0;
    });
    const confirmation = linkIn(mails.splice(0).join('\n'), 'confirm');
    await page.goto(`${app.origin}${confirmation}`);
    expect(await faults()).toEqual([]);
    await page.getByRole('button', { name: confirm }).click();
    expect(await faults()).toEqual([]);
    await page.goto(`${app.origin}${confirmation.replace('/confirm/', '/unsubscribe/')}`);
    expect(await faults()).toEqual([]);
    if (language === 'ja') return;
    await page.getByRole('button', { name: leave }).click();
    expect(await faults()).toEqual([]);
  });

  it('are a list for admins', async () => {
    await app.postSecret('/status-pages/2/subscribers', { url: 'https://ops.example/hook' });
    await page.goto(`${app.origin}/sign-in`);
    await page.getByRole('link', { name: 'Sign in with a token' }).click();
    await page.getByLabel('Workspace token').fill(adminToken);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
    await page.goto(`${app.origin}/status-pages/harbour-ja/subscribers`);
    expect(await page.locator('tbody tr').count()).toBe(2);
    expect(await faults()).toEqual([]);
    await page.getByRole('link', { name: 'Delete… mara@shop.example' }).click();
    expect(await faults()).toEqual([]);
    await page.getByRole('button', { name: 'Delete subscriber' }).click();
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('link', { name: 'Add webhook…' }).click();
    await page.getByLabel('Webhook URL').fill('ftp://ops.example');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    expect(await faults()).toEqual([]);
    await page.goto(`${app.origin}/status-pages/harbour-ja`);
    expect(await faults()).toEqual([]);
  });
});
