import type { CursorPage, CursorWindow, TimeCursor } from '../store/pagination.ts';
import { pageNotFound, type RequestContext, viewedProjects } from './request-context.ts';

export type ProjectRef = ReturnType<typeof requireViewedProject>;

const projectsMax = 1_000;
const wordsCharactersMax = 200;

export function viewedProjectIds(context: Pick<RequestContext, 'project' | 'projects'>): number[] {
  return viewedProjects(context)
    .slice(0, projectsMax)
    .map(({ id }) => id);
}

/** Throws 404 (`subject` names the object) if the project is not among those viewed. */
export function requireViewedProject(
  context: RequestContext,
  projectId: number | null | undefined,
  subject: string,
) {
  const project = viewedProjects(context).find(({ id }) => id === projectId);
  if (project === undefined) throw pageNotFound(subject);
  return { project_id: project.id, name: project.name };
}

/** A trimmed and cut query parameter; null if empty. */
export function textParam({ query }: Pick<RequestContext, 'query'>, name: string): string | null {
  return query.get(name)?.trim().slice(0, wordsCharactersMax) || null;
}

export function enumParam<Word extends string>(
  context: Pick<RequestContext, 'query'>,
  name: string,
  words: readonly Word[],
): Word | null {
  const value = context.query.get(name);
  return words.find((each) => each === value) ?? null;
}

/** 1 for what is no page number. */
export function pageNumberParam({ query }: Pick<RequestContext, 'query'>): number {
  const number = Math.trunc(Number(query.get('page')));
  return Number.isSafeInteger(number) && number > 1 ? number : 1;
}

/** Invalid cursors are ignored. */
export function sliceParam({ query }: Pick<RequestContext, 'query'>, limit: number): CursorWindow {
  const after = parseCursor(query.get('after'));
  return { after, before: after === null ? parseCursor(query.get('before')) : null, limit };
}

export function pageCursors<Row>(
  { rows, hasNewer, hasOlder }: CursorPage<Row>,
  toCursor: (row: Row) => TimeCursor,
) {
  const [first, last] = [rows.at(0), rows.at(-1)];
  return {
    /** Cursors for `before` and `after`; null if there are no more rows. */
    newer: first === undefined || !hasNewer ? null : cursorOf(toCursor(first)),
    older: last === undefined || !hasOlder ? null : cursorOf(toCursor(last)),
  };
}

function cursorOf({ atMs, id }: TimeCursor): string {
  return `${atMs}-${id}`;
}

function parseCursor(text: string | null): TimeCursor | null {
  const [, atMs, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '') ?? [];
  return atMs === undefined || id === undefined ? null : { atMs: Number(atMs), id: Number(id) };
}
