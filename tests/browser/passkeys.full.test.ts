// Passkeys with Chromium's virtual authenticator (CDP WebAuthn), at http://localhost.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { createMemberLink } from '../../src/core/members/links.ts';
import { createMember } from '../../src/core/members/members.ts';
import type { Member } from '../../src/core/store/members.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';

describeWithPrograms('a passkey', ['chromium'], ({ chromium: executablePath = '' }) => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  let cdp: CDPSession;
  let authenticatorId: string;
  let member: Member;
  let ours: string;
  const asked: string[] = [];

  beforeAll(async () => {
    app = await openTestApp();
    ours = app.origin.replace('127.0.0.1', 'localhost');
    const fields = { name: 'Mara Feld', role: 'viewer', email: null } as const;
    member = await createMember(app.deps, fields, commandLineSource);
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    page = await browser.newPage();
    page.on('request', (request) => asked.push(request.url()));
    cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    await addAuthenticator();
    const { token } = await createMemberLink(app.deps, member.id);
    await page.goto(`${ours}/sign-in?token=${token}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${ours}/`);
  });
  afterAll(async () => {
    await browser?.close();
    await app.close();
  });

  async function addAuthenticator(): Promise<void> {
    const options = {
      ...({ protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const),
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    };
    ({ authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options }));
  }

  const signIn = async (): Promise<void> => {
    await page.context().clearCookies();
    await page.goto(`${ours}/sign-in?next=%2Fhelp`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  };

  it('is not offered while no member has one', async () => {
    const text = await (await fetch(`${app.origin.replace('127.0.0.1', 'localhost')}/sign-in`)).text();
    expect(text).not.toContain('Sign in with a passkey');
  });

  it('is made by a member, and named', async () => {
    await page.goto(`${ours}/members/sign-in`);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name').fill('Work laptop');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.waitForURL(`${ours}/members/sign-in`);
    expect(await page.getByText('Work laptop').first().isVisible()).toBe(true);
    expect(await app.deps.store.listPasskeys(member.id)).toMatchObject([{ name: 'Work laptop' }]);
    // The same authenticator makes no second one for this member.
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByText('No passkey was used.').waitFor();
    expect(await app.deps.store.listPasskeys(member.id)).toHaveLength(1);
  });

  it('signs in its member, opens the requested page, and increases its counter', async () => {
    const before = await app.deps.store.listPasskeys(member.id);
    await signIn();
    await page.waitForURL(`${ours}/help`);
    const after = await app.deps.store.listPasskeys(member.id);
    expect(after[0]?.counter).toBeGreaterThan(before[0]?.counter ?? 0);
    const sessions = await app.deps.store.listSessions({ memberId: member.id }, app.deps.now());
    expect(sessions.map(({ signedInBy }) => signedInBy)).toContain('with a passkey');
    await page.goto(`${ours}/members/sessions`);
    expect(await page.locator('main').textContent()).toContain('signed in with a passkey');
  });

  it('signs in once for each response, and only in the browser that asked for it', async () => {
    const [posted] = await Promise.all([
      page.waitForRequest((request) => request.url() === `${ours}/sign-in/passkey`),
      signIn(),
    ]);
    await page.waitForURL(`${ours}/help`);
    const body = posted.postData() ?? '';
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    };
    for (const cookie of [(await posted.allHeaders())['cookie'] ?? '', '']) {
      const again = await fetch(posted.url(), { method: 'POST', body, headers: { ...headers, cookie } });
      expect([again.status, again.headers.get('set-cookie')]).toEqual([403, null]);
    }
  });

  it('is refused when its counter goes back, as that of a copy does', async () => {
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    const [credential] = credentials;
    if (credential === undefined) throw new Error('There is no credential');
    await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential.credentialId });
    await cdp.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: { ...credential, signCount: 0 },
    });
    await signIn();
    await page
      .getByText('No passkey on this device is registered here. Use another way to sign in.')
      .waitFor();
    expect(await page.context().cookies()).not.toContainEqual(
      expect.objectContaining({ name: expect.stringMatching(/^notifier_session_[0-9a-f]+$/) }),
    );
  });

  it('is refused after its deletion; only its member renames or deletes it', async () => {
    const [passkey] = await app.deps.store.listPasskeys(member.id);
    const { token } = await createMemberLink(app.deps, member.id);
    await page.goto(`${ours}/sign-in?token=${token}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${ours}/`);
    await page.goto(`${ours}/members/sign-in`);
    await page.getByText('Edit').click();
    await page.getByLabel('Name').fill('Old laptop');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('Old laptop').first().waitFor();
    await page.getByText('Edit').click();
    // Another member keeps the button of the sign-in page there.
    const other = await createMember(
      app.deps,
      { name: 'Jun', role: 'viewer', email: null },
      commandLineSource,
    );
    await app.deps.store.addPasskey({
      ...{ memberId: other.id, credentialId: 'x', publicKey: 'x', counter: 0, transports: [] },
      ...{ name: 'Phone', createdAtMs: 0 },
    });
    await page.getByRole('button', { name: 'Delete passkey' }).click();
    await page.getByText('No passkeys yet.').waitFor();
    expect(await app.deps.store.findPasskey(passkey?.credentialId ?? '')).toBeNull();
    await signIn();
    await page.getByText('No passkey on this device is registered here.').waitFor();
  });

  it('sends no request to another host', () => {
    expect(asked.filter((url) => !url.startsWith(`${ours}/`))).toEqual([]);
  });
});
