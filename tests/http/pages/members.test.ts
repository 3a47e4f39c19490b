import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { workspacePages } from '../../../routes/pages/index.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { verifyAuditLog } from '../../../src/core/audit/chain.ts';
import { createMember } from '../../../src/core/members/members.ts';
import type { AuditPage } from '../../../src/core/page-models/audit.ts';
import type { MembersModel } from '../../../src/core/page-models/members.ts';
import type { Member } from '../../../src/core/store/members.ts';
import { openPages, type SignedIn } from '../../support/pages.ts';
import { itForAll, shared } from '../../support/shared.ts';
import { inFull } from '../../support/test-level.ts';

let viewer: SignedIn;
let member: SignedIn;
let admin: SignedIn;
const pages = shared(() => openPages({ declarations: workspacePages() }));
beforeAll(async () => {
  viewer = await pages.signedIn('viewer', 'Vera');
  member = await pages.signedIn('member', 'Mo');
  admin = await pages.signedIn('admin', 'Ada');
});

const json = async <Model>({ browser }: SignedIn, path: string): Promise<Model> =>
  JSON.parse((await browser.get(path)).text) as Model;
const history = async (query = ''): Promise<AuditPage> => json(admin, `/audit.json${query}`);
const newest = async () => (await history()).entries[0];
const post = ({ browser, csrf }: SignedIn, path: string, fields: Record<string, string> = {}) =>
  browser.post(path, { ...csrf, ...fields });

let subjects = 0;
async function newMember(): Promise<Member> {
  subjects += 1;
  return createMember(
    pages.deps,
    { name: `Subject ${subjects}`, role: 'viewer', email: null },
    commandLineSource,
  );
}

describe('rights', () => {
  it('are one table, which the page shows', async () => {
    const { roles } = await json<MembersModel>(viewer, '/members.json');
    const { text } = await viewer.browser.get('/members');
    for (const { may } of roles) expect(text).toContain(may);
    expect(roles.filter((right) => right.viewer && !right.member)).toEqual([]);
    expect(roles.filter((right) => right.member && !right.admin)).toEqual([]);
  });

  it('offer a viewer only the forms for their own sessions', async () => {
    const { text } = await viewer.browser.get('/members');
    expect(text).not.toContain('/members/invite');
    const subject = await newMember();
    expect((await viewer.browser.get(`/members/${subject.id}`)).text).not.toContain('<form class="stack"');
  });
});

describe('inviting', () => {
  it('shows the link once, and it signs the new member in', async () => {
    const fields = { name: 'Pavel <b>Novák</b>', role: 'member', access: 'all', email: 'pavel@shop.example' };
    const answer = await post(admin, '/members', fields);
    expect(answer).toHaveStatus(200);
    expect(answer.text).toContain('Pavel &lt;b>Novák&lt;/b>');
    const link = /<code id="m-link">([^<]+)<\/code>/.exec(answer.text)?.[1] ?? '';
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign-in\?token=[0-9A-Za-z]{43}$/);
    expect((await admin.browser.get('/members')).text).not.toContain('token=');
    const url = new URL(link);
    const browser = pages.browser();
    expect((await browser.get(url.pathname + url.search)).text).toContain('Sign in as ');
    expect(await browser.post('/sign-in', { link: url.searchParams.get('token') ?? '' })).toHaveStatus(303);
    expect((await browser.get('/members')).text).toContain('(you)');
    expect((await newest())?.verb).toBe('signed in');
  });

  itForAll(
    [
      ['', 'Enter a name.'],
      ['   ', 'The name must have 1 to 80 characters.'],
      ['x'.repeat(81), 'The name must have 1 to 80 characters.'],
      ['token', 'is reserved'],
      ['VERA', 'A member named'],
      ['a\u202eb', 'The name must have 1 to 80 characters.'],
    ],
    'refuses a name with other characters',
    async (name, why) => {
      const before = (await pages.deps.store.auditHead()).entries;
      const answer = await post(admin, '/members', { name, role: 'viewer', access: 'all' });
      expect(answer).toHaveStatus(400);
      expect(answer.text).toContain(why);
      expect((await pages.deps.store.auditHead()).entries).toBe(before);
    },
  );

  it('shows e-mail addresses to admins only', async () => {
    await post(admin, '/members', {
      name: 'Has mail',
      role: 'viewer',
      access: 'all',
      email: 'seen@shop.example',
    });
    expect((await admin.browser.get('/members')).text).toContain('seen@shop.example');
    for (const who of [viewer, member]) {
      expect((await who.browser.get('/members')).text).not.toContain('seen@shop.example');
      expect((await who.browser.get('/members.json')).text).not.toContain('seen@shop.example');
    }
  });
});

