// One walk: an admin signs in at a real OpenID Connect provider and invites a
// viewer of one project by mail; the viewer follows the link, makes a passkey, signs in with it, and reaches nothing
// of another project. What each step shows is kept as a picture.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { workspacePages } from '../../routes/pages/index.ts';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { createMember } from '../../src/core/members/members.ts';
import { fillPath, makeMarkedProject, type Parts } from '../security/support/marked-project.ts';
import { type MailServer, startMailServer } from '../support/alerts/mail-server.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { type OidcServer, oidcClient, openOidcServer } from '../support/oidc-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
/** For whoever looks: the folder in which pictures are left. */
const pictures = process.env['WALK_PICTURES'] ?? join(folder.path, 'pictures');
const foreign = /quagga/i;

describeWithPrograms(
  'an invited viewer of one project',
  ['chromium'],
  ({ chromium: executablePath = '' }) => {
    let app: TestApp;
    let oidc: OidcServer;
    let mail: MailServer;
    let browser: Browser;
    let admin: Page;
    let viewer: Page;
    let ours: string;
    let own: Parts;
    let other: Parts;
    let pictured = 0;

    beforeAll(async () => {
      mkdirSync(pictures, { recursive: true });
      [oidc, mail] = await Promise.all([openOidcServer(), startMailServer()]);
      app = await openTestApp({
        env: {
          NOTIFIER_FETCH_ALLOW: '127.0.0.1',
          SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
          SMTP_FROM: 'notifier@shop.example',
          SIGN_IN_OIDC_ISSUER: oidc.issuer,
          SIGN_IN_OIDC_CLIENT_ID: oidcClient.id,
          SIGN_IN_OIDC_CLIENT_SECRET: oidcClient.secret,
          SIGN_IN_OIDC_NAME: 'Harbour Pine SSO',
        },
      });
      ours = app.origin.replace('127.0.0.1', 'localhost');
      await oidc.start(`${ours}/sign-in/callback/oidc`);
      await app.deps.store.changeProject(app.project.id, { name: 'okapi-shop' });
      own = await makeMarkedProject(app, app, 'okapi');
      other = await makeMarkedProject(app, await app.addProject('quagga-shop'), 'quagga');
      const email = 'mara@shop.example';
      await createMember(app.deps, { name: 'Mara Feld', role: 'admin', email }, commandLineSource);
      oidc.account = { sub: 'mara', email, email_verified: true, name: 'Mara Feld' };
      const { chromium } = await import('playwright-core');
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
      [admin, viewer] = [await newPage(), await newPage()];
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await app?.close();
      await Promise.all([oidc?.close(), mail?.close()]);
      folder.remove();
    });

    const newPage = async () => (await browser.newContext()).newPage();
    const picture = async (page: Page, name: string): Promise<void> => {
      pictured += 1;
      await page.screenshot({ path: join(pictures, `${pictured}-${name}.png`), fullPage: true });
    };

    it('is invited by an admin, who signs in at the provider', async () => {
      await admin.goto(`${ours}/members/invite`);
      await picture(admin, 'sign-in');
      await admin.getByRole('link', { name: 'Continue with Harbour Pine SSO' }).click();
      await admin.waitForURL(`${ours}/members/invite`);
      await admin.getByLabel('Name').fill('Vera Stone');
      await admin.getByLabel('E-mail').fill('vera@shop.example');
      await admin.getByLabel('Viewer').check();
      await admin.getByLabel('Chosen projects').check();
      await admin.getByLabel('okapi-shop').check();
      await picture(admin, 'invitation');
      await admin.locator('main').getByRole('button', { name: /invit/i }).click();
      await admin.getByText('vera@shop.example').first().waitFor();
      await picture(admin, 'invited');
      expect(mail.mails.map(({ to }) => to)).toEqual([['vera@shop.example']]);
    });

    it('signs in by the link of the mail, once', async () => {
      const text = (mail.mails[0]?.text ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');
      const token = /\/sign-in\?token=(\w+)/.exec(text)?.[1] ?? '';
      await viewer.goto(`${ours}/sign-in?token=${token}`);
      await picture(viewer, 'link');
      await viewer.getByRole('button', { name: 'Sign in' }).click();
      await viewer.waitForURL(`${ours}/`);
      await picture(viewer, 'overview');
      const second = await newPage();
      await second.goto(`${ours}/sign-in?token=${token}`);
      expect(await second.locator('main').innerText()).toContain('This link has already been used.');
      await second.context().close();
    });

    it('makes a passkey, signs out, and signs in with it', async () => {
      const cdp = await viewer.context().newCDPSession(viewer);
      await cdp.send('WebAuthn.enable');
      await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          ...({ protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const),
          ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
        },
      });
      await viewer.goto(`${ours}/members/sign-in`);
      await viewer.getByRole('button', { name: 'Add a passkey' }).click();
      await viewer.getByLabel('Name').fill('Work laptop');
      await viewer.getByRole('button', { name: 'Create passkey' }).click();
      await viewer.getByText('Work laptop').first().waitFor();
      await picture(viewer, 'passkey');
      await viewer.goto(`${ours}/sign-out`);
      await viewer.getByRole('button', { name: 'Sign out' }).click();
      await viewer.waitForURL(`${ours}/sign-in`);
      await viewer.goto(`${ours}/sign-in?next=%2Fissues`);
      await viewer.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await viewer.waitForURL(`${ours}/issues`);
      const member = await app.deps.store.findMemberByName('vera stone');
      const sessions = await app.deps.store.listSessions({ memberId: member?.id ?? 0 }, app.deps.now());
      expect(sessions.map(({ signedInBy }) => signedInBy)).toEqual(['with a passkey']);
      expect(await viewer.locator('main').innerText()).not.toMatch(foreign);
      await picture(viewer, 'issues');
    });

    it('reaches no page, JSON, stream or action of another project', async () => {
      const { request } = viewer.context();
      const shown: string[] = [];
      const seen: string[] = [];
      const ofThePerson =
        /^\/(?:members\/(?:sessions|passkeys|accounts|tokens|sign-in)|issues\/(?:views|bulk)|settings)(?:\/|$)/;
      // Of people and types, which belong to no project.
      const names = workspacePages().flatMap(({ path }) =>
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      );
      const parts = { ...Object.fromEntries(names.map((name) => [name, '1'])), ...other };
      const isOfNoProject = /\{(?:member_id|team_id|period|type|noun|on)\}/;
      for (const each of workspacePages()) {
        if (each.kind === 'act' && ofThePerson.test(each.path)) continue;
        const paths =
          each.kind === 'page'
            ? [each.path, `${each.path === '/' ? '/overview' : each.path}.json`]
            : [each.path];
        for (const path of paths) {
          const asked = fillPath(path, parts);
          const answer =
            each.kind === 'act'
              ? await request.post(ours + asked, { form: { csrf_token: await csrfToken() }, maxRedirects: 0 })
              : await request.get(ours + asked, { maxRedirects: 0 });
          const body = (await answer.text()).replaceAll(asked.split('/').at(-1) || ' ', '');
          if (foreign.test(body)) shown.push(`${each.kind} ${asked}`);
          const isRefused = answer.status() === 404 || answer.status() === 403 || answer.status() === 400;
          if (path.includes('{') && !isOfNoProject.test(path) && !isRefused)
            seen.push(`${asked} ${answer.status()}`);
        }
      }
      const stream = await request.get(`${ours}/live/stream?project=${other['project_id']}`);
      expect([shown, seen, stream.status()]).toEqual([[], [], 404]);
      await viewer.goto(`${ours}${fillPath('/issues/{id}', other)}`);
      await picture(viewer, 'not-found');
      expect(await viewer.locator('main').innerText()).toMatch(/no issue|not found|There is no/i);
      await viewer.goto(`${ours}${fillPath('/issues/{id}', own)}`);
      expect(await viewer.locator('main').innerText()).toContain('okapi');
      await picture(viewer, 'own-issue');
    }, 120_000);

    let token: string | undefined;
    const csrfToken = async (): Promise<string> => {
      token ??= (await viewer.locator('input[name=csrf_token]').first().getAttribute('value')) ?? '';
      return token;
    };
  },
);
