// Finds an issue over all projects, or one that is being deleted. A merged issue leads to the one it was merged into.
import { parseId } from '../../ids.ts';
import { getIssueAfterMerge } from '../../issues/resolve-merged.ts';
import { storedCountMax } from '../../store/issue-queries.ts';
import type { Issue } from '../../store/issues.ts';
import type { Project } from '../../store/projects.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';

export interface FoundIssue {
  readonly project: Project;
  readonly issue: Issue;
  readonly askedId: number;
}

const subject = 'An issue with this number';

export function findIssueOfPath(context: RequestContext): Promise<FoundIssue> {
  return findIssue(context, pathId(context, 'id', subject));
}

export async function findIssue(context: RequestContext, askedId: number): Promise<FoundIssue> {
  const { store } = context.deps;
  const requested = await store.findIssueAnywhere(askedId);
  const project = context.projects.find(({ id }) => id === requested?.projectId);
  if (requested === null || project === undefined) throw pageNotFound(subject);
  const issue =
    requested.mergedInto === null ? requested : await getIssueAfterMerge(store, project.id, askedId);
  return { project, issue, askedId };
}

export type IssueDeletionModel = NonNullable<Awaited<ReturnType<typeof issueDeletionModel>>>;

/** Null unless the issue is being deleted. */
export async function issueDeletionModel({ deps, path, projects }: RequestContext) {
  const id = parseId(path['id']);
  const ending = id === null ? null : await deps.store.endingEvents(id);
  if (id === null || ending === null || !projects.some((project) => project.id === ending.projectId))
    return null;
  return { ending: { issue_id: id, events: ending.events, capped: ending.events >= storedCountMax } };
}
