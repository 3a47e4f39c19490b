import { beforeAll, describe, expect, it } from '@jest/globals';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { notifyMentioned } from '../../src/core/issues/mentions.ts';
import { updateTriageSettings } from '../../src/core/issues/triage-settings.ts';
import { createMember } from '../../src/core/members/members.ts';
import { createTeam, updateMemberAccess } from '../../src/core/members/teams.ts';
import { countCalls } from '../support/counted-store.ts';
import { sharedApp } from '../support/shared.ts';

let jane: number;

const app = sharedApp();
beforeAll(async () => {
  const fields = { name: 'Jane Roe', email: 'jane@shop.example', role: 'member' } as const;
  jane = (await createMember(app.deps, fields, commandLineSource)).id;
  const access = { hasAllProjects: true, projectIds: [] };
  await createTeam(app.deps, { name: 'payments', access }, commandLineSource);
});

const frame = (filename: string, inApp = true) => ({ filename, function: 'f', lineno: 1, in_app: inApp });

async function newIssue(type: string, more: Record<string, unknown> = {}): Promise<number> {
  const frames = [
    frame('src/app.ts'),
    frame('src/cart/summary.ts'),
    frame('node_modules/preact/x.js', false),
  ];
  const exception = { values: [{ type, value: 'no total', stacktrace: { frames } }] };
  const answer = await app.post('/store', { exception, platform: 'javascript', ...more });
  return answer.body.issue_id;
}

describe('several issues at once', () => {
  const bulk = async (body: object) => {
    const { status, body: answer } = await app.postSecret('/issues/bulk', body);
    return status === 200 ? answer : { status, ...answer };
  };
  const stateOf = async (id: number) => (await app.get(`/issues/${id}`)).body.status;

  it('are changed by id, and unknown ids are named', async () => {
    const [one, other] = [await newIssue('BulkError1'), await newIssue('BulkError2')];
    const foreign = await app.addProject('foreign');
    const theirs = await app.post('/store', { message: 'theirs' }, { 'X-Notifier-Key': foreign.publicKey });
    const ids = [one, other, one, theirs.body.issue_id, 999_999];
    expect(await bulk({ ids, status: 'resolved' })).toEqual({
      accepted: true,
      matched: 4,
      changed: [one, other],
      unchanged: [],
      not_found: [theirs.body.issue_id, 999_999],
      merged_into: null,
      undo_id: null,
    });
    expect(await stateOf(one)).toBe('resolved');
    const again = await bulk({ ids: [one], status: 'resolved' });
    expect(again).toMatchObject({ changed: [], unchanged: [one] });
    const { activity } = (await app.get(`/issues/${other}`)).body;
    expect(activity.map((each: { kind: string }) => each.kind)).toEqual(['resolved', 'first_seen']);
  });

  it('are changed by a search, which must be valid', async () => {
    const ids = [await newIssue('SweepError1'), await newIssue('SweepError2')];
    const asked = { query: 'type:SweepError*', assigned_to: '#payments' };
    expect(await bulk(asked)).toMatchObject({ matched: 2, changed: ids });
    expect((await app.get(`/issues/${ids[0]}`)).body.assigned_to.name).toBe('#payments');
    const wrong = await bulk({ query: 'tipe:SweepError1', status: 'resolved' });
    expect([wrong.status, wrong.data.params.query]).toEqual([400, expect.stringContaining('`type`')]);
    expect(await stateOf(ids[0] ?? 0)).toBe('unresolved');
  });

  it('are merged into the one that was seen first', async () => {
    const ids = [await newIssue('JoinError1'), await newIssue('JoinError2')];
    expect(await bulk({ ids, merge: true })).toMatchObject({ changed: [ids[1]], merged_into: ids[0] });
    expect((await bulk({ ids: [ids[0], 999_999], merge: true })).data.params).toHaveProperty('ids');
    expect((await bulk({ ids: [ids[0]], merge: true })).data.params).toHaveProperty('merge');
  });

  it('take one change, and either ids or a search', async () => {
    const id = await newIssue('BulkError3');
    const refused = async (body: object) => {
      const { status, data } = await bulk(body);
      return [status, Array.isArray(data.params) ? data.params : Object.keys(data.params)];
    };
    expect(await refused({ ids: [id] })).toEqual([400, ['status']]);
    expect(await refused({ status: 'resolved' })).toEqual([400, ['ids']]);
    expect(await refused({ ids: [id], query: 'x', status: 'resolved' })).toEqual([400, ['query']]);
    expect(await refused({ ids: [id], status: 'resolved', assigned_to: jane })).toEqual([
      400,
      ['assigned_to'],
    ]);
    expect(await refused({ ids: [id], status: 'resolved', merge: true })).toEqual([400, ['merge']]);
    expect(await refused({ ids: [id], status: 'resolved', in: 'release' })).toEqual([400, ['release']]);
    expect(await refused({ ids: [id], assigned_to: 'nobody@x.example' })).toEqual([400, ['assigned_to']]);
    expect(await refused({ ids: [id], status: 'resolved', stauts: 1 })).toEqual([400, ['stauts']]);
    expect(await refused({ query: '', status: 'resolved' })).toEqual([400, ['query']]);
    expect(await stateOf(id)).toBe('unresolved');
    const publicKey = { 'X-Notifier-Key': app.publicKey };
    expect((await app.post('/issues/bulk', { ids: [id], status: 'resolved' }, publicKey)).status).toBe(401);
  });
});

