// What the lists of delivery have in common: the projects they are over, the words asked for, and cursors.
import type { Near, Slice, Sliced } from '../../store/page.ts';
import { lookedAt, notHere, type Visit } from '../visit.ts';

export interface ProjectName {
  readonly project_id: number;
  readonly name: string;
}

/** As many projects as one look is over. */
const projectsMax = 1_000;
const wordsCharactersMax = 200;

/** The numbers of the projects that are looked at. */
export function projectIdsOf(visit: Pick<Visit, 'project' | 'projects'>): number[] {
  return lookedAt(visit)
    .slice(0, projectsMax)
    .map(({ id }) => id);
}

/** The name of a project that a thing belongs to; 404 with `what` where that is none that is looked at. */
export function projectOf(visit: Visit, projectId: number | null | undefined, what: string): ProjectName {
  const project = lookedAt(visit).find(({ id }) => id === projectId);
  if (project === undefined) throw notHere(what);
  return { project_id: project.id, name: project.name };
}

/** What a member of the query says, trimmed and bounded; null where it says nothing. */
export function askedText({ query }: Pick<Visit, 'query'>, name: string): string | null {
  return query.get(name)?.trim().slice(0, wordsCharactersMax) || null;
}

/** What a member of the query says where it is one of the words that it may be; else null. */
export function askedWord<Word extends string>(
  visit: Pick<Visit, 'query'>,
  name: string,
  words: readonly Word[],
): Word | null {
  const asked = visit.query.get(name);
  return words.find((each) => each === asked) ?? null;
}

/** The slice that the cursors of the query ask for; a cursor that is none of ours counts as none. */
export function askedSlice({ query }: Pick<Visit, 'query'>, limit: number): Slice {
  const after = nearOf(query.get('after'));
  return { after, before: after === null ? nearOf(query.get('before')) : null, limit };
}

export interface Neighbours {
  /** Cursors: `before` this one, and `after` this one; null where there is nothing there. */
  readonly newer: string | null;
  readonly older: string | null;
}

/** The cursors at the ends of what is shown. */
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
