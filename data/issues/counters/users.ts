// A user is counted once an issue, and once a group of merged issues.
import { issueUsersMax } from '../../../src/core/issues/state-transitions.ts';
import type { Query, SqlValue, Transaction } from '../../db.ts';
import { compareKeys } from '../../value-lists.ts';
import { users as issueUsers } from '../counter-rows.ts';
import { groupOf } from '../group.ts';
import { type FoundIssue, type IssueEvents, isNearUsersMax } from './find-issues.ts';

export type NewUsers = Awaited<ReturnType<typeof countUser>>;

const insertUser = issueUsers.insertStatement('ON CONFLICT DO NOTHING RETURNING issue_id');

export async function addUsers(
  tx: Transaction,
  issues: readonly IssueEvents[],
): Promise<ReadonlyMap<number, NewUsers>> {
  const found = new Map<number, NewUsers>();
  const addCount = (issueId: number, inIssue: number, inGroup: number): void => {
    const users = found.get(issueId) ?? { inIssue: 0, inGroup: 0 };
    found.set(issueId, { inIssue: users.inIssue + inIssue, inGroup: users.inGroup + inGroup });
  };
  const batchRows: SqlValue[][] = [];
  const oneByOne: Array<{ issue: FoundIssue; userHash: string }> = [];
  for (const { issue, events } of issues) {
    if (issue.ownUsers >= issueUsersMax) continue;
    for (const userHash of new Set(events.flatMap((event) => event.userHash ?? []))) {
      if (issue.isGrouped || isNearUsersMax(issue)) oneByOne.push({ issue, userHash });
      else batchRows.push(issueUsers.valuesOf({ projectId: issue.projectId, issueId: issue.id, userHash }));
    }
  }
  batchRows.sort((left, right) => compareKeys(left, right, 3));
  const added = await tx.allMany<{ issue_id: number }>(insertUser, batchRows);
  for (const { issue_id: issueId } of added) addCount(issueId, 1, 1);
  oneByOne.sort((left, right) =>
    compareKeys([left.issue.id, left.userHash], [right.issue.id, right.userHash], 2),
  );
  for (const { issue, userHash } of oneByOne) {
    const { inIssue, inGroup } = await countUser(tx, issue, userHash);
    addCount(issue.id, inIssue, inGroup);
  }
  return found;
}

/** For issues that are merged with others or near the limit of users. */
async function countUser(tx: Query, { id, headId, projectId }: FoundIssue, userHash: string) {
  const added = await tx.run(
    `INSERT INTO issue_users (project_id, issue_id, user_hash)
     SELECT project_id, id, $3 FROM issues WHERE project_id = $1 AND id = $2 AND own_users_count < $4
     ON CONFLICT (project_id, issue_id, user_hash) DO NOTHING`,
    [projectId, id, userHash, issueUsersMax],
  );
  if (added.changes === 0) return { inIssue: 0, inGroup: 0 };
  const elsewhere = await tx.get(
    `SELECT 1 AS there FROM issue_users WHERE project_id = $1 AND user_hash = $2 AND issue_id <> $3 AND issue_id IN
       (${groupOf('$1', '$4')}) LIMIT 1`,
    [projectId, userHash, id, headId],
  );
  return { inIssue: 1, inGroup: elsewhere === undefined ? 1 : 0 };
}