describe('an invitation', () => {
  const linkIn = (text: string): URL => new URL(/<code id="m-link">([^<]+)<\/code>/.exec(text)?.[1] ?? '');
  const invitations = async () => (await json<MembersModel>(admin, '/members.json')).invitations;
  const accept = (link: URL) =>
    pages.browser().post('/sign-in', { link: link.searchParams.get('token') ?? '' });

  it('has role, team and projects, and becomes a member when accepted', async () => {
    const project = await pages.deps.store.createProject({ name: 'pay', createdAtMs: 1 });
    const created = await post(admin, '/members/teams', { name: '#Money', access: 'all' });
    const teamId = created.location?.split('/').at(-1) ?? '';
    const fields = { name: 'Pia', role: 'viewer', access: 'chosen', 'project[]': String(project.id) };
    const { text } = await post(admin, '/members', { ...fields, 'team[]': teamId });
    expect(await invitations()).toMatchObject([
      { name: 'Has mail' },
      { name: 'Pia', teams: ['money'], projects: [{ project_id: project.id, name: 'pay' }] },
    ]);
    expect((await admin.browser.get('/members/invitations')).text).toMatch(
      /Viewer, #money, pay.*7 days left/s,
    );
    expect(await accept(linkIn(text))).toHaveStatus(303);
    expect((await invitations()).map(({ name }) => name)).toEqual(['Has mail']);
    const { members } = await json<MembersModel>(admin, '/members.json');
    expect(members.map(({ name }) => name)).toContain('Pia');
    // The team has all projects.
    expect(
      (await pages.deps.store.listAccess([members.find(({ name }) => name === 'Pia')?.member_id ?? 0]))
        .values()
        .next().value,
    ).toMatchObject({ hasAllProjects: true });
    expect(await post(admin, `/members/teams/${teamId}/delete`, { sure: 'yes' })).toHaveStatus(303);
  });

  it('expires after 7 days, is renewed with a new link, and can be revoked', async () => {
    const { text } = await post(admin, '/members', { name: 'Late', role: 'viewer', access: 'all' });
    const [first] = [linkIn(text)];
    const id = (await invitations()).find(({ name }) => name === 'Late')?.member_id;
    pages.advance(7 * 86_400_000);
    expect(await accept(first)).toHaveStatus(410);
    expect((await admin.browser.get('/members/invitations')).text).toContain('Expired');
    const second = linkIn((await post(admin, `/members/${id}/invitation-link`)).text);
    expect((await admin.browser.get('/members/invitations')).text).not.toMatch(/Late.*Expired/s);
    expect(await post(admin, `/members/${id}/revoke`)).toHaveStatus(303);
    expect((await newest())?.action).toBe('member.invitation_revoked');
    expect((await accept(second)).status).toBeGreaterThanOrEqual(400);
    expect(await post(admin, `/members/${id}/revoke`)).toHaveStatus(404);
  });
});

