import { describe, expect, it } from '@jest/globals';
import { helpPages } from '../../../routes/pages/index.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { createMemberLink, createTokenLink } from '../../../src/core/members/links.ts';
import { createMember } from '../../../src/core/members/members.ts';
import { minuteMs } from '../../../src/core/parsing/durations.ts';
import { csrfField } from '../../../src/web/components/controls.ts';
import { adminToken, openPages } from '../../support/pages.ts';
import { shared } from '../../support/shared.ts';

const dayMs = 24 * 60 * minuteMs;

const pages = shared(() => openPages({ declarations: helpPages() }));

let named = 0;
async function linkOf(role: 'viewer' | 'member' | 'admin' = 'member') {
  named += 1;
  const member = await createMember(
    pages.deps,
    { name: `Ann ${named}`, role, email: null },
    commandLineSource,
  );
  return { member, token: (await createMemberLink(pages.deps, member.id)).token };
}

describe('the token of the workspace', () => {
  it('signs in and opens the requested page', async () => {
    const browser = pages.browser();
    const asked = await browser.get('/help?x=1');
    expect([asked.status, asked.location]).toEqual([303, '/sign-in?next=%2Fhelp%3Fx%3D1']);
    const page = await browser.get('/sign-in?next=%2Fhelp%3Fx%3D1');
    expect(page.text).toContain('value="/help?x=1"');
    const answer = await browser.post('/sign-in', { token: adminToken, next: '/help?x=1' });
    expect([answer.status, answer.location]).toEqual([303, '/help?x=1']);
    expect(await browser.get('/help')).toHaveStatus(200);
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/a\tb', 'javascript:alert(1)'])(
    'redirects only to our own pages: next=%s',
    async (next) => {
      const answer = await pages.browser().post('/sign-in', { token: adminToken, next });
      expect([answer.status, answer.location]).toEqual([303, '/']);
    },
  );

  it('refuses every other text with the same message', async () => {
    const bodies: string[] = [];
    for (const token of ['', 'x', adminToken.slice(0, -1), `${adminToken}x`, adminToken.toUpperCase()]) {
      const answer = await pages.browser().post('/sign-in', { token });
      expect([answer.status, answer.setCookie]).toEqual([403, null]);
      bodies.push(answer.text);
    }
    expect(new Set(bodies).size).toBe(1);
  });

  it('starts a new session each time, and ends the previous one of the browser', async () => {
    const { browser } = await pages.signedIn('token');
    const before = browser.cookie ?? '';
    await browser.post('/sign-in', { token: adminToken });
    expect(browser.cookie).not.toBe(before);
    const other = pages.browser();
    other.cookie = before;
    expect(await other.get('/help')).toHaveStatus(303);
  });

  it('is invalid once it was changed, as are sessions that it started', async () => {
    const own = await openPages({ declarations: helpPages() });
    try {
      const { browser } = await own.signedIn('token');
      expect(await browser.get('/help')).toHaveStatus(200);
      const { rotateAdminToken } = await import('../../../src/core/projects/apply-configuration.ts');
      await rotateAdminToken(own.deps);
      expect(await browser.get('/help')).toHaveStatus(303);
      expect(await browser.post('/sign-in', { token: adminToken })).toHaveStatus(403);
    } finally {
      await own.close();
    }
  });
});

describe('a link of a member', () => {
  it('shows who is invited, stays valid when viewed, and works once by its button', async () => {
    const { member, token } = await linkOf();
    const scanner = pages.browser();
    for (let look = 0; look < 3; look += 1) {
      const page = await scanner.get(`/sign-in?token=${token}`);
      expect(page.headers['cache-control']).toBe('no-store');
      expect([page.status, page.setCookie]).toEqual([200, null]);
      expect(page.text).toContain(member.name);
    }
    const browser = pages.browser();
    expect(await browser.post('/sign-in', { link: token })).toHaveStatus(303);
    const again = await pages.browser().post('/sign-in', { link: token });
    expect([again.status, again.setCookie]).toEqual([410, null]);
    expect(again.text).toContain('This link has already been used');
    expect(await scanner.get(`/sign-in?token=${token}`)).toHaveStatus(410);
  });

  it('signs in one of two concurrent visitors', async () => {
    const { token } = await linkOf();
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => pages.browser().post('/sign-in', { link: token })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410]);
  });

  it('works for exactly 15 minutes', async () => {
    const early = await linkOf();
    const late = await linkOf();
    pages.advance(15 * minuteMs - 1);
    expect(await pages.browser().post('/sign-in', { link: early.token })).toHaveStatus(303);
    pages.advance(1);
    const answer = await pages.browser().post('/sign-in', { link: late.token });
    expect(answer).toHaveStatus(410);
    expect(answer.text).toContain('This link has expired');
  });

  it('replaces the previous link, and ends with the member', async () => {
    const { member, token } = await linkOf();
    const second = (await createMemberLink(pages.deps, member.id)).token;
    expect(await pages.browser().post('/sign-in', { link: token })).toHaveStatus(404);
    const { browser } = await pages.signedIn('member', 'Removed soon');
    await pages.deps.store.removeMember(member.id, pages.deps.now());
    expect(await pages.browser().post('/sign-in', { link: second })).toHaveStatus(404);
    const soon = await pages.deps.store.findMemberByName('removed soon');
    await pages.deps.store.removeMember(soon?.id ?? 0, pages.deps.now());
    expect(await browser.get('/help')).toHaveStatus(303);
  });

  it('is invalid if it is malformed', async () => {
    for (const token of ['x', `${'a'.repeat(42)}!`, '%00', 'a'.repeat(5000)]) {
      expect(await pages.browser().get(`/sign-in?token=${token}`)).toHaveStatus(404);
    }
  });
});

