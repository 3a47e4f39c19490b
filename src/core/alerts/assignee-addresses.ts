// To whom a channel for assignees sends: who is assigned to an issue, or else its owners by the rules of the project.
import type { Deps } from '../deps.ts';
import { listAssignees } from '../issues/assignees.ts';
import { listOwners } from '../issues/owners.ts';
import type { Assignee } from '../store/issues.ts';

const addressesMax = 50;

/** Of members with access to the project who accepted their invitation; empty if none of them has an e-mail address. */
export async function listAssigneeAddresses(
  deps: Pick<Deps, 'store' | 'now'>,
  projectId: number,
  issueId: number,
): Promise<readonly string[]> {
  const issue = await deps.store.findIssue(projectId, issueId);
  if (issue === null) return [];
  const { members, teams } = await listAssignees(deps, [projectId], deps.now());
  const addressesOf = (memberIds: readonly number[]): string[] =>
    members.flatMap(({ id, email, invitedUntilMs }) =>
      memberIds.includes(id) && email !== null && invitedUntilMs === null ? [email] : [],
    );
  const ofTeam = (teamId: number): string[] =>
    addressesOf(teams.find(({ id }) => id === teamId)?.members.map(({ id }) => id) ?? []);
  const { assignedTo, assignedTeam } = issue;
  const assigned = [
    ...(assignedTo === null ? [] : addressesOf([assignedTo])),
    ...(assignedTeam === null ? [] : ofTeam(assignedTeam)),
  ];
  const of = (owner: Assignee): string[] =>
    'memberId' in owner ? addressesOf([owner.memberId]) : ofTeam(owner.teamId);
  const found = assigned.length > 0 ? assigned : (await listOwners(deps, issue)).flatMap(of);
  return [...new Set(found)].slice(0, addressesMax);
}