describe('a member', () => {
  it('has a new role from the next request on', async () => {
    const subject = await pages.signedIn('viewer', 'Rising');
    const { members } = await json<MembersModel>(admin, '/members.json');
    const id = members.find(({ name }) => name === 'Rising')?.member_id;
    expect(await subject.browser.get('/members/invite')).toHaveStatus(403);
    const changed = await post(admin, `/members/${id}/role`, { role: 'admin', back: `/members/${id}` });
    expect([changed.status, changed.location]).toEqual([303, `/members/${id}`]);
    expect(await subject.browser.get('/members/invite')).toHaveStatus(200);
    expect(await newest()).toMatchObject({
      actor: { kind: 'member', name: 'Ada' },
      action: 'member.changed',
      object: { name: 'Rising', path: `/members/${id}` },
      summary: 'from viewer to admin',
      network: '127.0.0.0/24',
    });
    // The same again changes nothing, and is not told.
    const before = (await pages.deps.store.auditHead()).entries;
    await post(admin, `/members/${id}/role`, { role: 'admin' });
    expect((await pages.deps.store.auditHead()).entries).toBe(before);
  });

  it('is signed out when removed, which needs a confirmation', async () => {
    const subject = await pages.signedIn('admin', 'Leaving');
    const { members } = await json<MembersModel>(admin, '/members.json');
    const id = members.find(({ name }) => name === 'Leaving')?.member_id;
    expect(await post(admin, `/members/${id}/remove`)).toHaveStatus(400);
    expect(await post(admin, `/members/${id}/remove`, { sure: 'yes' })).toHaveStatus(303);
    expect((await subject.browser.get('/members')).location).toBe('/sign-in?next=%2Fmembers');
    expect(await post(subject, '/members', { name: 'After', role: 'admin' })).toHaveStatus(401);
    expect(await admin.browser.get(`/members/${id}`)).toHaveStatus(404);
    // The name is free again, and the number is not.
    const next = await createMember(
      pages.deps,
      { name: 'Leaving', role: 'viewer', email: null },
      commandLineSource,
    );
    expect(next.id).toBeGreaterThan(id ?? 0);
  });

  it('can get a sign-in link that can be revoked', async () => {
    const subject = await newMember();
    const made = await post(admin, `/members/${subject.id}/link`);
    const token = /token=([0-9A-Za-z]{43})</.exec(made.text)?.[1] ?? '';
    expect(await pages.browser().get(`/sign-in?token=${token}`)).toHaveStatus(200);
    expect(await post(admin, `/members/${subject.id}/withdraw`)).toHaveStatus(303);
    expect(await pages.browser().get(`/sign-in?token=${token}`)).toHaveStatus(404);
    expect(await newest()).toMatchObject({ action: 'member.link_revoked', actor: { name: 'Ada' } });
  });

  it('ends sessions of their own, one or all others, and nobody else’s', async () => {
    const first = await pages.signedIn('token');
    const second = await pages.signedIn('token');
    const third = await pages.signedIn('token');
    const sessions = async (who: SignedIn) => (await json<MembersModel>(who, '/members.json')).your_sessions;
    const other = (await sessions(second)).find(({ is_this: isThis }) => isThis)?.session_id;
    await post(viewer, `/members/sessions/${other}/end`);
    expect(await second.browser.get('/members')).toHaveStatus(200);
    await post(first, `/members/sessions/${other}/end`);
    expect(await second.browser.get('/members')).toHaveStatus(303);
    await post(first, '/members/sessions/end-others');
    expect(await third.browser.get('/members')).toHaveStatus(303);
    expect(await sessions(first)).toEqual([expect.objectContaining({ is_this: true })]);
  });

  it('shows five of many sessions and links to all', async () => {
    const first = await pages.signedIn('token');
    await post(first, '/members/sessions/end-others');
    const ends = async (path: string) =>
      (await first.browser.get(path)).text.match(/\/members\/sessions\/\d+\/end"/g)?.length;
    for (let more = 0; more < 4; more += 1) await pages.signedIn('token');
    expect((await first.browser.get('/members')).text).not.toContain('All 5 sessions');
    await pages.signedIn('token');
    expect((await first.browser.get('/members')).text).toContain('All 6 sessions');
    expect([await ends('/members'), await ends('/members/sessions')]).toEqual([4, 5]);
  });
});

describe('the audit log', () => {
  beforeEach(async () => {
    const subject = await newMember();
    await post(admin, `/members/${subject.id}/role`, { role: 'member' });
  });

  it('shows who, what and when, on the page and in its JSON', async () => {
    const [entry] = (await history()).entries;
    const { text } = await viewer.browser.get('/audit');
    expect(entry?.follows).toBe(true);
    expect(text).toContain(entry?.object.name);
    expect(text).toContain('These entries are intact');
    expect(text).toMatch(/Entries by weekday and hour: most on \w+ at 12:00, (\d+) entries of \1\./);
    expect((await verifyAuditLog(pages.deps.store)).fault).toBeNull();
  });

  inFull(it)('shows refused sign-ins, for a limited time', async () => {
    await pages.browser().post('/sign-in', { token: 'guess' });
    expect(await newest()).toMatchObject({
      action: 'sign_in.refused',
      actor: { kind: 'nobody' },
      summary: 'an unknown token',
    });
    pages.advance(60_000);
    const before = (await pages.deps.store.auditHead()).entries;
    for (let tries = 0; tries < 70; tries += 1) await pages.browser().post('/sign-in', { token: 'guess' });
    expect((await pages.deps.store.auditHead()).entries).toBe(before + 60);
  });

  it('is filtered by actor, action, object and day', async () => {
    const actions = async (query: string) => [
      ...new Set((await history(query)).entries.map(({ action }) => action)),
    ];
    expect(await actions('?action=member.changed')).toEqual(['member.changed']);
    expect((await actions('?action=member')).every((action) => action.startsWith('member.'))).toBe(true);
    expect(await actions('?actor=kind:command')).toEqual(['member.added']);
    expect((await history('?actor=Vera')).entries.every(({ actor }) => actor.name === 'Vera')).toBe(true);
    expect((await history('?object=token')).total).toBe(0);
    expect((await history('?to=2026-11-20')).total).toBe(0);
    expect((await history('?from=2026-11-21&to=2026-11-21')).total).toBeGreaterThan(0);
    expect(await admin.browser.get('/audit?from=yesterday')).toHaveStatus(400);
    expect((await admin.browser.get('/audit?to=2026-11-20')).text).toContain('No entries match');
  });

  it('has pages in both directions without gaps', async () => {
    const { total } = await history();
    const seen: number[] = [];
    let page = await history();
    for (;;) {
      seen.push(...page.entries.map(({ entry }) => entry));
      if (page.older === null) break;
      page = await history(`?after=${page.older}`);
    }
    expect(seen).toEqual(Array.from({ length: total }, (_, index) => total - index));
    const back = await history(`?before=${page.newer}`);
    expect(back.entries.at(-1)?.entry).toBe((page.entries[0]?.entry ?? 0) + 1);
  });

  it('goes away as CSV for admins, with nothing that a spreadsheet would run', async () => {
    await post(admin, '/members', { name: '=HYPERLINK("x")', role: 'viewer', access: 'all' });
    const answer = await admin.browser.get('/audit.csv?action=member.added');
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe('attachment; filename=audit.csv');
    expect(answer.text).toContain(`,"'=HYPERLINK(""x"")",`);
    expect(await newest()).toMatchObject({ action: 'audit.exported', actor: { name: 'Ada' } });
  });
});
