import type { AuditSource } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { defaultPageSettings } from '../saved-views/saved-views.ts';
import type { CurrentUser } from '../store/members.ts';
import type { Project } from '../store/projects.ts';
import type { PageSettings } from '../store/saved-views.ts';

export interface RequestContext {
  /** Its store has the projects of the user alone (`limitStore`). */
  readonly deps: Deps;
  readonly currentUser: CurrentUser;
  readonly projects: readonly Project[];
  /** False for a member with chosen projects, who sees nothing of the whole workspace. */
  readonly hasAllProjects: boolean;
  /** From `?project=`; null for all. */
  readonly project: Project | null;
  /** Of the visitor; the time zone may be that of this request alone. */
  readonly settings: PageSettings;
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly nowMs: number;
  readonly apiUrl: string;
  /** Without a slash at its end. */
  readonly pagesUrl: string;
  /** Whom the audit log names. */
  readonly by: AuditSource;
}

type WithoutDefaults = 'deps' | 'currentUser' | 'projects' | 'hasAllProjects' | 'apiUrl' | 'pagesUrl' | 'by';

/** Of a caller of the API or of MCP, who has no page settings. Times are in UTC. */
export function contextWithoutPage(
  input: Pick<RequestContext, WithoutDefaults> & Partial<RequestContext>,
): RequestContext {
  return {
    project: null,
    settings: defaultPageSettings,
    path: {},
    query: new URLSearchParams(),
    nowMs: input.deps.now(),
    ...input,
  };
}

/** The part of a request that page data depends on. */
export type PageScope = Pick<RequestContext, 'deps' | 'projects' | 'project' | 'nowMs'>;

export class PageError extends Error {
  override readonly name = 'PageRefusal';
  readonly status: number;
  readonly title: string;

  constructor(status: number, title: string, message: string) {
    super(message);
    this.status = status;
    this.title = title;
  }
}

/** 404; `subject` has an article, such as `An issue of this number`, and `next` says what to do. */
export function pageNotFound(subject: string, next = 'It may have been deleted or merged.'): PageError {
  return new PageError(404, 'Not found', `${subject} was not found. ${next}`);
}

/** 400; `message` is one sentence that says what to enter instead. */
export function invalidPageInput(message: string): PageError {
  return new PageError(400, 'Invalid input', message);
}

export function viewedProjects({
  project,
  projects,
}: Pick<PageScope, 'project' | 'projects'>): readonly Project[] {
  return project === null ? projects : [project];
}

/** `otherwise` for members with all projects, else the selected or only project. Throws 400 for none. */
export function ownerOfNew(
  { hasAllProjects, project, projects }: RequestContext,
  otherwise: number | null,
): number | null {
  if (hasAllProjects) return otherwise;
  const owner = otherwise ?? project?.id ?? (projects.length === 1 ? projects[0]?.id : undefined);
  if (owner === undefined) throw invalidPageInput('Choose a project first: you have access to some only.');
  return owner;
}

/** Throws 404 if the path parameter is not a positive integer. */
export function pathId({ path }: Pick<RequestContext, 'path'>, name: string, subject: string): number {
  const value = Number(path[name]);
  if (!Number.isSafeInteger(value) || value < 1) throw pageNotFound(subject);
  return value;
}
