import { parseId } from '../../ids.ts';
import { storedCountMax } from '../../store/issue-queries.ts';
import type { RequestContext } from '../request-context.ts';

export interface IssueDeletionModel {
  readonly ending: {
    readonly issue_id: number;
    /** Events left to delete; `capped` if there are at least that many. */
    readonly events: number;
    readonly capped: boolean;
  };
}

/** Null unless the issue is being deleted. */
export async function issueDeletionModel({
  deps,
  path,
  projects,
}: RequestContext): Promise<IssueDeletionModel | null> {
  const id = parseId(path['id']);
  const ending = id === null ? null : await deps.store.endingEvents(id);
  if (id === null || ending === null || !projects.some((project) => project.id === ending.projectId))
    return null;
  return { ending: { issue_id: id, events: ending.events, capped: ending.events >= storedCountMax } };
}
