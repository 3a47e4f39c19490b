// To whom a channel for assignees sends: who is assigned to an issue, or else its owners by the rules of the project.
import type { Deps } from '../deps.ts';
import { loadPeople, type People, selectAssignees } from '../issues/assignees.ts';
import { listOwners, loadOwnershipRules } from '../issues/owners.ts';
import type { OwnershipRule } from '../issues/ownership.ts';

const addressesMax = 50;

/** Of members with access to the project who accepted their invitation; empty if none of them has an e-mail address. */
export type AssigneeAddressReader = (projectId: number, issueId: number) => Promise<readonly string[]>;

/** For one transaction: members and teams are read once, and the ownership rules once for each project. */
export function createAssigneeAddressReader({
  store,
  now,
}: Pick<Deps, 'store' | 'now'>): AssigneeAddressReader {
  let people: People | null = null;
  const projects = new Map<number, ProjectPeople>();
  return async (projectId, issueId) => {
    const issue = await store.findIssue(projectId, issueId);
    if (issue === null) return [];
    people ??= await loadPeople({ store }, now());
    const project = projects.get(projectId) ?? readProjectPeople(people, projectId);
    projects.set(projectId, project);
    const { assignedTo, assignedTeam } = issue;
    const assigned = [
      ...(assignedTo === null ? [] : addressesOf(project, { memberId: assignedTo })),
      ...(assignedTeam === null ? [] : addressesOf(project, { teamId: assignedTeam })),
    ];
    if (assigned.length > 0) return distinct(assigned);
    project.rules ??= await loadOwnershipRules({ store }, projectId);
    const owners = await listOwners({ store }, issue, project.rules, people);
    return distinct(owners.flatMap((owner) => addressesOf(project, owner)));
  };
}

interface ProjectPeople {
  readonly emails: ReadonlyMap<number, string>;
  readonly memberIdsByTeam: ReadonlyMap<number, readonly number[]>;
  /** Null until an issue is assigned to nobody. */
  rules: readonly OwnershipRule[] | null;
}

function readProjectPeople(people: People, projectId: number): ProjectPeople {
  const { members, teams } = selectAssignees(people, [projectId]);
  const emails = new Map<number, string>();
  for (const { id, email, invitedUntilMs } of members) {
    if (email !== null && invitedUntilMs === null) emails.set(id, email);
  }
  const memberIdsByTeam = new Map(teams.map((team) => [team.id, team.members.map(({ id }) => id)]));
  return { emails, memberIdsByTeam, rules: null };
}

function addressesOf(
  { emails, memberIdsByTeam }: ProjectPeople,
  owner: { readonly memberId: number } | { readonly teamId: number },
): string[] {
  const ids = 'memberId' in owner ? [owner.memberId] : (memberIdsByTeam.get(owner.teamId) ?? []);
  return ids.flatMap((id) => emails.get(id) ?? []);
}

function distinct(addresses: readonly string[]): string[] {
  return [...new Set(addresses)].slice(0, addressesMax);
}
