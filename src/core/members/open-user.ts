import type { Deps } from '../deps.ts';
import type { CurrentUser, Member } from '../store/members.ts';
import type { Project } from '../store/projects.ts';
import { findProjectScope, limitStore } from './project-scope.ts';

/** A member who acts without a session, with what they may see at this moment. */
export interface OpenedUser {
  readonly deps: Deps;
  readonly currentUser: CurrentUser;
  readonly projects: readonly Project[];
  readonly hasAllProjects: boolean;
}

/** `member` is null for whoever may do everything, named `name`. */
export async function openUser(deps: Deps, member: Member | null, name: string): Promise<OpenedUser> {
  const currentUser: CurrentUser = {
    memberId: member?.id ?? null,
    name: member?.name ?? name,
    role: member?.role ?? 'admin',
    sessionId: null,
    csrfToken: '',
  };
  const scope = await findProjectScope(deps.store, currentUser);
  const store = limitStore(deps.store, scope);
  return {
    deps: { ...deps, store },
    currentUser,
    projects: await store.listProjects(),
    hasAllProjects: scope === null,
  };
}
