import { storePart } from '../db.ts';
import { defaulted, flag, integer, nullable, tableOf, text } from '../table.ts';
import { toValueList } from '../value-lists.ts';
import { members } from './rows.ts';

const teams = tableOf('teams', {
  id: defaulted(integer),
  name: text,
  hasAllProjects: flag,
  createdAtMs: integer,
  createdBy: text,
  removedAtMs: defaulted(nullable(integer)),
}).without('removedAtMs');
const teamMembers = tableOf('team_members', { teamId: integer, memberId: integer });
const memberProjects = tableOf('member_projects', { projectId: integer, memberId: integer });
const teamProjects = tableOf('team_projects', { projectId: integer, teamId: integer });

export const teamStore = storePart(
  {
    findTeam: (db, teamId) => teams.find(db, 'WHERE id = $1 AND removed_at_ms IS NULL', [teamId]),
    findTeamByName: (db, name) => teams.find(db, 'WHERE name = $1 AND removed_at_ms IS NULL', [name]),
    async listTeams(db, memberId) {
      const ofMember = (column: string) =>
        memberId === undefined
          ? ''
          : `AND ${column} IN (SELECT team_id FROM team_members WHERE member_id = $1)`;
      const values = memberId === undefined ? [] : [memberId];
      const [all, inTeams, rows] = await Promise.all([
        teams.list(db, `WHERE removed_at_ms IS NULL ${ofMember('id')} ORDER BY name`, values),
        db.all<{ teamId: number; id: number; name: string }>(
          `SELECT t.team_id AS "teamId", m.id AS "id", m.name AS "name"
           FROM team_members t JOIN members m ON m.id = t.member_id
           WHERE m.removed_at_ms IS NULL ${ofMember('t.team_id')} ORDER BY m.name_key, m.id`,
          values,
        ),
        teamProjects.list(db, `WHERE 1 = 1 ${ofMember('team_id')} ORDER BY team_id, project_id`, values),
      ]);
      const projects = groupProjects(rows.map(({ teamId, projectId }) => [teamId, projectId]));
      return all.map((team) => ({
        ...team,
        members: inTeams.filter(({ teamId }) => teamId === team.id).map(({ id, name }) => ({ id, name })),
        projectIds: projects.get(team.id) ?? [],
      }));
    },
    async removeTeamMember(db, teamId, memberId) {
      const deleteSql = 'DELETE FROM team_members WHERE team_id = $1 AND member_id = $2';
      return (await db.run(deleteSql, [teamId, memberId])).changes > 0;
    },
    async listMemberProjects(db, memberId) {
      const isListed = memberId === undefined ? '' : 'WHERE member_id = $1';
      const values = memberId === undefined ? [] : [memberId];
      const rows = await memberProjects.list(db, `${isListed} ORDER BY member_id, project_id`, values);
      return groupProjects(rows.map(({ memberId, projectId }) => [memberId, projectId]));
    },
    async listAccess(db, memberIds) {
      if (memberIds.length === 0) return new Map();
      const { placeholders, values } = toValueList(memberIds, 1);
      const live = `m.id IN (${placeholders}) AND m.removed_at_ms IS NULL`;
      const [all, chosen] = await Promise.all([
        db.all<{ id: number; hasAll: number }>(
          `SELECT m.id AS "id", CASE WHEN m.role = 'admin' OR m.has_all_projects = 1
             OR EXISTS (SELECT 1 FROM team_members i JOIN teams t ON t.id = i.team_id
               WHERE i.member_id = m.id AND t.has_all_projects = 1) THEN 1 ELSE 0 END AS "hasAll"
           FROM members m WHERE ${live}`,
          values,
        ),
        db.all<{ id: number; projectId: number }>(
          `SELECT m.id AS "id", p.project_id AS "projectId" FROM members m
             JOIN member_projects p ON p.member_id = m.id WHERE ${live}
           UNION SELECT m.id AS "id", p.project_id AS "projectId" FROM members m
             JOIN team_members i ON i.member_id = m.id JOIN team_projects p ON p.team_id = i.team_id
             WHERE ${live} ORDER BY 1, 2`,
          values,
        ),
      ]);
      const projects = groupProjects(chosen.map(({ id, projectId }) => [id, projectId]));
      return new Map(
        all.map(({ id, hasAll }) => [
          id,
          hasAll === 1
            ? { hasAllProjects: true, projectIds: [] }
            : { hasAllProjects: false, projectIds: projects.get(id) ?? [] },
        ]),
      );
    },
  },
  {
    addTeam: (tx, team) =>
      teams.insertReturning(tx, team, { onConflict: '(name) WHERE removed_at_ms IS NULL DO NOTHING' }),
    async renameTeam(tx, teamId, name) {
      const other = await teams.find(tx, 'WHERE name = $1 AND id <> $2 AND removed_at_ms IS NULL', [
        name,
        teamId,
      ]);
      return other === null ? teams.updateReturning(tx, { name }, live(teamId)) : 'taken';
    },
    async removeTeam(tx, teamId, removedAtMs) {
      await tx.run('DELETE FROM team_members WHERE team_id = $1', [teamId]);
      await tx.run('DELETE FROM team_projects WHERE team_id = $1', [teamId]);
      return teams.updateReturning(tx, { removedAtMs }, live(teamId));
    },
    async addTeamMember(tx, teamId, memberId) {
      const added = await teamMembers.insert(
        tx,
        { teamId, memberId },
        {
          when: `EXISTS (SELECT 1 FROM teams WHERE id = $1 AND removed_at_ms IS NULL)
            AND EXISTS (SELECT 1 FROM members WHERE id = $2 AND removed_at_ms IS NULL)`,
          values: [teamId, memberId],
          onConflict: '(team_id, member_id) DO NOTHING',
        },
      );
      return added > 0;
    },
    async setAccess(tx, owner, access) {
      const { hasAllProjects } = access;
      // With access to all, chosen projects are not kept: they would come back unseen later.
      const projectIds = hasAllProjects ? [] : [...new Set(access.projectIds)];
      if ('memberId' in owner) {
        const { memberId } = owner;
        await tx.run('DELETE FROM member_projects WHERE member_id = $1', [memberId]);
        if ((await members.update(tx, { hasAllProjects }, live(memberId))) === 0) return false;
        await memberProjects.insertMany(
          tx,
          projectIds.map((projectId) => ({ projectId, memberId })),
        );
        return true;
      }
      const { teamId } = owner;
      await tx.run('DELETE FROM team_projects WHERE team_id = $1', [teamId]);
      if ((await teams.update(tx, { hasAllProjects }, live(teamId))) === 0) return false;
      await teamProjects.insertMany(
        tx,
        projectIds.map((projectId) => ({ projectId, teamId })),
      );
      return true;
    },
  },
);

function live(id: number) {
  return { where: 'id = $1 AND removed_at_ms IS NULL', values: [id] };
}

function groupProjects(pairs: ReadonlyArray<readonly [number, number]>): Map<number, number[]> {
  const all = new Map<number, number[]>();
  for (const [id, projectId] of pairs) all.set(id, [...(all.get(id) ?? []), projectId]);
  return all;
}
