// Whom an issue is assigned to: a member or a team with access to its project.
import type { IssueDetails } from '../../../schemas/issues.ts';
import type { Deps } from '../deps.ts';
import { createInvalidParamError } from '../errors.ts';
import type { Assignee, Issue } from '../store/issues.ts';
import type { ListedTeam, Member, ProjectAccess } from '../store/members.ts';

type ServiceDeps = { readonly store: Pick<Deps['store'], 'listMembers' | 'listTeams' | 'listAccess'> };

/** `name` is with `#` for a team, and null for one that was removed. */
export type AssigneeView = Readonly<NonNullable<IssueDetails['assigned_to']>>;

/** `3` is a member's id, `jane@example.com` an e-mail address, `#payments` a team. Throws 400. */
export async function getAssignee(
  { store }: ServiceDeps,
  projectId: number,
  word: string,
  nowMs: number,
): Promise<Assignee> {
  const found = pickAssignee(await loadPeople({ store }, nowMs), projectId, word);
  if (typeof found === 'string') throw createInvalidParamError({ assigned_to: found });
  return found;
}

export interface People {
  readonly members: readonly Member[];
  readonly teams: readonly ListedTeam[];
  /** By member id. */
  readonly access: ReadonlyMap<number, ProjectAccess>;
  /** By `3`, `jane@example.com` and `#payments`, in lower case. */
  readonly byWord: ReadonlyMap<string, Member | ListedTeam>;
}

/** All members and teams: read once, for any number of words, issues and projects. */
export async function loadPeople({ store }: ServiceDeps, nowMs: number): Promise<People> {
  const [members, teams] = await Promise.all([store.listMembers(nowMs), store.listTeams()]);
  const access = await store.listAccess(members.map(({ id }) => id));
  const byWord = new Map<string, Member | ListedTeam>(teams.map((team) => [`#${team.name}`, team]));
  for (const member of members) {
    for (const word of [String(member.id), member.email?.toLowerCase() ?? '']) {
      if (!byWord.has(word)) byWord.set(word, member);
    }
  }
  return { members, teams, access, byWord };
}

/** The assignee, or a sentence that says why the word is none. */
export function pickAssignee({ access, byWord }: People, projectId: number, text: string): Assignee | string {
  const word = text.trim();
  const found = word === '' ? undefined : byWord.get(word.toLowerCase());
  if (found === undefined) {
    return `No member or team is “${word}”. Enter the id or e-mail address of a member, or a team such as #payments.`;
  }
  if (!mayOpen('role' in found ? access.get(found.id) : found, projectId)) {
    return `${nameOf(found)} has no access to this project.`;
  }
  return 'role' in found
    ? { memberId: found.id, name: found.name }
    : { teamId: found.id, name: nameOf(found) };
}

function nameOf(found: Member | ListedTeam): string {
  return 'role' in found ? found.name : `#${found.name}`;
}

function mayOpen(access: ProjectAccess | undefined, projectId: number): boolean {
  return access !== undefined && (access.hasAllProjects || access.projectIds.includes(projectId));
}

/** Those that an issue of one of the projects can be assigned to, sorted by name. */
export async function listAssignees(
  { store }: ServiceDeps,
  projectIds: readonly number[],
  nowMs: number,
): Promise<Pick<People, 'members' | 'teams'>> {
  return selectAssignees(await loadPeople({ store }, nowMs), projectIds);
}

export function selectAssignees(
  { members, teams, access }: People,
  projectIds: readonly number[],
): Pick<People, 'members' | 'teams'> {
  return {
    members: members.filter(({ id }) => projectIds.some((project) => mayOpen(access.get(id), project))),
    teams: teams.filter((team) => projectIds.some((project) => mayOpen(team, project))),
  };
}

/** By issue id, null where unassigned. Names are read at once for all. */
export async function viewAssignees(
  { store }: ServiceDeps,
  issues: ReadonlyArray<Pick<Issue, 'id' | 'assignedTo' | 'assignedTeam'>>,
  nowMs: number,
): Promise<ReadonlyMap<number, AssigneeView | null>> {
  const hasMembers = issues.some(({ assignedTo }) => assignedTo !== null);
  const hasTeams = issues.some(({ assignedTeam }) => assignedTeam !== null);
  const members = hasMembers ? await store.listMembers(nowMs) : [];
  const teams = hasTeams ? await store.listTeams() : [];
  return new Map(
    issues.map(({ id, assignedTo, assignedTeam }) => {
      if (assignedTo === null && assignedTeam === null) return [id, null];
      const found =
        assignedTo === null
          ? teams.find((team) => team.id === assignedTeam)
          : members.find((member) => member.id === assignedTo);
      const name = found === undefined ? null : nameOf(found);
      return [id, { member_id: assignedTo, team_id: assignedTeam, name }];
    }),
  );
}
