import type { AuditSource } from '../core/audit/audit.ts';
import { getNamespaceUrl, getPagesUrl } from '../core/config/public-urls.ts';
import type { Deps } from '../core/deps.ts';
import { RestError } from '../core/errors.ts';
import { type OpenedUser, openUser } from '../core/members/open-user.ts';
import { roleIncludes } from '../core/members/permissions.ts';
import {
  contextWithoutPage,
  pageNotFound,
  type RequestContext,
} from '../core/page-models/request-context.ts';
import type { Member, TokenScope } from '../core/store/members.ts';
import type { Project } from '../core/store/projects.ts';

/** On whose behalf tools are called, with what they may see and change at this moment. */
export interface McpUser extends OpenedUser {
  readonly mayRead: boolean;
  readonly mayChangeIssues: boolean;
  readonly by: AuditSource;
}

/** `member` is null for the command line, which may do everything. */
export async function openMcpUser(
  deps: Deps,
  member: Member | null,
  scopes: readonly TokenScope[],
  by: AuditSource,
): Promise<McpUser> {
  const user = await openUser(deps, member, by.actor.name);
  const mayWrite = scopes.includes('issues') || scopes.includes('admin');
  return {
    ...user,
    mayRead: scopes.includes('read'),
    mayChangeIssues: mayWrite && roleIncludes(user.currentUser.role, 'member'),
    by,
  };
}

interface ContextInput {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Name or number. */
  readonly project?: string | undefined;
}

export function contextOf(user: McpUser, { path = {}, query = {}, project }: ContextInput): RequestContext {
  const { deps, currentUser, projects, hasAllProjects, by } = user;
  const entries = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return contextWithoutPage({
    ...{ deps, currentUser, projects, hasAllProjects, by, path },
    project: project === undefined ? null : getProject(user, project),
    query: new URLSearchParams(entries),
    apiUrl: getNamespaceUrl(deps.config),
    pagesUrl: getPagesUrl(deps.config),
  });
}

function getProject({ projects }: McpUser, word: string): Project {
  const found =
    projects.find(({ name }) => name === word.trim()) ??
    projects.find(({ id }) => String(id) === word.trim());
  if (found === undefined) throw pageNotFound(`A project “${word.slice(0, 80)}” that you have access to`);
  return found;
}

export function requireChange({ mayChangeIssues }: McpUser): void {
  if (mayChangeIssues) return;
  const message = 'Changing issues needs the scope “issues” and the role member.';
  throw new RestError('rest_forbidden', message, 403);
}
