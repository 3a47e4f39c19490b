import type { IssueChangeRequest } from '../../../../schemas/issues.ts';
import { requestSource } from '../../audit/audit.ts';
import { RestError } from '../../errors.ts';
import { updateIssueIfUnchanged } from '../../issues/actions.ts';
import type { Issue } from '../../store/issues.ts';
import type { Project } from '../../store/projects.ts';
import { findIssue } from '../issue/find-issue.ts';
import type { RequestContext } from '../request-context.ts';
import { PageError } from '../request-context.ts';

export type BulkAction = 'resolve' | 'ignore' | 'merge';

interface SelectedIssue {
  readonly project: Project;
  readonly issue: Issue;
}

/** Returns the code of the notice to show. Deleted issues are skipped; a merge is all or nothing. */
export async function runBulkAction(
  visit: RequestContext,
  ids: readonly number[],
  act: BulkAction,
): Promise<string> {
  if (ids.length === 0) return 'nothing-chosen';
  const found: SelectedIssue[] = [];
  for (const id of new Set(ids)) {
    const each = await findOrNull(visit, id);
    // Two ids may lead to the same issue after a merge.
    if (each !== null && !found.some(({ issue }) => issue.id === each.issue.id)) found.push(each);
  }
  const gone = new Set(ids).size - found.length;
  return act === 'merge' ? mergeAll(visit, found) : changeAll(visit, found, gone, act);
}

async function findOrNull(visit: RequestContext, id: number): Promise<SelectedIssue | null> {
  try {
    return await findIssue(visit, id);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return (error instanceof PageError || error instanceof RestError) && error.status === 404;
}

const changes: Readonly<Record<'resolve' | 'ignore', IssueChangeRequest>> = {
  resolve: { status: 'resolved', in: 'now', until: 'forever' },
  ignore: { status: 'ignored', in: 'now', until: 'forever' },
};

async function changeAll(
  visit: RequestContext,
  found: readonly SelectedIssue[],
  goneBefore: number,
  act: 'resolve' | 'ignore',
): Promise<string> {
  let [changed, unchanged, gone] = [0, 0, goneBefore];
  for (const { project, issue } of found) {
    try {
      const work = { asked: changes[act], seen: null };
      const done = await updateIssueIfUnchanged(visit.deps, project, issue.id, work, requestSource(visit));
      if (done === 'changed') changed += 1;
      else unchanged += 1;
    } catch (error) {
      if (!isGone(error)) throw error;
      gone += 1;
    }
  }
  return `issues-${act === 'resolve' ? 'resolved' : 'ignored'}.${changed}.${unchanged}.${gone}`;
}

/** Into the issue that was seen first, because people may know that one already. */
async function mergeAll(visit: RequestContext, found: readonly SelectedIssue[]): Promise<string> {
  const [into, ...others] = found.toSorted(
    ({ issue: one }, { issue: other }) => one.firstSeenMs - other.firstSeenMs || one.id - other.id,
  );
  if (into === undefined || others.length === 0) return 'issues-too-few';
  if (others.some(({ project }) => project.id !== into.project.id)) return 'issues-of-projects';
  const asked = { merge: others.map(({ issue }) => issue.id), in: 'now', until: 'forever' } as const;
  await updateIssueIfUnchanged(
    visit.deps,
    into.project,
    into.issue.id,
    { asked: { ...asked }, seen: null },
    requestSource(visit),
  );
  return `issues-merged.${found.length}.${into.issue.id}`;
}
