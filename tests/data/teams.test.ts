import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Store } from '../../src/core/store/store.ts';
import { databases, startMs, storeWithProject } from './support/databases.ts';

const newTeam = { hasAllProjects: false, createdAtMs: startMs, createdBy: 'a test' };

describe.each(databases)('teams on $name', (database) => {
  let store: Store;
  let memberId: number;
  beforeEach(async () => {
    await store?.close();
    store = await storeWithProject(database);
    await store.createProject({ name: 'second', createdAtMs: startMs });
    const made = { email: null, role: 'viewer', createdAtMs: startMs, createdBy: 'a test' } as const;
    memberId = (await store.addMember({ ...made, name: 'Ann', nameKey: 'ann' }))?.id ?? 0;
  });
  afterAll(() => store?.close());
  const accessOf = async (id: number) => (await store.listAccess([id])).get(id);
  const teamOf = async (name: string): Promise<number> =>
    (await store.addTeam({ ...newTeam, name }))?.id ?? 0;

  it('have unique names, which are free after the team is deleted', async () => {
    const web = await teamOf('web');
    const payments = await teamOf('payments');
    expect(await store.addTeam({ ...newTeam, name: 'web' })).toBeNull();
    expect(await store.renameTeam(payments, 'web')).toBe('taken');
    expect(await store.renameTeam(payments, 'money')).toMatchObject({ name: 'money' });
    expect((await store.removeTeam(web, startMs))?.name).toBe('web');
    expect(await store.removeTeam(web, startMs)).toBeNull();
    expect(await store.renameTeam(payments, 'web')).toMatchObject({ id: payments, name: 'web' });
  });

  it('give a member, who had all projects at first, the chosen ones and those of the teams', async () => {
    expect(await accessOf(memberId))?.toEqual({ hasAllProjects: true, projectIds: [] });
    const none = { hasAllProjects: false, projectIds: [] };
    expect(await store.setAccess({ memberId }, { ...none, projectIds: [1] })).toBe(true);
    expect(await accessOf(memberId))?.toEqual({ ...none, projectIds: [1] });
    const teamId = await teamOf('web');
    await store.setAccess({ teamId }, { ...none, projectIds: [2, 1] });
    expect(await store.addTeamMember(teamId, memberId)).toBe(true);
    expect(await store.addTeamMember(teamId, memberId)).toBe(false);
    expect((await accessOf(memberId))?.projectIds).toEqual([1, 2]);
    expect(await store.listTeams()).toEqual([
      { ...newTeam, id: teamId, name: 'web', members: [{ id: memberId, name: 'Ann' }], projectIds: [1, 2] },
    ]);
    await store.setAccess({ teamId }, { hasAllProjects: true, projectIds: [] });
    expect((await accessOf(memberId))?.hasAllProjects).toBe(true);
    await store.removeTeam(teamId, startMs);
    expect(await accessOf(memberId))?.toEqual({ ...none, projectIds: [1] });
    expect(await store.addTeamMember(teamId, memberId)).toBe(false);
  });

  it('are listed for one member, as are chosen projects', async () => {
    const [web] = [await teamOf('web'), await teamOf('payments')];
    const ben = { email: null, role: 'viewer', createdAtMs: startMs, createdBy: 'a test' } as const;
    const other = (await store.addMember({ ...ben, name: 'Ben', nameKey: 'ben' }))?.id ?? 0;
    for (const id of [memberId, other]) await store.addTeamMember(web, id);
    for (const owner of [{ memberId }, { memberId: other }, { teamId: web }])
      await store.setAccess(owner, { hasAllProjects: false, projectIds: [1] });
    const [, listed] = await store.listTeams();
    expect(await store.listTeams(memberId)).toEqual([listed]);
    await store.removeTeamMember(web, other);
    expect(await store.listTeams(other)).toEqual([]);
    expect([...(await store.listMemberProjects(other))]).toEqual([[other, [1]]]);
  });

  it('leave a removed member without projects', async () => {
    const teamId = await teamOf('web');
    await store.addTeamMember(teamId, memberId);
    await store.setAccess({ teamId }, { hasAllProjects: true, projectIds: [] });
    await store.removeMember(memberId, startMs);
    expect(await accessOf(memberId)).toBeUndefined();
    expect((await store.listTeams())[0]?.members).toEqual([]);
    expect(await store.setAccess({ memberId }, { hasAllProjects: true, projectIds: [] })).toBe(false);
    expect(await store.addTeamMember(teamId, memberId)).toBe(false);
  });
});
