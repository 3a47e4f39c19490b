// Which issue an id means: the one that stands for it since a merge, or itself (D-37).
import type { Issue, IssueStore } from '../store/issues.ts';

/** Merges point straight at the issue that stands for all; more hops mean that somebody merges at this very moment. */
const hopsMax = 10;

/** The issue that stands for an id; null when the project has none of this id. */
export async function standingIssue(
  store: Pick<IssueStore, 'findIssue'>,
  projectId: number,
  issueId: number,
): Promise<Issue | null> {
  let issue = await store.findIssue(projectId, issueId);
  for (let hop = 0; hop < hopsMax && issue !== null && issue.mergedInto !== null; hop += 1) {
    issue = await store.findIssue(projectId, issue.mergedInto);
  }
  return issue;
}
