import { parseId } from '../../ids.ts';
import { storedCountMax } from '../../store/issue-queries.ts';
import type { RequestContext } from '../request-context.ts';

export type IssueDeletionModel = NonNullable<Awaited<ReturnType<typeof issueDeletionModel>>>;

/** Null unless the issue is being deleted. */
export async function issueDeletionModel({ deps, path, projects }: RequestContext) {
  const id = parseId(path['id']);
  const ending = id === null ? null : await deps.store.endingEvents(id);
  if (id === null || ending === null || !projects.some((project) => project.id === ending.projectId))
    return null;
  return { ending: { issue_id: id, events: ending.events, capped: ending.events >= storedCountMax } };
}
