// Members, teams and projects by the API, with the token of an admin.
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AsMember, openAsMember, openSession } from '../support/as-member.ts';
import { sharedApp } from '../support/shared.ts';

let root: AsMember;
let member: AsMember;
const app = sharedApp();
beforeAll(async () => {
  root = await openAsMember(app, 'admin');
  member = await openAsMember(app, 'member');
});

const entries = () => app.deps.store.walkAudit(0, 1_000);
let before = 0;
beforeEach(async () => {
  before = (await entries()).length;
});
const told = async () =>
  (await entries())
    .slice(before)
    .map(({ action, objectName, summary }) => `${action} ${objectName} ${summary}`.trim());

describe('members', () => {
  it('are invited with role, projects and teams; the link signs them in', async () => {
    const team = await root.post('/teams', { name: '#Welcome' });
    const asked = {
      name: 'Jane Roe',
      role: 'member',
      projects: [app.project.id],
      teams: [team.body.team_id],
    };
    const { status, body } = await root.post('/members', asked);
    expect([status, body]).toMatchObject([
      201,
      {
        ...{ accepted: true, name: 'Jane Roe', role: 'member', email: null, is_you: false, mailed: null },
        ...{ teams: ['welcome'], projects: [{ project_id: app.project.id, name: 'test' }] },
      },
    ]);
    expect(body.invited_until).not.toBeNull();
    expect(JSON.stringify(body)).not.toContain('sign-in');
    const { mailed: _mailed, accepted: _accepted, ...row } = body;
    expect((await root.get('/members')).body.at(-1)).toEqual(row);
    expect((await root.get(`/members/${body.member_id}`)).body).toEqual(row);
    const again = await root.post(`/members/${body.member_id}/invitation`);
    expect([again.status, Object.hasOwn(again.body, 'link')]).toEqual([200, false]);
    expect(await root.delete(`/members/${body.member_id}`)).toMatchObject({
      status: 200,
      body: { previous: row },
    });
    expect(await root.get(`/members/${body.member_id}`)).toMatchObject({ status: 404 });
    const log = (await told()).map((line) => line.split(' ')[0]);
    expect(log).toEqual([
      ...[
        'team.created',
        'member.added',
        'member.access_changed',
        'team.member_added',
        'member.link_created',
      ],
      ...['member.link_created', 'member.invitation_revoked'],
    ]);
  });

  it('change role and projects, lose their sessions, and are removed with their tokens', async () => {
    const ben = await openAsMember(app, 'member');
    const path = `/members/${ben.member.id}`;
    const changed = await root.post(path, { role: 'viewer', projects: [] });
    expect(changed.body).toMatchObject({ accepted: true, role: 'viewer', projects: [] });
    expect((await root.post(path, { projects: null })).body).toMatchObject({
      role: 'viewer',
      projects: null,
    });
    expect(await root.delete(`${path}/sessions`)).toMatchObject({ status: 200 });
    expect(await root.post(`${path}/invitation`)).toMatchObject({ status: 404 });
    expect(await root.delete(path)).toMatchObject({ status: 200, body: { previous: { role: 'viewer' } } });
    expect(await ben.get('/members/me')).toMatchObject({ status: 401 });
    const { name } = ben.member;
    expect((await told()).slice(2)).toEqual([
      `member.changed ${name} from member to viewer`,
      `member.access_changed ${name} no projects`,
      `member.access_changed ${name} all projects`,
      `member.removed ${name} was viewer`,
    ]);
  });

  it('have sessions, which admins see and end, and members their own', async () => {
    const ben = await openAsMember(app, 'viewer');
    const { id, name } = ben.member;
    const [first, second, third] = [
      await openSession(app, ben.member),
      await openSession(app, ben.member),
      await openSession(app, ben.member),
    ];
    const ofRoot = await openSession(app, root.member);
    before = (await entries()).length;
    const listed = await root.get(`/members/${id}/sessions`);
    expect(listed.body.map((row: { session_id: number }) => row.session_id).toSorted()).toEqual([
      first,
      second,
      third,
    ]);
    expect(listed.body[0]).toMatchObject({
      signed_in_by: 'by a test',
      network: '192.0.2.0/24',
      is_this: false,
    });
    expect((await ben.get('/members/me/sessions')).body).toEqual(listed.body);
    expect(await root.delete(`/members/${id}/sessions/${first}`)).toMatchObject({
      status: 200,
      body: { deleted: true, previous: { session_id: first } },
    });
    expect(await ben.delete(`/members/me/sessions/${second}`)).toMatchObject({ status: 200 });
    const none = [
      await root.delete(`/members/${id}/sessions/${first}`),
      await root.delete(`/members/${id}/sessions/${ofRoot}`),
      await ben.delete(`/members/me/sessions/${ofRoot}`),
      await ben.delete('/members/me/sessions/x'),
      await root.get('/members/999/sessions'),
    ];
    expect(none.map(({ status, body }) => [status, body.code])).toEqual([
      ...none.slice(1).map(() => [404, 'notifier_session_invalid_id']),
      [404, 'notifier_member_invalid_id'],
    ]);
    for (const method of ['get', 'delete'] as const) {
      expect(await ben[method](`/members/${root.member.id}/sessions`)).toMatchObject({ status: 403 });
    }
    expect(await ben.delete(`/members/${root.member.id}/sessions/${ofRoot}`)).toMatchObject({ status: 403 });
    expect((await ben.delete('/members/me/sessions')).body.previous).toMatchObject([{ session_id: third }]);
    expect((await ben.get('/members/me/sessions')).body).toEqual([]);
    expect((await root.get('/members/me/sessions')).body).toMatchObject([{ session_id: ofRoot }]);
    expect(await told()).toEqual([
      `session.revoked ${name} 1 session`,
      `session.revoked ${name} 1 session`,
      `session.revoked ${name} 1 session`,
    ]);
  });

  it('do not change by a bad request or by somebody who is not an admin', async () => {
    const rows = (await root.get('/members')).body;
    const right = { name: 'New', role: 'viewer' };
    const wrong = [
      { ...right, role: 'owner' },
      { ...right, name: 'token' },
      { ...right, name: root.member.name },
      { ...right, email: 'x' },
      { ...right, projects: [999] },
      { ...right, teams: [999] },
      { ...right, sudo: true },
    ];
    for (const body of wrong) expect(await root.post('/members', body)).toMatchObject({ status: 400 });
    const path = `/members/${member.member.id}`;
    expect(await root.post(path, { role: 'admin', projects: [999] })).toMatchObject({ status: 400 });
    expect(await root.post('/members/999', { role: 'admin' })).toMatchObject({ status: 404 });
    const admin = await openAsMember(app, 'admin', ['read', 'issues', 'ci']);
    before = (await entries()).length;
    for (const other of [member, admin]) {
      const answers = [
        await other.get('/members'),
        await other.post('/members', right),
        await other.post(path, { role: 'admin' }),
        await other.delete(`/members/${root.member.id}`),
      ];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
        answers.map(() => [403, 'rest_forbidden']),
      );
    }
    expect((await root.get('/members')).body.slice(0, rows.length)).toEqual(rows);
    expect(await told()).toEqual([]);
  });
});

