import { parseId } from '../../ids.ts';
import { storedCountMax } from '../../store/issue-pages.ts';
import type { Visit } from '../visit.ts';

export interface EndingModel {
  readonly ending: {
    readonly issue_id: number;
    /** Events left to delete; `capped` if there are at least that many. */
    readonly events: number;
    readonly capped: boolean;
  };
}

/** Null unless the issue is being deleted. */
export async function endingModel({ deps, path, projects }: Visit): Promise<EndingModel | null> {
  const id = parseId(path['id']);
  const left = id === null ? null : await deps.store.endingEvents(id);
  if (id === null || left === null || !projects.some((project) => project.id === left.projectId)) return null;
  return { ending: { issue_id: id, events: left.events, capped: left.events >= storedCountMax } };
}