describe('an assignee', () => {
  it('can be a member by id or address, a team by name, or nobody, in the answer and in lists', async () => {
    const id = await newIssue('AssignError');
    const assign = async (to: unknown) =>
      (await app.postSecret(`/issues/${id}`, { assigned_to: to })).body.assigned_to;
    const member = { member_id: jane, team_id: null, name: 'Jane Roe' };
    expect(await assign('JANE@shop.example')).toEqual(member);
    const team = await assign('#payments');
    expect(team).toEqual({ member_id: null, team_id: expect.any(Number), name: '#payments' });
    const listed = (await app.get('/issues')).body as Array<{ issue_id: number; assigned_to: unknown }>;
    expect(listed.find((each) => each.issue_id === id)?.assigned_to).toEqual(team);
    expect(await assign(jane)).toEqual(member);
    expect(await assign(null)).toBeNull();
    const { activity } = (await app.get(`/issues/${id}`)).body;
    const names = activity.filter((each: { kind: string }) => each.kind === 'assigned');
    expect(names.map((each: { detail: { name: string } }) => each.detail.name)).toEqual([
      null,
      'Jane Roe',
      '#payments',
      'Jane Roe',
    ]);
  });

  it('must be known, have access to the project, and be the only change', async () => {
    const id = await newIssue('AssignError');
    const fields = { name: 'Max Far', email: 'max@shop.example', role: 'member' } as const;
    const far = await createMember(app.deps, fields, commandLineSource);
    const access = { hasAllProjects: false, projectIds: [] };
    await updateMemberAccess(app.deps, far, access, commandLineSource);
    for (const [to, why] of [
      ['nobody@shop.example', 'No member or team'],
      ['#unknown', 'No member or team'],
      ['max@shop.example', 'Max Far has no access'],
    ]) {
      const refused = await app.postSecret(`/issues/${id}`, { assigned_to: to });
      expect(refused).toHaveStatus(400);
      expect(refused.body.data.params.assigned_to).toContain(why);
    }
    const both = await app.postSecret(`/issues/${id}`, { assigned_to: null, status: 'resolved' });
    expect(both.body.data.params).toHaveProperty('assigned_to');
  });
});

