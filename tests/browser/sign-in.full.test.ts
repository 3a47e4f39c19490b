// The sign-in page with everything set up, a sign-in by a real OpenID Connect provider, and the pages of a
// member's own ways to sign in, each looked at by axe.
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { createMember } from '../../src/core/members/members.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { type OidcServer, oidcClient, openOidcServer } from '../support/oidc-server.ts';

const looks = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 320, colorScheme: 'light' },
] as const;

describeWithPrograms('signing in', ['chromium'], ({ chromium: executablePath = '' }) => {
  let app: TestApp;
  let oidc: OidcServer;
  let browser: Browser;
  let page: Page;
  let ours: string;

  beforeAll(async () => {
    oidc = await openOidcServer();
    app = await openTestApp({
      env: {
        NOTIFIER_FETCH_ALLOW: '127.0.0.1',
        SMTP_URL: 'smtp://127.0.0.1:1',
        SIGN_IN_GOOGLE_CLIENT_ID: 'an-id',
        SIGN_IN_GOOGLE_CLIENT_SECRET: 'a-secret',
        SIGN_IN_GITHUB_CLIENT_ID: 'an-id',
        SIGN_IN_GITHUB_CLIENT_SECRET: 'a-secret',
        SIGN_IN_OIDC_ISSUER: oidc.issuer,
        SIGN_IN_OIDC_CLIENT_ID: oidcClient.id,
        SIGN_IN_OIDC_CLIENT_SECRET: oidcClient.secret,
        SIGN_IN_OIDC_NAME: 'Harbour Pine SSO',
        SIGN_IN_DOMAINS: 'harbourpine.example',
      },
    });
    ours = app.origin.replace('127.0.0.1', 'localhost');
    await oidc.start(`${ours}/sign-in/callback/oidc`);
    const email = 'mara@harbourpine.example';
    const member = await createMember(
      app.deps,
      { name: 'Mara Feld', role: 'admin', email },
      commandLineSource,
    );
    await app.deps.store.addPasskey({
      ...{ memberId: member.id, credentialId: 'x', publicKey: 'x', counter: 0, transports: [] },
      ...{ name: 'Work laptop', createdAtMs: app.deps.now() },
    });
    oidc.account = { sub: 'mara', email, email_verified: true, name: 'Mara Feld' };
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    page = await (await browser.newContext()).newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await app.close();
    await oidc.close();
  });

  async function faultsOf(): Promise<string[]> {
    const found: string[] = [];
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      found.push(...violations.map(({ id, nodes }) => `${width} ${colorScheme}: ${id} ${nodes[0]?.html}`));
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) found.push(`${width}: ${over} px too wide`);
    }
    return found;
  }

  it('has an accessible page and explains an invalid address', async () => {
    await page.goto(`${ours}/sign-in`);
    expect(await page.getByRole('link', { name: /Continue with/ }).allTextContents()).toEqual([
      'Continue with Google',
      'Continue with GitHub',
      'Continue with Harbour Pine SSO',
    ]);
    await page.getByLabel('E-mail address').fill('mara@harbourpine');
    await page.getByRole('button', { name: 'E-mail me a sign-in link' }).click();
    await page.getByText('Enter a full address, such as name@company.example.').waitFor();
    expect(await faultsOf()).toEqual([]);
  });

  it('by a provider returns to the page that was requested', async () => {
    await page.goto(`${ours}/members/sign-in`);
    await page.getByRole('link', { name: 'Continue with Harbour Pine SSO' }).click();
    await page.locator('main', { hasText: 'mara@harbourpine.example' }).waitFor();
    expect(page.url()).toBe(`${ours}/members/sign-in`);
    expect(await faultsOf()).toEqual([]);
  });

  it.each(['/members/sessions', '/members', '/members/1'])('is accessible on %s', async (path) => {
    await page.goto(ours + path);
    expect(await faultsOf()).toEqual([]);
  });

  it('asks for a passkey on an accessible page', async () => {
    await page.goto(`${ours}/members/sign-in`);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Create passkey' }).waitFor();
    expect(await faultsOf()).toEqual([]);
  });

  it('refuses somebody who is not a member, on an accessible page', async () => {
    oidc.account = { sub: 'other', email: 'mara@other.example', email_verified: true };
    await page.context().clearCookies();
    await page.goto(`${ours}/sign-in`);
    await page.getByRole('link', { name: 'Continue with Harbour Pine SSO' }).click();
    await page.getByText('is not a member. Ask an admin for an invitation.').waitFor();
    expect(await faultsOf()).toEqual([]);
  });
});
