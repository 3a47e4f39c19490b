// What a person has, by the API with a token of theirs: views, settings, and undoing a change of several issues.
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AsMember, openAsMember } from '../support/as-member.ts';
import { sharedApp } from '../support/shared.ts';

let ann: AsMember;
let ben: AsMember;
let root: AsMember;
let viewer: AsMember;
const app = sharedApp();
beforeAll(async () => {
  ann = await openAsMember(app, 'member');
  ben = await openAsMember(app, 'member');
  root = await openAsMember(app, 'admin');
  viewer = await openAsMember(app, 'viewer');
});

const entries = () => app.deps.store.walkAudit(0, 1_000);
let before = 0;
beforeEach(async () => {
  before = (await entries()).length;
});
const told = async () =>
  (await entries()).slice(before).map(({ action, actor, summary }) => [action, actor.name, summary]);

const view = { name: 'Checkout', query: 'is:unresolved url:*/checkout' };
const names = async (of: AsMember) =>
  (await of.get('/saved-views')).body.map((each: { name: string }) => each.name);

describe('a saved view', () => {
  it('is made, changed, shared and deleted by its owner, and seen by others once it is shared', async () => {
    const made = await ann.post('/saved-views', view);
    const id = made.body.saved_view_id;
    const rest = { sort: 'last_seen', shared: false, own: true, created_at: expect.any(String) };
    expect([made.status, made.body]).toEqual([201, { accepted: true, saved_view_id: id, ...view, ...rest }]);
    expect([await names(ann), await names(ben)]).toEqual([['Checkout'], []]);
    expect(await ben.post(`/saved-views/${id}`, { name: 'Mine' })).toMatchObject({ status: 404 });
    const shared = await ann.post(`/saved-views/${id}`, { shared: true, sort: 'users' });
    expect(shared.body).toMatchObject({ ...view, shared: true, sort: 'users' });
    expect((await ben.get('/saved-views')).body).toMatchObject([{ name: 'Checkout', own: false }]);
    expect(await ben.delete(`/saved-views/${id}`)).toMatchObject({ status: 404 });
    expect((await ann.delete(`/saved-views/${id}`)).body).toMatchObject({ deleted: true, previous: view });
    expect(await ann.delete(`/saved-views/${id}`)).toMatchObject({ status: 404 });
    const { name } = ann.member;
    expect(await told()).toEqual([
      ['view.created', name, ''],
      ['view.changed', name, 'sort, isShared'],
      ['view.deleted', name, ''],
    ]);
  });

  it('is changed by an admin once it is shared, and shared by no viewer', async () => {
    const { body } = await ann.post('/saved-views', { ...view, shared: true });
    const path = `/saved-views/${body.saved_view_id}`;
    expect(await viewer.post('/saved-views', { ...view, shared: true })).toMatchObject({ status: 403 });
    expect(await viewer.post('/saved-views', view)).toMatchObject({ status: 201 });
    expect(await root.post(path, { name: 'All' })).toMatchObject({
      status: 200,
      body: { name: 'All', own: false },
    });
    expect(await root.delete(path)).toMatchObject({ status: 200 });
  });

  it('of another, or with a bad field, changes nothing', async () => {
    const bodies = [
      { ...view, name: ' ' },
      { ...view, query: 'x'.repeat(1_001) },
      { ...view, sort: 'size' },
      { ...view, shared: 'so' },
      { query: 'x' },
      { ...view, colour: 'red' },
    ];
    for (const body of bodies) expect(await ben.post('/saved-views', body)).toMatchObject({ status: 400 });
    expect([await names(ben), await told()]).toEqual([[], []]);
  });

  it('that others share is not shown to members with chosen projects', async () => {
    await ann.post('/saved-views', { ...view, name: 'Everywhere', shared: true });
    const one = await openAsMember(app, 'member', ['read', 'issues'], [app.project.id]);
    expect(await names(ben)).toContain('Everywhere');
    expect(await names(one)).toEqual([]);
  });

  it('needs no project, and the scope issues', async () => {
    await app.addProject('second');
    const headers = { authorization: `Bearer ${ann.token}` };
    expect(await fetch(`${app.api}/saved-views`, { headers })).toHaveStatus(200);
    const reader = await openAsMember(app, 'member', ['read']);
    const refused = await reader.post('/saved-views', view);
    expect(refused.body.data).toEqual({ status: 403, reason: 'scope', scope: 'issues' });
    const key = await app.get('/saved-views');
    expect([key.status, key.body.code, key.body.data.reason]).toEqual([
      403,
      'rest_forbidden',
      'personal_token',
    ]);
    expect(await app.agent.get('/wp-json/notifier/v1/saved-views')).toHaveStatus(401);
  });
});

