import { createNotFoundError } from '../errors.ts';
import type { Issue, IssueStore } from '../store/issues.ts';

/** Merges point directly at the final issue; more hops only occur during a concurrent merge. */
const hopsMax = 10;

/** The issue itself, or the one it was merged into. Throws 404. */
export async function getIssueAfterMerge(
  store: Pick<IssueStore, 'findIssue'>,
  projectId: number,
  issueId: number,
): Promise<Issue> {
  let issue = await store.findIssue(projectId, issueId);
  for (let hop = 0; hop < hopsMax && issue !== null && issue.mergedInto !== null; hop += 1) {
    issue = await store.findIssue(projectId, issue.mergedInto);
  }
  if (issue === null) throw createNotFoundError('issue');
  return issue;
}
