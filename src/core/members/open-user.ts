import type { Deps } from '../deps.ts';
import type { CurrentUser, Member } from '../store/members.ts';
import { findProjectScope, limitStore } from './project-scope.ts';

export type OpenedUser = Awaited<ReturnType<typeof openUser>>;

/** A member without a session, with what they may see now; null for whoever may do everything, named `name`. */
export async function openUser(deps: Deps, member: Member | null, name: string) {
  const currentUser: CurrentUser = {
    memberId: member?.id ?? null,
    name: member?.name ?? name,
    role: member?.role ?? 'admin',
    sessionId: null,
    csrfToken: '',
  };
  const scope = await findProjectScope(deps.store, currentUser);
  const store = limitStore(deps.store, scope);
  const limitedDeps: Deps = { ...deps, store };
  return {
    deps: limitedDeps,
    currentUser,
    projects: await store.listProjects(),
    hasAllProjects: scope === null,
  };
}
