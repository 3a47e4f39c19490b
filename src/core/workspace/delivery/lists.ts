import type { Near, Slice, Sliced } from '../../store/page.ts';
import { lookedAt, notHere, type Visit } from '../visit.ts';

export interface ProjectName {
  readonly project_id: number;
  readonly name: string;
}

const projectsMax = 1_000;
const wordsCharactersMax = 200;

export function projectIdsOf(visit: Pick<Visit, 'project' | 'projects'>): number[] {
  return lookedAt(visit)
    .slice(0, projectsMax)
    .map(({ id }) => id);
}

/** Throws 404 (`what` names the object) if the project is not among those viewed. */
export function projectOf(visit: Visit, projectId: number | null | undefined, what: string): ProjectName {
  const project = lookedAt(visit).find(({ id }) => id === projectId);
  if (project === undefined) throw notHere(what);
  return { project_id: project.id, name: project.name };
}

/** A trimmed and cut query parameter; null if empty. */
export function askedText({ query }: Pick<Visit, 'query'>, name: string): string | null {
  return query.get(name)?.trim().slice(0, wordsCharactersMax) || null;
}

export function askedWord<Word extends string>(
  visit: Pick<Visit, 'query'>,
  name: string,
  words: readonly Word[],
): Word | null {
  const asked = visit.query.get(name);
  return words.find((each) => each === asked) ?? null;
}

/** Invalid cursors are ignored. */
export function askedSlice({ query }: Pick<Visit, 'query'>, limit: number): Slice {
  const after = nearOf(query.get('after'));
  return { after, before: after === null ? nearOf(query.get('before')) : null, limit };
}

export interface Neighbours {
  /** Cursors for `before` and `after`; null if there are no more rows. */
  readonly newer: string | null;
  readonly older: string | null;
}

export function neighboursOf<Row>(
  { rows, hasNewer, hasOlder }: Sliced<Row>,
  near: (row: Row) => Near,
): Neighbours {
  const [first, last] = [rows.at(0), rows.at(-1)];
  return {
    newer: first === undefined || !hasNewer ? null : cursorOf(near(first)),
    older: last === undefined || !hasOlder ? null : cursorOf(near(last)),
  };
}

function cursorOf({ atMs, id }: Near): string {
  return `${atMs}-${id}`;
}

function nearOf(text: string | null): Near | null {
  const [, atMs, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '') ?? [];
  return atMs === undefined || id === undefined ? null : { atMs: Number(atMs), id: Number(id) };
}