describe('the sign-in link printed at start', () => {
  const printed = async () => (await createTokenLink(pages.deps))?.token ?? '';

  it('signs in without a form, once', async () => {
    const token = await printed();
    const browser = pages.browser();
    const answer = await browser.get(`/sign-in?token=${token}`);
    expect([answer.status, answer.location]).toEqual([303, '/']);
    expect(await browser.get('/help')).toHaveStatus(200);
    expect(await pages.browser().get(`/sign-in?token=${token}`)).toHaveStatus(410);
  });

  it('is not used up by a HEAD request', async () => {
    const token = await printed();
    const headers = await fetch(`${pages.origin}/sign-in?token=${token}`, { method: 'HEAD' });
    expect(headers).toHaveStatus(200);
    expect(await pages.browser().get(`/sign-in?token=${token}`)).toHaveStatus(303);
  });

  it('expires after 15 minutes', async () => {
    const token = await printed();
    pages.advance(15 * minuteMs);
    expect(await pages.browser().get(`/sign-in?token=${token}`)).toHaveStatus(410);
  });

  const handedOn: ReadonlyArray<readonly [string, Record<string, string>]> = [
    ['another host', { host: 'notifier.example' }],
    ['another host that begins alike', { host: 'localhost.evil.example' }],
    ['X-Forwarded-For', { 'x-forwarded-for': '127.0.0.1' }],
    ['X-Forwarded-Proto', { 'x-forwarded-proto': 'http' }],
    ['Forwarded', { forwarded: 'for=127.0.0.1' }],
    ['Via', { via: '1.1 proxy' }],
  ];
  it.each(handedOn)('does not work through a proxy or at another host name: %s', async (_name, headers) => {
    const token = await printed();
    const browser = pages.browser();
    expect(await browser.get(`/sign-in?token=${token}`, headers)).toHaveStatus(403);
    const posted = { 'sec-fetch-site': 'same-origin', ...headers };
    expect(await browser.post('/sign-in', { link: token }, posted)).toHaveStatus(403);
    expect(await browser.get(`/sign-in?token=${token}`)).toHaveStatus(303);
  });

  it.each(['localhost:1', '127.0.0.2', '[::1]:8787', 'LOCALHOST'])('works as %s', async (host) => {
    const answer = await pages.browser(host).get(`/sign-in?token=${await printed()}`);
    expect(answer).toHaveStatus(303);
  });
});

