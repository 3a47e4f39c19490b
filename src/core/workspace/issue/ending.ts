// How far the deletion of an issue is, for whoever asks again.
import { parseId } from '../../ids.ts';
import { storedCountMax } from '../../store/issue-pages.ts';
import type { Visit } from '../visit.ts';

export interface EndingModel {
  readonly ending: {
    readonly issue_id: number;
    /** Events that are still to be removed, and whether there are that many or more. */
    readonly events: number;
    readonly capped: boolean;
  };
}

/** The issue that the path names, while its rows are being removed; null for any other. */
export async function endingModel({ deps, path, projects }: Visit): Promise<EndingModel | null> {
  const id = parseId(path['id']);
  const left = id === null ? null : await deps.store.endingEvents(id);
  if (id === null || left === null || !projects.some((project) => project.id === left.projectId)) return null;
  return { ending: { issue_id: id, events: left.events, capped: left.events >= storedCountMax } };
}
