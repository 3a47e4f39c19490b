// Which issue an address means: the API's number, over all projects; a merged one is shown by the one that
// stands for it.
import { getStandingIssue } from '../../issues/standing.ts';
import type { Issue } from '../../store/issues.ts';
import type { Project } from '../../store/projects.ts';
import { notHere, pathNumber, type Visit } from '../visit.ts';

export interface FoundIssue {
  readonly project: Project;
  /** The issue that stands for the one that was asked for. */
  readonly issue: Issue;
  readonly askedId: number;
}

const what = 'An issue with this number';

/** The issue of `{id}`; 404 where there is none. */
export function issueOfPath(visit: Visit): Promise<FoundIssue> {
  return findIssue(visit, pathNumber(visit, 'id', what));
}

/** The issue of a number; 404 where there is none. */
export async function findIssue(visit: Visit, askedId: number): Promise<FoundIssue> {
  const { store } = visit.deps;
  const asked = await store.findIssueAnywhere(askedId);
  const project = visit.projects.find(({ id }) => id === asked?.projectId);
  if (asked === null || project === undefined) throw notHere(what);
  const issue = asked.mergedInto === null ? asked : await getStandingIssue(store, project.id, askedId);
  return { project, issue, askedId };
}