describe('own settings', () => {
  it('change with what is given', async () => {
    const { id, name } = ben.member;
    const first = { time_zone: 'UTC', default_view: 'unresolved', shortcuts: true };
    const own = { member_id: id, name, email: null, role: 'member' };
    expect((await ben.get('/members/me')).body).toEqual({ ...own, ...first });
    const { body } = await ben.post('/saved-views', view);
    const change = { time_zone: 'Europe/Berlin', default_view: String(body.saved_view_id) };
    expect((await ben.post('/members/me', change)).body).toEqual({
      accepted: true,
      ...own,
      ...first,
      ...change,
    });
    expect(await ben.post('/members/me', { time_zone: 'Moon' })).toMatchObject({ status: 400 });
    expect(await ben.post('/members/me', { default_view: '999' })).toMatchObject({ status: 404 });
    expect(await ben.post('/members/me', { role: 'admin' })).toMatchObject({ status: 400 });
    expect((await ben.get('/members/me')).body).toEqual({ ...own, ...first, ...change });
    expect(await ben.post('/members/me', { time_zone: 'Europe/Berlin' })).toMatchObject({ status: 200 });
    expect(await ben.post('/members/me', { shortcuts: false })).toMatchObject({ status: 200 });
    expect((await told()).map(([action]) => action)).toEqual([
      ...['view.created', 'member.settings_changed', 'member.settings_changed'],
    ]);
    expect((await entries()).map(({ summary }) => summary).slice(-2)).toEqual([
      'time zone Europe/Berlin, default view',
      'shortcuts off',
    ]);
  });
});

describe('undoing a bulk change of issues', () => {
  const newIssue = async (message: string): Promise<number> =>
    (await app.post('/store', { message })).body.issue_id;
  const statusOf = async (id: number) => (await app.get(`/issues/${id}`)).body.status;

  it('restores each issue once, for the member who made it', async () => {
    const ids = [await newIssue('one'), await newIssue('two')];
    const { body } = await ann.post('/issues/bulk', { ids, status: 'resolved' });
    const path = `/issues/bulk/${body.undo_id}/undo`;
    expect(await ben.post(path)).toMatchObject({ status: 409, body: { code: 'notifier_undo_expired' } });
    expect(await viewer.post(path)).toMatchObject({ status: 403 });
    expect(await statusOf(ids[0] ?? 0)).toBe('resolved');
    await app.postSecret(`/issues/${ids[1]}`, { status: 'ignored' });
    const undone = { accepted: true, action: 'resolved', restored: 1, unchanged: 1 };
    expect((await ann.post(path)).body).toEqual(undone);
    expect(await Promise.all(ids.map(statusOf))).toEqual(['unresolved', 'ignored']);
    expect((await told()).at(-1)).toEqual(['issue.reopened', ann.member.name, 'undone']);
    expect(await ann.post(path)).toMatchObject({ status: 409 });
  });

  it('is refused to keys, and possible for a minute', async () => {
    const ids = [await newIssue('three'), await newIssue('four')];
    expect((await app.postSecret('/issues/bulk', { ids, status: 'ignored' })).body.undo_id).toBeNull();
    const { body } = await ann.post('/issues/bulk', { ids, merge: true });
    app.advance(60_001);
    expect(await ann.post(`/issues/bulk/${body.undo_id}/undo`)).toMatchObject({ status: 409 });
    expect((await app.get(`/issues/${ids[1]}`)).body.merged_into).toBe(ids[0]);
  });
});
