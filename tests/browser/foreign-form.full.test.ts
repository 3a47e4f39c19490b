import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { applyConfiguration } from '../../src/core/projects/apply-configuration.ts';
import { csrfField } from '../../src/web/components/controls.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';

const token = 'the-token-of-this-test';

describeWithPrograms('a form of another site', ['chromium'], ({ chromium: executablePath = '' }) => {
  let app: TestApp;
  let browser: Browser;
  let context: BrowserContext;
  let foreign: Server;
  let html = '';
  let ours = '';

  beforeAll(async () => {
    app = await openTestApp({ env: { NOTIFIER_ADMIN_TOKEN: token } });
    await applyConfiguration(app.deps, () => {});
    // Another site, not only another port: a cookie goes to every port of one host.
    ours = app.origin.replace('127.0.0.1', 'localhost');
    foreign = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end(html);
    });
    await new Promise<void>((resolve) => {
      foreign.listen(0, '127.0.0.1', resolve);
    });
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${ours}/sign-in`);
    await page.getByLabel('Workspace token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${ours}/`);
  });

  afterAll(async () => {
    await browser?.close();
    await new Promise((done) => foreign.close(done));
    await app.close();
  });

  const members = async () => (await app.deps.store.listMembers(app.deps.now())).map(({ name }) => name);
  const inForeign = async (body: string): Promise<Page> => {
    html = `<!doctype html><title>Elsewhere</title>${body}`;
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
    return page;
  };
  const fields = (name: string, extra = '') =>
    `<input name="name" value="${name}"><input name="role" value="admin">${extra}<button>Win</button>`;

  it.each([
    ['posts', ''],
    ['has guessed the field of the token', `<input name="${csrfField}" value="${'x'.repeat(43)}">`],
  ])('changes nothing: one that %s', async (_how, extra) => {
    const page = await inForeign(
      `<form method="post" action="${ours}/members">${fields('Mallory', extra)}</form>`,
    );
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(`${ours}/members`)),
      page.getByRole('button').click(),
    ]);
    // The cookie is Lax, so that Chromium does not even send it.
    expect([401, 403]).toContain(answer.status());
    expect(await members()).not.toContain('Mallory');
    await page.close();
  });

  it('changes nothing: one in a frame without an origin, one by fetch with the cookies', async () => {
    const framed = `<form method="post" action="${ours}/members" target="_top">${fields('Mallory')}</form>`;
    const page = await inForeign(
      `<iframe sandbox="allow-forms allow-top-navigation" srcdoc='${framed}'></iframe>`,
    );
    const sent = page.evaluate(async (address) => {
      const body = new URLSearchParams({ name: 'Mallory', role: 'admin' });
      return fetch(address, { method: 'POST', credentials: 'include', mode: 'no-cors', body }).then(
        ({ type }) => type,
        () => 'refused',
      );
    }, `${ours}/members`);
    expect(['opaque', 'refused']).toContain(await sent);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(`${ours}/members`)),
      page.frameLocator('iframe').getByRole('button').click(),
    ]);
    expect([401, 403]).toContain(answer.status());
    expect(await members()).not.toContain('Mallory');
    await page.close();
  });

  it('changes nothing even with the cookie and the right token: it says where it comes from', async () => {
    // As if Lax were not there: the cookie goes along, as it does to an older browser's.
    const [cookie] = await context.cookies(ours);
    const own = await context.newPage();
    await own.goto(`${ours}/members/invite`);
    const csrf = await own.locator(`main input[name=${csrfField}]`).first().inputValue();
    await own.close();
    await context.addCookies([
      {
        name: cookie?.name ?? '',
        value: cookie?.value ?? '',
        domain: 'localhost',
        path: '/',
        sameSite: 'None',
        secure: true,
      },
    ]);
    const page = await inForeign('<p>Elsewhere</p>');
    const form = `<form method="post" action="${ours}/members">${fields('Mallory', `<input name="${csrfField}" value="${csrf}">`)}</form>`;
    await page.setContent(form);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(`${ours}/members`)),
      page.getByRole('button').click(),
    ]);
    expect((await answer.request().allHeaders())['cookie']).toContain(cookie?.value);
    expect(answer.status()).toBe(403);
    expect(await members()).not.toContain('Mallory');
    await page.close();
  });

  it('is accepted on our own pages: an invitation, its link, and the audit log', async () => {
    const page = await context.newPage();
    await page.goto(`${ours}/members`);
    await page.getByRole('link', { name: 'Invite' }).first().click();
    await page.getByLabel('Name').fill('Pavel');
    await page.getByRole('button', { name: 'Invite member' }).click();
    const link = await page.locator('#m-link').innerText();
    expect(await members()).toContain('Pavel');
    const other = await browser.newContext();
    const invited = await other.newPage();
    await invited.goto(link);
    await invited.getByRole('button', { name: 'Sign in' }).click();
    await invited.goto(`${ours}/audit`);
    expect(await invited.locator('.audit tbody tr').first().innerText()).toContain('signed in');
    await other.close();
    await page.close();
  });
});