describe('teams', () => {
  it('are made, renamed, given projects and members, and deleted', async () => {
    const made = await root.post('/teams', { name: 'payments' });
    const team = { team_id: made.body.team_id, name: 'payments', members: [], projects: [] };
    expect([made.status, made.body]).toEqual([201, { accepted: true, ...team }]);
    const path = `/teams/${team.team_id}`;
    const renamed = await root.post(path, { name: 'checkout', projects: [app.project.id] });
    const projects = [{ project_id: app.project.id, name: 'test' }];
    expect(renamed.body).toEqual({ accepted: true, ...team, name: 'checkout', projects });
    const { id, name } = member.member;
    const members = [{ member_id: id, name }];
    expect((await root.post(`${path}/members`, { member_id: id })).body.members).toEqual(members);
    expect((await root.get('/teams')).body).toContainEqual({ ...team, name: 'checkout', projects, members });
    expect((await root.delete(`${path}/members/${id}`)).body.members).toEqual([]);
    expect((await root.post(path, { projects: null })).body.projects).toBeNull();
    expect(await root.delete(path)).toMatchObject({ status: 200, body: { previous: { name: 'checkout' } } });
    expect(await root.get(path)).toMatchObject({ status: 404 });
    expect(await told()).toEqual([
      'team.created #payments no projects',
      'team.renamed #checkout was #payments',
      'team.access_changed #payments test',
      `team.member_added #checkout ${name}`,
      `team.member_removed #checkout ${name}`,
      'team.access_changed #checkout all projects',
      'team.deleted #checkout',
    ]);
  });

  it('do not change by a bad request or by somebody who is not an admin', async () => {
    const { body } = await root.post('/teams', { name: 'kept' });
    const path = `/teams/${body.team_id}`;
    const teams = (await root.get('/teams')).body;
    before = (await entries()).length;
    const answers = [
      await root.post('/teams', { name: 'kept' }),
      await root.post('/teams', { name: 'a b' }),
      await root.post('/teams', { name: 'new', projects: [999] }),
      await root.post(path, { name: 'renamed', projects: [999] }),
      await root.post(`${path}/members`, { member_id: 999 }),
      await root.post('/teams/999', { name: 'x' }),
      await member.post('/teams', { name: 'mine', projects: null }),
      await member.post(`${path}/members`, { member_id: member.member.id }),
      await member.delete(path),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 404, 404, 403, 403, 403]);
    expect([(await root.get('/teams')).body, await told()]).toEqual([teams, []]);
  });
});