describe('details of an issue', () => {
  const commit = (id: string, path: string, timestamp: string) => ({
    id,
    message: `Change ${path}\n\nMore`,
    author_name: 'Jane Roe',
    author_email: 'jane@shop.example',
    timestamp,
    patch_set: [{ path, type: 'M' }],
  });

  it('include the newest commit of its first release that touches the nearest in-app file', async () => {
    const commits = [
      commit('aaaaaaa1', 'web/src/cart/summary.ts', '2026-11-20T10:00:00Z'),
      commit('aaaaaaa2', 'web/src/cart/summary.ts', '2026-11-20T12:00:00Z'),
      commit('aaaaaaa3', 'web/src/app.ts', '2026-11-20T13:00:00Z'),
      commit('aaaaaaa4', 'node_modules/preact/x.js', '2026-11-20T14:00:00Z'),
      commit('aaaaaaa5', 'summary.ts', '2026-11-20T15:00:00Z'),
    ];
    expect(await app.postSecret('/releases', { version: 'c@1', commits })).toHaveStatus(201);
    const id = await newIssue('CommitError', { release: 'c@1' });
    const { suspect_commit: found } = (await app.get(`/issues/${id}`)).body;
    expect(found).toEqual({
      commit_id: 'aaaaaaa2',
      message: 'Change web/src/cart/summary.ts',
      author: 'Jane Roe',
      author_email: expect.any(String),
      release: 'c@1',
      path: 'web/src/cart/summary.ts',
      url: null,
    });
    const other = await newIssue('NoCommitError', { release: 'c@2' });
    expect((await app.get(`/issues/${other}`)).body.suspect_commit).toBeNull();
  });

  it('include links to https addresses, named by their tracker, each once', async () => {
    const id = await newIssue('LinkError');
    for (const link of [
      'https://github.com/acme/shop/issues/12',
      'https://gitlab.example/a/b/shop/-/issues/7',
      'https://acme.atlassian.net/browse/PAY-512',
      'https://linear.app/acme/issue/ENG-3/the-total',
      'https://tracker.example/t/9',
    ]) {
      expect(await app.postSecret(`/issues/${id}`, { link })).toHaveStatus(200);
    }
    const { links } = (await app.get(`/issues/${id}`)).body;
    expect(links.map((each: { label: string; service: string }) => [each.label, each.service])).toEqual([
      ['acme/shop#12', 'GitHub'],
      ['a/b/shop#7', 'GitLab'],
      ['PAY-512', 'Jira'],
      ['ENG-3', 'Linear'],
      ['tracker.example/t/9', 'tracker.example'],
    ]);
    for (const link of [
      'javascript:alert(1)',
      'http://a.example/1',
      'https://u:p@a.example/',
      links[0].url,
    ]) {
      expect(await app.postSecret(`/issues/${id}`, { link })).toHaveStatus(400);
    }
    const other = await newIssue('OtherError');
    expect(await app.postSecret(`/issues/${other}`, { unlink: links[0].link_id })).toHaveStatus(404);
    const left = await app.postSecret(`/issues/${id}`, { unlink: links[0].link_id });
    expect(left.body.links).toHaveLength(4);
    const [removed, added] = left.body.activity;
    expect([removed.kind, removed.detail.url]).toEqual(['unlinked', links[0].url]);
    expect([added.kind, added.actor]).toEqual(['linked', expect.stringMatching(/^key /)]);
  });

  it('include its owner as assignee if the project assigns, by the last matching rule', async () => {
    const project = (await app.deps.store.listProjects())[0];
    if (project === undefined) throw new Error('no project');
    const rules = 'path:src/* #payments\nurl:*/cart jane@shop.example\npath:src/nowhere/* #payments';
    const save = (ownershipRules: string, codeowners = '') =>
      updateTriageSettings(
        app.deps,
        project,
        {
          ownershipRules,
          codeowners,
          assignsOwners: true,
          repositoryUrl: 'https://github.com/acme/shop.git',
        },
        commandLineSource,
      );
    await save(rules);
    const assignee = async (id: number) => (await app.get(`/issues/${id}`)).body.assigned_to?.name;
    expect(await assignee(await newIssue('OwnedError'))).toBe('#payments');
    const anything = { actorKind: null, objectKind: null, objectId: null, projectId: null, requestId: null };
    const byRules = { ...anything, actorName: 'ownership rules', action: 'issue.assigned', fromMs: null };
    expect(await app.deps.store.countAudit({ ...byRules, toMs: null })).toBe(1);
    const request = { url: 'https://shop.example/cart' };
    const inCart = await newIssue('CartError', { request });
    expect(await assignee(inCart)).toBe('Jane Roe');
    // What a person decided stays, whatever comes later.
    await app.postSecret(`/issues/${inCart}`, { assigned_to: null });
    await newIssue('CartError', { request });
    expect(await assignee(inCart)).toBeUndefined();
    await expect(save('path:src/* #gone\n\nsrc/* #payments')).rejects.toMatchObject({
      extra: { params: { rules: expect.stringMatching(/^Line 1: No member or team .* Line 3: /) } },
    });
    await save('', '* @acme/payments # all\n');
    expect(await app.deps.store.findTriageSettings(project.id)).toMatchObject({
      ownershipRules: 'path:* #payments',
      repositoryUrl: 'https://github.com/acme/shop',
    });
  });
});

