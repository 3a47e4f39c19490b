import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { helpPages } from '../../../routes/pages/index.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { createMember } from '../../../src/core/members/members.ts';
import { minuteMs } from '../../../src/core/parsing/durations.ts';
import { createWalker, type OidcServer, oidcClient, openOidcServer } from '../../support/oidc-server.ts';
import { type OpenedPages, openPages } from '../../support/pages.ts';

let oidc: OidcServer;
let pages: OpenedPages;
beforeAll(async () => {
  oidc = await openOidcServer();
  pages = await openPages({
    declarations: helpPages(),
    env: {
      NOTIFIER_FETCH_ALLOW: '127.0.0.1',
      SIGN_IN_OIDC_ISSUER: oidc.issuer,
      SIGN_IN_OIDC_CLIENT_ID: oidcClient.id,
      SIGN_IN_OIDC_CLIENT_SECRET: oidcClient.secret,
      SIGN_IN_OIDC_NAME: 'Harbour Pine SSO',
      SIGN_IN_DOMAINS: 'harbourpine.example',
      SIGN_IN_ROLE_CLAIM: 'groups',
      SIGN_IN_ROLES: 'ops=admin,developers=member',
    },
    // The provider's tokens have the time of the machine.
    now: () => Date.now() + ahead,
  });
  await oidc.start(`${pages.origin}/sign-in/callback/oidc`);
});
afterAll(async () => {
  await pages.close();
  await oidc.close();
});
let ahead = 0;
beforeEach(() => {
  ahead = 0;
});

let numbered = 0;
function accountOf(claims: object = {}) {
  numbered += 1;
  const email = `person${numbered}@other.example`;
  oidc.account = {
    sub: `subject-${numbered}`,
    name: `Person ${numbered}`,
    email,
    email_verified: true,
    ...claims,
  };
  return { email: String(oidc.account['email']), sub: oidc.account.sub };
}

async function memberOf(email: string) {
  numbered += 1;
  const fields = { name: `Member ${numbered}`, role: 'viewer', email } as const;
  return createMember(pages.deps, fields, commandLineSource);
}

const start = '/sign-in/with/oidc?next=%2Fhelp';
const isCallback = (url: string): boolean => url.includes('/sign-in/callback/');
const find = (email: string) => pages.deps.store.listMembersByEmail(email);