describe('projects', () => {
  it('are made without showing the secret key, changed, and deleted by their name', async () => {
    const made = await root.post('/projects', { name: 'warehouse' });
    expect([made.status, made.body]).toMatchObject([201, { name: 'warehouse', dsn: expect.any(String) }]);
    expect(JSON.stringify(made.body)).not.toContain('ntf_sk_');
    const path = `/projects/${made.body.project_id}`;
    const key = { 'X-Notifier-Key': made.body.public_key };
    expect(await app.post('/store', { message: 'x' }, key)).toHaveStatus(201);
    const change = { name: 'depot', scrub_fields: ['iban', 'iban'], bug_reports: true };
    const set = { name: 'depot', scrub_fields: ['iban'], store_ip: false, bug_reports: true };
    expect((await root.post(path, change)).body).toMatchObject(set);
    expect((await root.post(path, { scrub_fields: [] })).body).toMatchObject({ ...set, scrub_fields: [] });
    expect(await root.delete(`${path}?name=warehouse`)).toMatchObject({ status: 400 });
    expect(await root.delete(path)).toMatchObject({ status: 400 });
    expect((await root.get(path)).body).toMatchObject({ name: 'depot' });
    expect(await root.delete(`${path}?name=depot`)).toMatchObject({ status: 200 });
    expect(await root.get(path)).toMatchObject({ status: 404 });
    expect(await app.post('/store', { message: 'x' }, key)).toHaveStatus(401);
    expect((await told()).map((line) => line.split(' ')[0])).toEqual([
      ...['project.created', 'project.renamed', 'project.changed', 'project.changed', 'project.deleted'],
    ]);
  });

  it('are listed as far as the member sees them', async () => {
    const { project } = await app.addProject('hidden');
    const one = await openAsMember(app, 'member', ['read'], [app.project.id]);
    expect((await one.get('/projects')).body).toMatchObject([{ project_id: app.project.id, name: 'test' }]);
    const names = (await member.get('/projects')).body.map((each: { name: string }) => each.name);
    expect(names).toEqual(['test', project.name]);
  });

  it('do not change by a bad request or by somebody who is not an admin', async () => {
    const path = `/projects/${app.project.id}`;
    const was = (await root.get(path)).body;
    const answers = [
      await root.post('/projects', { name: 'test' }),
      await root.post('/projects', { name: '-' }),
      await root.post(path, { name: 'other', scrub_fields: ['1'] }),
      await root.post(path, { name: 'hidden', store_ip: true }),
      await root.post(path, { grouping: 1 }),
      await root.post('/projects/999', { name: 'x' }),
      await member.post('/projects', { name: 'mine' }),
      await member.post(path, { bug_reports: true }),
      await member.delete(`${path}?name=test`),
      await member.get(path),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 404, 403, 403, 403, 403]);
    expect([(await root.get(path)).body, await told()]).toEqual([was, []]);
  });
});
