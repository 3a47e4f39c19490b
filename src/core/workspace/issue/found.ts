// Finds an issue over all projects. A merged issue leads to the one it was merged into.
import { getStandingIssue } from '../../issues/standing.ts';
import type { Issue } from '../../store/issues.ts';
import type { Project } from '../../store/projects.ts';
import { notHere, pathNumber, type Visit } from '../visit.ts';

export interface FoundIssue {
  readonly project: Project;
  /** The remaining issue if `askedId` was merged. */
  readonly issue: Issue;
  readonly askedId: number;
}

const what = 'An issue with this number';

export function issueOfPath(visit: Visit): Promise<FoundIssue> {
  return findIssue(visit, pathNumber(visit, 'id', what));
}

export async function findIssue(visit: Visit, askedId: number): Promise<FoundIssue> {
  const { store } = visit.deps;
  const asked = await store.findIssueAnywhere(askedId);
  const project = visit.projects.find(({ id }) => id === asked?.projectId);
  if (asked === null || project === undefined) throw notHere(what);
  const issue = asked.mergedInto === null ? asked : await getStandingIssue(store, project.id, askedId);
  return { project, issue, askedId };
}
