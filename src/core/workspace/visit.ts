// What a page or an act is given of the request behind it: types, and refusals in words.
import type { Deps } from '../deps.ts';
import { RestError } from '../errors.ts';
import type { Visitor } from '../store/members.ts';
import type { Project } from '../store/projects.ts';

/** Who looks, at what, and when. */
export interface Visit {
  readonly deps: Deps;
  readonly visitor: Visitor;
  /** All projects there are, in the order in which they were made. */
  readonly projects: readonly Project[];
  /** The one project that `?project=` names; null for all. */
  readonly project: Project | null;
  /** What stands in the places of the path, such as `id`. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly nowMs: number;
  /** The public origin of the API, for lines that are to be pasted. */
  readonly apiUrl: string;
  /** Where the visitor finds these pages, without a slash at its end, for links that are handed over. */
  readonly pagesUrl: string;
  readonly clientAddress: string;
  readonly requestId: string;
}

/** What is looked at, by whomever: all that the figures of a page are made of. */
export type Look = Pick<Visit, 'deps' | 'projects' | 'project' | 'nowMs'>;

/** Why a page is not shown, or an act not done, in words for the person who asked. */
export class PageRefusal extends Error {
  override readonly name = 'PageRefusal';
  readonly status: number;
  readonly title: string;

  constructor(status: number, title: string, why: string) {
    super(why);
    this.status = status;
    this.title = title;
  }
}

/** 404 for a thing that is not there: `what` with its article, such as `An issue of this number`. */
export function notHere(what: string): PageRefusal {
  return new PageRefusal(404, 'Not found', `${what} was not found. It may have been deleted or merged.`);
}

/** 400 for a form or an address that says what cannot be: one sentence with what to write instead. */
export function wrongInput(why: string): PageRefusal {
  return new PageRefusal(400, 'Invalid input', why);
}

/** The projects that a page is about: the one that is looked at, or all. */
export function lookedAt({ project, projects }: Pick<Look, 'project' | 'projects'>): readonly Project[] {
  return project === null ? projects : [project];
}

/** The number that a place of the path holds; 404 where it holds none that could be an id. */
export function pathNumber({ path }: Pick<Visit, 'path'>, name: string, what: string): number {
  const value = Number(path[name]);
  if (!Number.isSafeInteger(value) || value < 1) throw notHere(what);
  return value;
}

/** Does what a form asks; a parameter that the rules refuse is told in their sentence on it. */
export async function inWords<Result>(act: Promise<Result>): Promise<Result> {
  try {
    return await act;
  } catch (error) {
    const params = error instanceof RestError ? error.extra['params'] : undefined;
    if (Array.isArray(params)) throw wrongInput(`Missing: ${params.join(', ')}.`);
    const sentences = typeof params === 'object' && params !== null ? Object.values(params) : [];
    if (typeof sentences[0] !== 'string') throw error;
    throw wrongInput(sentences[0]);
  }
}
