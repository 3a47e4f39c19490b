import type { Deps } from '../deps.ts';
import { dayMs, minuteMs } from '../parsing/durations.ts';
import { adminTokenSetting, type FoundLink } from '../store/members.ts';
import type { StoreParts } from '../store/store.ts';
import {
  auditSignIn,
  createSecret,
  createSession,
  hashSecret,
  hasSecretFormat,
  type SignedIn,
  type SignInOrigin,
  userOfSession,
} from './sessions.ts';

type ServiceDeps = Pick<Deps, 'now' | 'randomBytes'> & {
  readonly store: Pick<StoreParts, 'addLink' | 'findSetting'>;
};

const linkLifetimeMs = 15 * minuteMs;
export const invitationMs = 7 * dayMs;

export interface CreatedLink {
  readonly token: string;
  readonly expiresAtMs: number;
}

export function signInUrl(pagesUrl: string, token: string): string {
  return `${pagesUrl}/sign-in?token=${token}`;
}

interface LinkOptions {
  readonly byMail?: boolean;
  readonly lifetimeMs?: number;
}

/** Invalidates earlier links of the member, except those asked for by e-mail. */
export function createMemberLink(deps: ServiceDeps, memberId: number, options?: LinkOptions) {
  return createLink(deps, { memberId }, options);
}

/** Null if there is no workspace token yet. */
export async function createTokenLink(deps: ServiceDeps): Promise<CreatedLink | null> {
  const tokenHash = await deps.store.findSetting(adminTokenSetting);
  return tokenHash === null ? null : createLink(deps, { tokenHash });
}

async function createLink(
  deps: ServiceDeps,
  owner: { memberId: number } | { tokenHash: string },
  { byMail = false, lifetimeMs = linkLifetimeMs }: LinkOptions = {},
): Promise<CreatedLink> {
  const token = createSecret(deps.randomBytes);
  const createdAtMs = deps.now();
  const expiresAtMs = createdAtMs + lifetimeMs;
  await deps.store.addLink(owner, { hash: hashSecret(token), createdAtMs, expiresAtMs, byMail });
  return { token, expiresAtMs };
}

export async function findLink(deps: Pick<Deps, 'store' | 'now'>, token: string): Promise<FoundLink> {
  if (!hasSecretFormat(token)) return { state: 'unknown', expiresAtMs: null, member: null, byMail: false };
  return deps.store.findLink(hashSecret(token), deps.now());
}

/** The first to use a link gets a session; others only get its state. */
export async function signInWithLink(
  deps: Pick<Deps, 'store' | 'now' | 'randomBytes'>,
  token: string,
  origin: SignInOrigin,
): Promise<{ readonly signedIn: SignedIn | null; readonly link: FoundLink }> {
  const { byMail } = await findLink(deps, token);
  const signedInBy = byMail ? 'by an e-mail link' : 'by a link';
  const { sessionId, session } = createSession(deps, origin, signedInBy);
  return deps.store.transaction(async (store) => {
    const link = await store.redeemLink(hashSecret(token), session);
    if (link.state !== 'open') return { signedIn: null, link };
    const currentUser = userOfSession(link, sessionId);
    await auditSignIn({ ...deps, store }, currentUser, origin, signedInBy);
    return { signedIn: { sessionId, currentUser }, link };
  });
}
