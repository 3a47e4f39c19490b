import { type TeamView, teamChangeRequest, teamMemberRequest, teamRequest } from '../schemas/teams.ts';
import type { Deps } from '../src/core/deps.ts';
import { createNotFoundError } from '../src/core/errors.ts';
import {
  addTeamMember,
  createTeam,
  deleteTeam,
  removeTeamMember,
  renameTeam,
  updateTeamAccess,
  viewTeam,
} from '../src/core/members/teams.ts';
import type { ListedTeam } from '../src/core/store/members.ts';
import { pathId } from '../src/http/api/parse-parameters.ts';
import { created, type MemberRequest, memberHandler, memberInputHandler, ok } from '../src/http/api/route.ts';
import { memberOfId, toAccess } from './members.ts';

/** All of them: there are at most 200. */
export const getTeams = memberHandler(async ({ deps, projects }) =>
  ok((await deps.store.listTeams()).map((team) => viewTeam(team, projects))),
);

/** Without access to any project, unless `projects` says so. */
export const postTeams = memberInputHandler(teamRequest, async (request, { name, projects = [] }) => {
  const { deps, by } = request;
  const { id } = await createTeam(deps, { name, access: toAccess(projects) }, by);
  return created({ accepted: true, ...(await viewOf(request, id)) });
});

export const getOneTeam = memberHandler(async (request) =>
  ok(await viewOf(request, pathId(request, 'team'))),
);

export const postTeam = memberInputHandler(teamChangeRequest, async (request, { name, projects }) => {
  const { deps, by } = request;
  const team = await teamOf(deps, pathId(request, 'team'));
  await deps.store.transaction(async (store) => {
    const txDeps = { ...deps, store };
    if (name !== undefined) await renameTeam(txDeps, team, name, by);
    if (projects !== undefined) await updateTeamAccess(txDeps, team, toAccess(projects), by);
  });
  return ok({ accepted: true, ...(await viewOf(request, team.id)) });
});

export const deleteOneTeam = memberHandler(async (request) => {
  const { deps, by } = request;
  const previous = await viewOf(request, pathId(request, 'team'));
  await deleteTeam(deps, await teamOf(deps, previous.team_id), by);
  return ok({ deleted: true, previous });
});

export const postTeamMember = memberInputHandler(teamMemberRequest, (request, { member_id: id }) =>
  changeMembers(request, id, addTeamMember),
);

export const deleteTeamMember = memberHandler((request) =>
  changeMembers(request, pathId(request, 'member', 'member_id'), removeTeamMember),
);

async function changeMembers(request: MemberRequest, memberId: number, change: typeof addTeamMember) {
  const { deps, by } = request;
  const team = await teamOf(deps, pathId(request, 'team'));
  await change(deps, team, await memberOfId(deps, memberId), by);
  return ok({ accepted: true, ...(await viewOf(request, team.id)) });
}

async function teamOf({ store }: Deps, id: number): Promise<ListedTeam> {
  const team = (await store.listTeams()).find((each) => each.id === id);
  if (team === undefined) throw createNotFoundError('team');
  return team;
}

async function viewOf({ deps, projects }: MemberRequest, id: number): Promise<TeamView> {
  return viewTeam(await teamOf(deps, id), projects);
}