describe('ownership rules', () => {
  it('are validated with one query for members and teams, however many owners they name', async () => {
    const [project] = await app.deps.store.listProjects();
    if (project === undefined) throw new Error('no project');
    const calls = new Map<string, number>();
    const deps = { ...app.deps, store: countCalls(app.deps.store, calls) };
    const rules = Array.from(
      { length: 50 },
      (_, nth) => `path:src/${nth}/* #payments gone${nth}@shop.example`,
    );
    const ownershipRules = rules.join('\n');
    const saved = updateTriageSettings(deps, project, { ownershipRules }, commandLineSource);
    await expect(saved).rejects.toMatchObject({
      extra: { params: { rules: expect.stringMatching(/^Line 1: .*gone0@.* 45 more lines are wrong\.$/) } },
    });
    const read = ['listMembers', 'listTeams', 'listAccess'];
    expect(read.map((name) => [name, calls.get(name)])).toEqual(read.map((name) => [name, 1]));
  });
});

describe('comments', () => {
  const mailed: Array<{ to: string; subject: string; text: string }> = [];
  const messenger = {
    canMail: true,
    post: async () => ({ ok: true, status: 200, detail: '' }),
    mail: async (message: (typeof mailed)[number]) => {
      mailed.push(message);
      return { ok: false, status: 550, detail: 'no' };
    },
  };

  it('are added and listed by a key, and refused when empty', async () => {
    const id = await newIssue('CommentError');
    const added = await app.postSecret(`/issues/${id}/comments`, { text: ' The guard is gone. ' });
    expect(added).toHaveStatus(201);
    expect(added.body).toMatchObject({ issue_id: id, text: 'The guard is gone.' });
    await app.postSecret(`/issues/${id}/comments`, { text: 'Second' });
    const listed = await app.get(`/issues/${id}/comments?per_page=1`);
    expect([listed.body.length, listed.body[0].text, listed.headers['x-wp-total']]).toEqual([
      1,
      'Second',
      '2',
    ]);
    expect(await app.postSecret(`/issues/${id}/comments`, { text: ' ' })).toHaveStatus(400);
    expect(await app.postSecret('/issues/999999/comments', { text: 'x' })).toHaveStatus(404);
  });

  it('are mailed to the members that they name, not to their author or to others', async () => {
    const issue = await app.deps.store.findIssueAnywhere(await newIssue('MentionError'));
    if (issue === null) throw new Error('no issue');
    const say = async (body: string, by = commandLineSource) => {
      mailed.length = 0;
      const comment = { id: 1, issueId: issue.id, memberId: null, author: 'Ines', atMs: 0, body };
      await notifyMentioned({ ...app.deps, notificationSender: messenger }, issue, comment, by);
      return mailed.map(({ to }) => to);
    };
    const own = { ...commandLineSource, actor: { kind: 'member', id: jane, name: 'Jane Roe' } } as const;
    expect(await say('@jane roe, look: @Max Far wrote it')).toEqual(['jane@shop.example']);
    expect(mailed[0]?.text).toContain('Ines mentioned you');
    expect(await say('ask @jane@shop.example.')).toEqual(['jane@shop.example']);
    expect(await say('mail to x@jane roe, @Jane Roeder')).toEqual([]);
    expect(await say('@Jane Roe', own)).toEqual([]);
  });
});