describe('a session', () => {
  it('lasts 30 days after it was last used, and its cookie with it', async () => {
    const { browser } = await pages.signedIn('viewer', 'Often here');
    for (let visit = 0; visit < 3; visit += 1) {
      pages.advance(29 * dayMs);
      const answer = await browser.get('/help');
      expect([answer.status, answer.setCookie]).toEqual([200, expect.stringContaining('Max-Age=2592000')]);
      // Used again within minutes, neither the row nor the cookie is written.
      expect((await browser.get('/help')).setCookie).toBeNull();
    }
    pages.advance(30 * dayMs);
    expect(await browser.get('/help')).toHaveStatus(303);
  });

  it('ends by its sign-out button, which needs the token of the session', async () => {
    const { browser, csrf } = await pages.signedIn('viewer', 'Going');
    expect((await browser.get('/sign-out')).text).toContain('You are signed in as');
    expect(await browser.post('/sign-out', {})).toHaveStatus(403);
    expect(await browser.post('/sign-out', { [csrfField]: 'x' })).toHaveStatus(403);
    const kept = browser.cookie;
    expect((await browser.post('/sign-out', csrf)).location).toBe('/sign-in');
    expect(browser.cookie).toBeNull();
    browser.cookie = kept;
    expect(await browser.get('/help')).toHaveStatus(303);
  });

  it('is stored only as a hash, as are links and the token', async () => {
    const { token } = await linkOf();
    const { browser } = await pages.signedIn('viewer', 'Seen in no row');
    const id = browser.cookie?.split('=')[1] ?? '';
    const found = await pages.deps.store.findMemberByName('seen in no row');
    const rows = JSON.stringify([
      await pages.deps.store.listSessions({ memberId: found?.id ?? 0 }, pages.deps.now()),
      await pages.deps.store.findSetting('admin_token_hash'),
    ]);
    expect(id).toHaveLength(43);
    for (const secret of [id, token, adminToken]) expect(rows).not.toContain(secret);
  });
});

describe('a form of another site', () => {
  const from = (origin: string) => ({ origin });
  const strangers: ReadonlyArray<readonly [string, Record<string, string>]> = [
    ['says so', { 'sec-fetch-site': 'cross-site' }],
    ['is a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['says so, whatever its Origin', { 'sec-fetch-site': 'cross-site', origin: 'OURS' }],
    ['has another Origin', from('https://evil.example')],
    ['has our Origin on another port', from('http://127.0.0.1:1')],
    ['has no Origin that it would tell', from('null')],
    ['says nothing', {}],
  ];
  it.each(strangers)('neither signs in nor changes anything: one that %s', async (_name, headers) => {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('OURS', pages.origin)]),
    );
    const answer = await pages.browser().post('/sign-in', { token: adminToken }, sent);
    expect([answer.status, answer.setCookie]).toEqual([403, null]);
    const { browser, csrf } = await pages.signedIn('token');
    expect(await browser.post('/sign-out', csrf, sent)).toHaveStatus(403);
    expect(await browser.get('/help')).toHaveStatus(200);
  });

  it('is recognised by Origin if the browser sends no Sec-Fetch-Site', async () => {
    const { browser, csrf } = await pages.signedIn('token');
    const ours = from(pages.origin);
    expect(await browser.post('/sign-out', { [csrfField]: 'x' }, ours)).toHaveStatus(403);
    expect(await browser.post('/sign-out', csrf, ours)).toHaveStatus(303);
  });

  it('includes a form of another session', async () => {
    const first = await pages.signedIn('token');
    const second = await pages.signedIn('token');
    expect(await second.browser.post('/sign-out', first.csrf)).toHaveStatus(403);
  });
});

