import { getOwn, isJsonObject } from '../parsing/unknown-values.ts';

export const identityNames = ['id', 'email', 'username', 'name', 'ip_address'] as const;

type IdentityName = (typeof identityNames)[number];

/** Null where no event says it. */
export type UserIdentity = Readonly<Record<IdentityName, string | null>>;

/** The newest event that says a name decides. */
export function identityOfEvents(events: ReadonlyArray<{ readonly payload: string | null }>): UserIdentity {
  const found: Record<IdentityName, string | null> = {
    id: null,
    email: null,
    username: null,
    name: null,
    ip_address: null,
  };
  for (const { payload } of events) {
    const user = payload === null ? undefined : (JSON.parse(payload) as { user?: unknown }).user;
    for (const name of identityNames) found[name] ??= textOf(user, name);
  }
  return found;
}

function textOf(user: unknown, name: IdentityName): string | null {
  const value = isJsonObject(user) ? getOwn(user, name) : undefined;
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The search that finds the same user in another project; null where only an address is known. */
export function queryOfIdentity({ id, username, email }: UserIdentity): string | null {
  if (id !== null) return `user.id:${id}`;
  if (username !== null) return `user.username:${username}`;
  return email === null ? null : `user.email:${email.toLowerCase()}`;
}
