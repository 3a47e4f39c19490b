import type { AlertSignal } from '../store/alert-records.ts';
import type { Issue } from '../store/issues.ts';
import type { Store } from '../store/store.ts';

/** Names and e-mail addresses; a team as `#payments`; `none` for nobody. */
export type SignalPeople = Awaited<ReturnType<typeof findSignalPeople>>;

const nobody = ['none'] as const;

export async function findSignalPeople(
  store: Store,
  projectId: number,
  { kind, object, objectId }: Pick<AlertSignal, 'kind' | 'object' | 'objectId'>,
) {
  if (kind === 'issue.mentioned') {
    const found = await Promise.all(object.split(',').map((id) => findMemberWords(store, Number(id))));
    return { assignee: await findAssigneeWords(store, projectId, objectId), mentioned: found.flat() };
  }
  const [, assigneeKind, id] = (kind === 'issue.assigned' && /^(member|team) (\d+)$/.exec(object)) || [];
  if (assigneeKind === undefined) {
    return { assignee: await findAssigneeWords(store, projectId, objectId), mentioned: [] };
  }
  // It may be assigned to somebody else by now.
  const words =
    assigneeKind === 'team' ? findTeamWords(store, Number(id)) : findMemberWords(store, Number(id));
  return { assignee: await words, mentioned: [] };
}

export async function findAssigneeWords(
  store: Store,
  projectId: number,
  issueId: number,
): Promise<readonly string[]> {
  const issue: Pick<Issue, 'assignedTo' | 'assignedTeam'> | null = await store.findIssue(projectId, issueId);
  if (issue?.assignedTo != null) return findMemberWords(store, issue.assignedTo);
  if (issue?.assignedTeam != null) return findTeamWords(store, issue.assignedTeam);
  return nobody;
}

async function findMemberWords(store: Store, memberId: number): Promise<string[]> {
  const member = await store.findMember(memberId);
  return member === null ? [] : [member.name, ...(member.email === null ? [] : [member.email])];
}

async function findTeamWords(store: Store, teamId: number): Promise<string[]> {
  const team = (await store.listTeams()).find(({ id }) => id === teamId);
  return team === undefined ? [] : [`#${team.name}`];
}
