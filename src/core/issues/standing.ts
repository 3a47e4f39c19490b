// Which issue an id means: the one that stands for it since a merge, or itself (D-37).
import { invalidId } from '../errors.ts';
import type { Issue, IssueStore } from '../store/issues.ts';

/**
 * Merges point straight at the issue that stands for all; more hops mean that somebody merges at this very
 * moment.
 */
const hopsMax = 10;

/** The issue that stands for an id; 404 when the project has none of this id. */
export async function getStandingIssue(
  store: Pick<IssueStore, 'findIssue'>,
  projectId: number,
  issueId: number,
): Promise<Issue> {
  let issue = await store.findIssue(projectId, issueId);
  for (let hop = 0; hop < hopsMax && issue !== null && issue.mergedInto !== null; hop += 1) {
    issue = await store.findIssue(projectId, issue.mergedInto);
  }
  if (issue === null) throw invalidId('issue');
  return issue;
}