describe('sign-in by an OpenID Connect provider', () => {
  it('is offered by its name, and signs in the member with the verified address', async () => {
    const { email } = accountOf();
    const member = await memberOf(email);
    const { walk } = createWalker();
    expect((await walk(`${pages.origin}/sign-in`)).text).toContain('Harbour Pine SSO');
    const answer = await walk(pages.origin + start);
    expect([answer.status, answer.url]).toEqual([200, `${pages.origin}/help`]);
    const [session] = await pages.deps.store.listSessions({ memberId: member.id }, pages.deps.now());
    expect(session?.signedInBy).toBe('with Harbour Pine SSO');
  });

  it('recognises the account later by issuer and subject only', async () => {
    const { email, sub } = accountOf();
    const member = await memberOf(email);
    await createWalker().walk(pages.origin + start);
    accountOf({ sub, email: 'new-address@other.example', email_verified: false });
    expect((await createWalker().walk(pages.origin + start)).status).toBe(200);
    expect(await pages.deps.store.listIdentities(member.id)).toMatchObject([{ subject: sub }]);
  });

  it('refuses somebody who gets a member’s address later', async () => {
    const { email } = accountOf();
    const member = await memberOf(email);
    await createWalker().walk(pages.origin + start);
    accountOf({ email });
    const answer = await createWalker().walk(pages.origin + start);
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('another account')]);
    expect(await pages.deps.store.listIdentities(member.id)).toHaveLength(1);
  });

  it.each([
    ['an address that is not verified', { email_verified: false }, 'has not verified your e-mail address'],
    ['no address', { email: undefined }, 'has not verified your e-mail address'],
    ['letters that only look alike', { email: 'mara\u212a@other.example' }, 'has not verified'],
  ])('refuses %s', async (_name, claims, words) => {
    await memberOf('marak@other.example');
    accountOf(claims);
    const answer = await createWalker().walk(pages.origin + start);
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining(words)]);
  });

  it('refuses who is no member, in these words', async () => {
    accountOf({ email: 'mara@other.example' });
    const { status, text } = await createWalker().walk(pages.origin + start);
    const said = text.replaceAll(/<[^>]+>/g, '');
    expect([status, said]).toEqual([
      403,
      expect.stringContaining(
        'Harbour Pine SSO signed you in, but mara@other.example is not a member. Ask an admin for an invitation.',
      ),
    ]);
  });

  it('refuses an address that several members have', async () => {
    const { email } = accountOf();
    await memberOf(email);
    await memberOf(email.toUpperCase());
    expect((await createWalker().walk(pages.origin + start)).text).toContain('several members');
  });

  it('adds users of an allowed domain with the role of the claim', async () => {
    accountOf({ name: 'Jun Park', email: 'jun@harbourpine.example', groups: ['developers', 'ops'] });
    expect((await createWalker().walk(pages.origin + start)).status).toBe(200);
    expect(await find('jun@harbourpine.example')).toMatchObject([{ name: 'Jun Park', role: 'admin' }]);
    accountOf({ ...oidc.account, groups: [] });
    await createWalker().walk(pages.origin + start);
    expect(await find('jun@harbourpine.example')).toMatchObject([{ role: 'viewer' }]);
    // The name of another member is not taken on.
    accountOf({ name: 'jun  park', email: 'jun2@harbourpine.example' });
    await createWalker().walk(pages.origin + start);
    expect(await find('jun2@harbourpine.example')).toMatchObject([{ name: 'jun2@harbourpine.example' }]);
  });

  it('refuses a removed member', async () => {
    const { email } = accountOf();
    const member = await memberOf(email);
    await createWalker().walk(pages.origin + start);
    await pages.deps.store.removeMember(member.id, pages.deps.now());
    expect((await createWalker().walk(pages.origin + start)).text).toContain('is not a member');
  });

  it('refuses removed members of an allowed domain until an admin invites them', async () => {
    const email = 'noor@harbourpine.example';
    accountOf({ email });
    await createWalker().walk(pages.origin + start);
    const [joined] = await find(email);
    await pages.deps.store.removeMember(joined?.id ?? 0, pages.deps.now());
    accountOf({ email: 'Noor@HarbourPine.example' });
    expect((await createWalker().walk(pages.origin + start)).text).toContain('is not a member');
    expect(await find(email)).toEqual([]);
    await memberOf(email);
    expect((await createWalker().walk(pages.origin + start)).status).toBe(200);
  });

  it('completes only in the browser that started it, once, within ten minutes', async () => {
    accountOf({ email: 'kim@harbourpine.example' });
    const begun = createWalker();
    const { url } = await begun.walk(pages.origin + start, isCallback);
    expect((await createWalker().walk(url)).status).toBe(410);
    expect((await begun.walk(url)).status).toBe(200);
    expect((await begun.walk(url)).status).toBe(410);
    const late = createWalker();
    const { url: lateUrl } = await late.walk(pages.origin + start, isCallback);
    ahead = 10 * minuteMs;
    expect((await late.walk(lateUrl)).status).toBe(410);
  });

  it.each([
    ['state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43)), 410],
    ['code', (url: URL) => url.searchParams.set('code', 'x'.repeat(43)), 502],
    ['issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example'), 502],
    ['an error instead', (url: URL) => url.searchParams.set('error', 'access_denied'), 403],
  ])('refuses a callback that was changed: %s', async (_name, change, status) => {
    accountOf({ email: 'kim@harbourpine.example', sub: 'kim' });
    const begun = createWalker();
    const url = new URL((await begun.walk(pages.origin + start, isCallback)).url);
    change(url);
    expect((await begun.walk(url.href)).status).toBe(status);
  });

  it('does not start from another site, or with an unknown provider', async () => {
    const { ask, walk } = createWalker();
    const answer = await ask(pages.origin + start, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(answer.headers.get('location')).toBe('/sign-in');
    expect((await walk(`${pages.origin}/sign-in/with/google`)).status).toBe(404);
    expect((await walk(`${pages.origin}/sign-in/callback/google?state=x`)).status).toBe(404);
  });
});

it('reports an unreachable provider, and connects to no private address by default', async () => {
  const own = await openPages({
    env: { SIGN_IN_OIDC_ISSUER: 'https://127.0.0.1:1', SIGN_IN_OIDC_CLIENT_ID: 'x' },
  });
  try {
    const answer = await createWalker().walk(own.origin + start);
    expect([answer.status, answer.text]).toEqual([502, expect.stringContaining('cannot be reached')]);
  } finally {
    await own.close();
  }
});
