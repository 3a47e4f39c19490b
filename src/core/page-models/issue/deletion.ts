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
  const left = id === null ? null : await deps.store.endingEvents(id);
  if (id === null || left === null || !projects.some((project) => project.id === left.projectId)) return null;
  return { ending: { issue_id: id, events: left.events, capped: left.events >= storedCountMax } };
}