describe('the cookie', () => {
  const places: ReadonlyArray<readonly [string, Record<string, string>, string, string]> = [
    ['http', {}, '', 'notifier_session_0=ID; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax'],
    [
      'http, in a folder',
      { PAGES_URL: 'http://127.0.0.1/errors' },
      '/errors',
      'notifier_session_0=ID; Path=/errors; Max-Age=2592000; HttpOnly; SameSite=Lax',
    ],
    [
      'a host of its own on https',
      { PAGES_URL: 'https://errors.shop.example' },
      '',
      '__Host-notifier_session_0=ID; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure',
    ],
    [
      'a folder of a site on https',
      { PAGES_URL: 'https://shop.example/errors/' },
      '/errors',
      '__Secure-notifier_session_0=ID; Path=/errors; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure',
    ],
  ];
  it.each(places)('on %s', async (_name, env, base, expected) => {
    const own = await openPages({ env });
    const host = env['PAGES_URL'] === undefined ? undefined : new URL(env['PAGES_URL']).host;
    try {
      const answer = await own.browser(host).post(`${base}/sign-in`, { token: adminToken });
      expect(answer.location).toBe(`${base}/`);
      expect(answer.setCookie?.replace(/_[0-9a-f]{8}=[0-9A-Za-z]{43};/, '_0=ID;')).toBe(expected);
    } finally {
      await own.close();
    }
  });

  it('of two installations on one host differs, and that of one survives a restart', async () => {
    const [one, other] = [await openPages(), await openPages()];
    try {
      const names: Array<string | undefined> = [];
      for (const own of [one, other, one]) {
        const answer = await own.browser().post('/sign-in', { token: adminToken });
        names.push(answer.setCookie?.split('=')[0]);
      }
      expect(names[0]).not.toBe(names[1]);
      expect(names[2]).toBe(names[0]);
    } finally {
      await one.close();
      await other.close();
    }
  });

  it('is Secure behind a proxy in TRUST_PROXY that says https, and behind no other', async () => {
    for (const [trusted, name] of [
      ['127.0.0.1', /^__Host-notifier_session_[0-9a-f]{8}=/],
      ['192.0.2.1', /^notifier_session_[0-9a-f]{8}=/],
    ] as const) {
      const own = await openPages({ env: { TRUST_PROXY: trusted } });
      try {
        const headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-proto': 'https' };
        const answer = await own.browser().post('/sign-in', { token: adminToken }, headers);
        expect(answer.setCookie).toMatch(name);
      } finally {
        await own.close();
      }
    }
  });
});

describe('PAGES_URL', () => {
  it('is the only address of the pages', async () => {
    const own = await openPages({
      env: { PAGES_URL: 'https://shop.example/errors' },
      declarations: helpPages(),
    });
    try {
      const at = async (host: string, path: string) => (await own.browser(host).get(path)).status;
      expect(await at('shop.example', '/errors/sign-in')).toBe(200);
      expect(await at('shop.example:443', '/errors/help')).toBe(303);
      for (const host of ['other.example', '127.0.0.1', 'shop.example:8443', 'shop.example.evil.example']) {
        expect([host, await at(host, '/errors/sign-in')]).toEqual([host, 404]);
        expect([host, await at(host, '/errors/help')]).toEqual([host, 404]);
      }
      expect(await at('shop.example', '/sign-in')).toBe(404);
      expect(await at('shop.example', '/errorsome/sign-in')).toBe(404);
    } finally {
      await own.close();
    }
  });
});

describe('sign-in attempts', () => {
  it('are limited for each address, and the page shows how many are left', async () => {
    const own = await openPages({ env: { RATE_LIMITS: 'on' } });
    try {
      const browser = own.browser();
      const left: string[] = [];
      for (let tries = 0; tries < 5; tries += 1) {
        const { text } = await browser.post('/sign-in', { token: 'guess' });
        left.push(/known here\. (.*?) this minute/.exec(text)?.[1] ?? '');
      }
      expect(left).toEqual([
        '4 attempts are left',
        '3 attempts are left',
        '2 attempts are left',
        '1 attempt is left',
        'No attempts are left',
      ]);
      const refused = await browser.post('/sign-in', { token: adminToken });
      expect([refused.status, refused.setCookie]).toEqual([429, null]);
      expect(refused.text).toContain('Too many attempts');
      // A form of another site uses up nobody's tries, and one per IP address does not bound others.
      own.advance(minuteMs);
      for (let tries = 0; tries < 9; tries += 1) {
        await browser.post('/sign-in', { token: 'x' }, { 'sec-fetch-site': 'cross-site' });
      }
      expect(await browser.post('/sign-in', { token: adminToken })).toHaveStatus(303);
    } finally {
      await own.close();
    }
  });
});
