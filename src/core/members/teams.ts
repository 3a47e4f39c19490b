import type { TeamView } from '../../../schemas/teams.ts';
import type { AuditAction } from '../audit/actions.ts';
import { type AuditEvent, audited } from '../audit/audit.ts';
import { memberAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError, RestError } from '../errors.ts';
import { cutText } from '../parsing/cut-text.ts';
import type { ListedTeam, Member, ProjectAccess, Team } from '../store/members.ts';
import type { Project } from '../store/projects.ts';

const teamsMax = 200;
const summaryCharactersMax = 200;

export interface TeamFields {
  /** With or without the `#`. */
  readonly name: string;
  readonly access: ProjectAccess;
}

/** Throws 400 for an invalid or taken name, unknown projects, or too many teams. */
export const createTeam = audited(async ({ store, now, by }, fields: TeamFields) => {
  const name = parseTeamName(fields.name);
  if ((await store.listTeams()).length >= teamsMax) {
    throw createBadRequestError('notifier_too_many_teams', `There can be at most ${teamsMax} teams.`);
  }
  const { access } = fields;
  const words = await describeAccess({ store }, access);
  const { hasAllProjects } = access;
  const team = await store.addTeam({ name, hasAllProjects, createdAtMs: now(), createdBy: by.actor.name });
  if (team === null) throw nameTaken(name);
  await store.setAccess({ teamId: team.id }, access);
  return { result: team, auditEvent: teamAuditEvent(team, 'team.created', words) };
});

/** Throws 400 for an invalid or taken name, 404 for a team that was deleted. */
export const renameTeam = audited(async ({ store }, team: Team, word: string) => {
  const name = parseTeamName(word);
  const result = await store.renameTeam(team.id, name);
  if (result === 'taken') throw nameTaken(name);
  if (result === null) throw teamNotFound();
  const auditEvent = teamAuditEvent(result, 'team.renamed', `was #${team.name}`);
  return { result, auditEvent: name === team.name ? null : auditEvent };
});

export const updateTeamAccess = audited(async ({ store }, team: Team, access: ProjectAccess) => {
  const words = await describeAccess({ store }, access);
  if (!(await store.setAccess({ teamId: team.id }, access))) throw teamNotFound();
  return { result: null, auditEvent: teamAuditEvent(team, 'team.access_changed', words) };
});

/** Admins have all projects whatever is chosen here; it counts once they are no admin any longer. */
export const updateMemberAccess = audited(
  async ({ store }, member: Pick<Member, 'id' | 'name'>, access: ProjectAccess) => {
    const words = await describeAccess({ store }, access);
    if (!(await store.setAccess({ memberId: member.id }, access))) {
      throw new RestError('notifier_member_invalid_id', 'There is no such member.', 404);
    }
    return { result: null, auditEvent: memberAuditEvent(member, 'member.access_changed', words) };
  },
);

/** False where the member is in the team already. */
export const addTeamMember = audited(async ({ store }, team: Team, member: Pick<Member, 'id' | 'name'>) => {
  const result = await store.addTeamMember(team.id, member.id);
  return { result, auditEvent: result ? teamAuditEvent(team, 'team.member_added', member.name) : null };
});

/** False where the member is not in the team. */
export const removeTeamMember = audited(
  async ({ store }, team: Team, member: Pick<Member, 'id' | 'name'>) => {
    const result = await store.removeTeamMember(team.id, member.id);
    return { result, auditEvent: result ? teamAuditEvent(team, 'team.member_removed', member.name) : null };
  },
);

/** Its members keep their own access only. Throws 404 if already deleted. */
export const deleteTeam = audited(async ({ store, now }, team: Team) => {
  const result = await store.removeTeam(team.id, now());
  if (result === null) throw teamNotFound();
  return { result, auditEvent: teamAuditEvent(result, 'team.deleted') };
});

/** By name, with or without the `#`, or by number. */
export async function findTeam({ store }: Pick<Deps, 'store'>, word: string): Promise<Team | null> {
  const named = await store.findTeamByName(normalizeTeamName(word));
  if (named !== null || !/^[1-9]\d{0,14}$/.test(word)) return named;
  return store.findTeam(Number(word));
}

/** `projects` are those that the reader may see; others are left out. */
export function viewTeam(team: ListedTeam, projects: readonly Project[]): TeamView {
  return {
    team_id: team.id,
    name: team.name,
    members: team.members.map(({ id, name }) => ({ member_id: id, name })),
    projects: team.hasAllProjects ? null : viewProjects(team.projectIds, projects),
  };
}

export function viewProjects(ids: readonly number[], projects: readonly Project[]) {
  return projects.filter(({ id }) => ids.includes(id)).map(({ id, name }) => ({ project_id: id, name }));
}

function normalizeTeamName(word: string): string {
  return word.trim().replace(/^#/, '').toLowerCase();
}

function parseTeamName(word: string): string {
  const name = normalizeTeamName(word);
  if (/^[a-z0-9][a-z0-9_-]{0,39}$/.test(name)) return name;
  throw createBadRequestError(
    'notifier_team_name',
    'Enter a name of 1 to 40 lower-case letters, digits, - and _, for example payments.',
  );
}

/** Throws 400 for an unknown project. */
async function describeAccess({ store }: Pick<Deps, 'store'>, { hasAllProjects, projectIds }: ProjectAccess) {
  if (hasAllProjects) return 'all projects';
  const projects = await store.listProjects();
  const names = projectIds.map((id) => projects.find((project) => project.id === id)?.name);
  if (names.includes(undefined)) {
    throw createBadRequestError('notifier_project_invalid_id', 'There is no project with this number.');
  }
  return names.length === 0 ? 'no projects' : cutText(names.join(', '), summaryCharactersMax);
}

function nameTaken(name: string): RestError {
  return createBadRequestError('notifier_team_exists', `A team named “${name}” already exists.`);
}

function teamNotFound(): RestError {
  return new RestError('notifier_team_invalid_id', 'There is no such team.', 404);
}

function teamAuditEvent({ id, name }: Team, action: AuditAction, summary = ''): AuditEvent {
  return { action, object: { kind: 'team', id, name: `#${name}` }, summary };
}
