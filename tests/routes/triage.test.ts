import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { createMember } from '../../src/core/members/members.ts';
import { createTeam, updateMemberAccess } from '../../src/core/members/teams.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
let jane: number;

beforeAll(async () => {
  app = await openTestApp();
  const fields = { name: 'Jane Roe', email: 'jane@shop.example', role: 'member' } as const;
  jane = (await createMember(app.deps, fields, commandLineSource)).id;
  const access = { hasAllProjects: true, projectIds: [] };
  await createTeam(app.deps, { name: 'payments', access }, commandLineSource);
});
afterAll(() => app.close());

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

describe('an assignee', () => {
  it('is a member by id or address, a team by its name, or nobody, in the answer and in lists', async () => {
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

  it('must be known and have access to the project, and comes alone', async () => {
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
