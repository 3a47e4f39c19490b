import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { helpPages } from '../../../routes/pages/index.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { createMember } from '../../../src/core/members/members.ts';
import { createWalker } from '../../support/oidc-server.ts';
import { type OpenedPages, openPages } from '../../support/pages.ts';

/** Answers as https://docs.github.com/apps/oauth-apps and the REST API of users describe. */
let user = { id: 7, login: 'mara', name: null as string | null };
let emails = [{ email: 'mara@shop.example', primary: true, verified: true, visibility: 'private' }];
const asked: Array<{ url: URL; form: URLSearchParams; authorization: string | undefined }> = [];
const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '', 'http://host');
  const form = new URLSearchParams(await textOf(request));
  asked.push({ url, form, authorization: request.headers.authorization });
  const query = url.searchParams;
  if (url.pathname === '/login/oauth/authorize') {
    const back = new URL(query.get('redirect_uri') ?? '');
    back.search = new URLSearchParams({ code: 'a-code', state: query.get('state') ?? '' }).toString();
    return void response.writeHead(302, { location: back.href }).end();
  }
  const answers: Record<string, unknown> = {
    '/login/oauth/access_token': {
      access_token: 'gho_token',
      scope: 'read:user,user:email',
      token_type: 'bearer',
    },
    '/api/v3/user': user,
    '/api/v3/user/emails': emails,
  };
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(answers[url.pathname]));
});

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

let pages: OpenedPages;
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  pages = await openPages({
    declarations: helpPages(),
    env: {
      NOTIFIER_FETCH_ALLOW: '127.0.0.1',
      SIGN_IN_GITHUB_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      SIGN_IN_GITHUB_CLIENT_ID: 'an-id',
      SIGN_IN_GITHUB_CLIENT_SECRET: 'a-secret',
    },
  });
});
afterAll(async () => {
  await pages.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const walk = () => createWalker().walk(`${pages.origin}/sign-in/with/github?next=%2Fhelp`);

it('signs in by the GitHub account id, the first time by the verified primary address', async () => {
  const fields = { name: 'Mara', role: 'member', email: 'Mara@shop.example' } as const;
  const member = await createMember(pages.deps, fields, commandLineSource);
  expect((await walk()).url).toBe(`${pages.origin}/help`);
  const byPath = (path: string) => asked.find(({ url }) => url.pathname === path);
  const begun = byPath('/login/oauth/authorize')?.url.searchParams;
  const exchanged = byPath('/login/oauth/access_token')?.form;
  expect(begun?.get('code_challenge_method')).toBe('S256');
  expect(exchanged?.get('code_verifier')).toMatch(/^\w{43}$/);
  expect([exchanged?.get('client_secret'), exchanged?.get('code')]).toEqual(['a-secret', 'a-code']);
  expect(byPath('/api/v3/user')?.authorization).toBe('Bearer gho_token');
  // The login and the address may change.
  user = { id: 7, login: 'mara2', name: 'Mara' };
  emails = [{ email: 'other@else.example', primary: true, verified: false, visibility: 'private' }];
  expect((await walk()).status).toBe(200);
  expect(await pages.deps.store.listSessions({ memberId: member.id }, pages.deps.now())).toHaveLength(2);
});

it('ends the session after 7 days, even if it is used', async () => {
  const dayMs = 86_400_000;
  const walker = createWalker();
  const help = `${pages.origin}/help`;
  await walker.walk(`${pages.origin}/sign-in/with/github?next=%2Fhelp`);
  for (let day = 1; day <= 6; day += 1) {
    pages.advance(dayMs);
    expect((await walker.walk(help)).url).toBe(help);
  }
  pages.advance(dayMs);
  expect((await walker.walk(help)).url).toContain('/sign-in');
});

it('refuses an address that is not verified or not the primary one', async () => {
  user = { id: 8, login: 'mara', name: 'Mara' };
  const rows = [
    { email: 'mara@shop.example', primary: false, verified: true, visibility: 'private' },
    { email: 'evil@else.example', primary: true, verified: true, visibility: 'private' },
  ];
  emails = rows;
  expect((await walk()).text).toContain('is not a member');
  emails = [{ email: 'mara@shop.example', primary: true, verified: false, visibility: 'private' }];
  expect((await walk()).text).toContain('has not verified your e-mail address');
});
