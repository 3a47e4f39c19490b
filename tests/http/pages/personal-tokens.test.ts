// The page of a member's API tokens, and what an admin sees of another member: tokens, sessions, ways to sign in.
import { beforeAll, expect, it } from '@jest/globals';
import { workspacePages } from '../../../routes/pages/index.ts';
import { keySource, writeAuditEntry } from '../../../src/core/audit/audit.ts';
import { createSession, findSession } from '../../../src/core/members/sessions.ts';
import type { AuditPage } from '../../../src/core/page-models/audit.ts';
import type { MemberModel, MembersModel } from '../../../src/core/page-models/members.ts';
import type { TokensModel } from '../../../src/core/page-models/sign-in-settings.ts';
import { openPages, type SignedIn } from '../../support/pages.ts';
import { shared } from '../../support/shared.ts';

let viewer: SignedIn;
let admin: SignedIn;
let viewerId: number;
const pages = shared(() => openPages({ declarations: workspacePages() }));
beforeAll(async () => {
  viewer = await pages.signedIn('viewer', 'Vera');
  admin = await pages.signedIn('admin', 'Ada');
  viewerId = (await pages.deps.store.findMemberByName('vera'))?.id ?? 0;
});

const json = async <Model>({ browser }: SignedIn, path: string): Promise<Model> =>
  JSON.parse((await browser.get(path)).text) as Model;
const post = ({ browser, csrf }: SignedIn, path: string, fields: Record<string, string> = {}) =>
  browser.post(path, { ...csrf, ...fields });
const create = (who: SignedIn, fields = {}) =>
  post(who, '/members/tokens', { name: 'laptop', 'scopes[]': 'read', days: '90', ...fields });
const own = async (who: SignedIn) => (await json<TokensModel>(who, '/members/tokens.json')).your_tokens;

it('a token is shown once, later only its first and last characters', async () => {
  const { status, text } = await create(viewer);
  const [whole = ''] = /ntf_pt_\w{49}/.exec(text) ?? [];
  expect([status, whole.length]).toEqual([200, 56]);
  const later = await viewer.browser.get('/members/tokens');
  expect([
    later.text.includes(whole),
    later.text.includes(`${whole.slice(0, 15)}…${whole.slice(-4)}`),
  ]).toEqual([...[false, true]]);
  const [token] = await own(viewer);
  expect(token).toMatchObject({ name: 'laptop', scopes: ['read'], last_used: null, is_expired: false });
  const stored = JSON.stringify(await pages.deps.store.listPersonalTokens(viewerId));
  expect(stored).not.toContain(whole);
});

it.each([
  ['no name', { name: ' ' }, 'The name must have 1 to 60 characters.'],
  ['an unknown scope', { 'scopes[]': 'root' }, 'Invalid option'],
  ['another life', { days: '9000' }, 'Choose 7, 30, 90 or 365 days.'],
])('%s is refused beside its field, and keeps what was entered', async (_name, fields, sentence) => {
  const before = await own(viewer);
  const { status, text } = await create(viewer, fields);
  expect([status, text.includes(sentence)]).toEqual([400, true]);
  expect(await own(viewer)).toEqual(before);
});

it('a token is revoked by its member, or by an admin on the page of the member', async () => {
  await create(viewer, { name: 'second' });
  const [first, second] = await own(viewer);
  expect(await post(admin, `/members/tokens/${first?.token_id}/delete`)).toHaveStatus(404);
  expect(await post(viewer, `/members/tokens/${first?.token_id}/delete`)).toHaveStatus(303);
  expect(await post(viewer, `/members/${viewerId}/tokens/${second?.token_id}/delete`)).toHaveStatus(403);
  const { tokens } = await json<MemberModel>(admin, `/members/${viewerId}.json`);
  expect(tokens.map(({ name }) => name)).toEqual(['second']);
  expect(await post(admin, `/members/${viewerId}/tokens/${second?.token_id}/delete`)).toHaveStatus(303);
  expect(await own(viewer)).toEqual([]);
});

it('a viewer sees neither the tokens nor the sessions of another', async () => {
  await create(admin);
  const id = (await pages.deps.store.findMemberByName('ada'))?.id ?? 0;
  const model = await json<MemberModel>(viewer, `/members/${id}.json`);
  expect([model.sessions, model.tokens]).toEqual([[], []]);
});

it('an admin ends a single session of another member', async () => {
  const place = { userAgent: 'Elsewhere', network: '192.0.2.0/24', requestId: 'a' };
  const second = createSession(pages.deps, place, 'by a link');
  await pages.deps.store.addSession({ memberId: viewerId }, second.session);
  const { sessions } = await json<MemberModel>(admin, `/members/${viewerId}.json`);
  expect(sessions).toHaveLength(2);
  const [newest] = sessions.toSorted((one, other) => other.session_id - one.session_id);
  const path = `/members/${viewerId}/sessions/${newest?.session_id}/end`;
  expect(await post(viewer, path)).toHaveStatus(403);
  expect(await post(admin, path)).toHaveStatus(303);
  expect(await findSession(pages.deps, second.sessionId)).toBeNull();
  expect(await viewer.browser.get('/help')).toHaveStatus(200);
  expect(await post(admin, path)).toHaveStatus(404);
});

it('the list of members says how each signs in', async () => {
  const { store, now } = pages.deps;
  const issuer = 'https://id.example';
  await store.addIdentity({
    ...{ memberId: viewerId, issuer, subject: 'v', email: null },
    ...{ createdAtMs: now(), usedAtMs: now() },
  });
  await store.addPasskey({
    ...{ memberId: viewerId, credentialId: 'c', publicKey: '', counter: 0 },
    ...{ transports: [], name: 'Laptop', createdAtMs: now() },
  });
  const { members } = await json<MembersModel>(viewer, '/members.json');
  expect(members.map(({ name, sign_in: ways }) => [name, ways])).toEqual([
    ['Ada', []],
    ['Vera', ['Passkey', issuer]],
  ]);
  expect((await viewer.browser.get('/members')).text).toContain(`Passkey, ${issuer}`);
});

it('the audit log names the token by which something was done', async () => {
  const member = await pages.deps.store.findMember(viewerId);
  if (member === null) throw new Error('There is no such member.');
  const key = { id: 1, prefix: 'ntf_pt_', lastFour: 'abcd', name: 'deploy <bot>' };
  const source = keySource({ key, member, clientAddress: '192.0.2.1' });
  await writeAuditEntry(pages.deps, source, {
    action: 'key.revoked',
    object: { kind: 'key', id: 1, name: 'k' },
  });
  const path = '/audit?action=key.revoked';
  const { entries } = await json<AuditPage>(admin, path.replace('?', '.json?'));
  expect(entries[0]?.actor).toEqual({ kind: 'member', id: viewerId, name: 'Vera', token: key.name });
  // As on the page of members, others do not see it.
  const shown = (await json<AuditPage>(viewer, path.replace('?', '.json?'))).entries[0];
  expect(shown?.actor).toMatchObject({ name: 'Vera', token: null });
  expect((await admin.browser.get(path)).text).toMatch(/API token\s*<bdi>deploy &lt;bot><\/bdi>/);
  expect((await admin.browser.get(path.replace('?', '.csv?'))).text).toContain(
    ',Vera,deploy <bot>,key.revoked,',
  );
});
