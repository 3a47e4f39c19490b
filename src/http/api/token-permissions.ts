// Routes need a scope of the token and a role of its member. Changing routes not named here are for admins.
import { createForbiddenError, type RestError } from '../../core/errors.ts';
import { permissions, roleIncludes } from '../../core/members/permissions.ts';
import type { Member, PersonalToken, Role, TokenScope } from '../../core/store/members.ts';
import type { Route } from './route.ts';

export type TokenRoute = Pick<Route, 'method' | 'path' | 'scope' | 'alsoScope'> &
  Partial<Pick<Route, 'credential'>>;

/** Viewers or members do these on the pages too. */
const ofMembers: ReadonlyArray<readonly [route: RegExp, permission: keyof typeof permissions]> = [
  [/^POST \/issues(\/|$)|^DELETE \/issues\/\{id\}\//, 'issues'],
  [/^(POST|DELETE) \/(saved-views|members\/me)(\/|$)/, 'self'],
  [/^POST \/feedback(\/|$)/, 'feedback'],
  [/^POST \/monitors(\/|$)/, 'monitors'],
  [/^POST \/incidents(\/|$)/, 'incidents'],
  [/^(POST|DELETE) \/maintenance-windows(\/|$)/, 'incidents'],
  [/^POST \/reports$/, 'reports'],
  [/^(POST|DELETE) \/quarantine(\/|$)/, 'tests'],
  [/^DELETE \/artifacts(\/|$)/, 'files'],
];

/** Reading that the pages leave to admins: data of persons, and secrets. */
const readByAdmins: ReadonlyArray<readonly [route: RegExp, permission: keyof typeof permissions]> = [
  [/^GET \/users\/\{user_hash\}\/export$/, 'personalData'],
  [/^GET \/ownership$/, 'projects'],
  [/^GET \/domain-verifications(\/|$)/, 'projects'],
];

export function tokenNeeds({ method, path, scope, alsoScope }: TokenRoute): {
  readonly scopes: readonly TokenScope[];
  readonly role: Role;
} {
  const route = `${method} ${path}`;
  if (scope === 'ci') return { scopes: ['ci'], role: permissions.files.needs };
  if (scope === 'read') {
    const right = readByAdmins.find(([pattern]) => pattern.test(route))?.[1] ?? 'look';
    return { scopes: alsoScope ? ['read', alsoScope] : ['read'], role: permissions[right].needs };
  }
  const right = ofMembers.find(([pattern]) => pattern.test(route))?.[1] ?? 'projects';
  const isOfIssues = right === 'issues' || right === 'self';
  return { scopes: isOfIssues ? ['issues', 'admin'] : ['admin'], role: permissions[right].needs };
}

/** 403 for a missing scope of the token or role of its member, else null. */
export function findTokenRefusal(
  { key, member }: { readonly key: PersonalToken; readonly member: Member },
  route: TokenRoute,
): RestError | null {
  const { scopes, role } = tokenNeeds(route);
  if (route.scope === 'ingest' || !scopes.some((scope) => key.scopes.includes(scope))) {
    return createForbiddenError('scope', { scope: scopes[0] });
  }
  return roleIncludes(member.role, role) ? null : createForbiddenError('role', { role });
}
