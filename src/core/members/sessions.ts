import { audited, byVisitor } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { cutText } from '../reading/cut-text.ts';
import { dayMs, minuteMs } from '../reading/spans.ts';
import type { FoundSession, Holder, MemberSession, NewSession, Visitor } from '../store/members.ts';
import { adminTokenSetting } from '../store/members.ts';
import type { StoreParts } from '../store/store.ts';
import { browserOf } from './browser.ts';
import { csrfTokenOf, digestOf, isSame, isSecret, newSecret } from './secrets.ts';

type Parts = Pick<Deps, 'store' | 'now' | 'randomBytes'>;

/** Lifetime without use; each use extends it. */
export const sessionMs = 30 * dayMs;
/** At most one write per session in this time. */
const touchEveryMs = 5 * minuteMs;
const userAgentCharactersMax = 300;

/** Shown as the name of whoever signed in with the workspace token. */
export const tokenName = 'token';

export interface SignInPlace {
  readonly userAgent: string;
  /** In the form of `netOf`. */
  readonly net: string;
  readonly requestId: string;
}

export function newSession(deps: Pick<Deps, 'now' | 'randomBytes'>, place: SignInPlace) {
  const sessionId = newSecret(deps.randomBytes);
  const createdAtMs = deps.now();
  const session: NewSession = {
    hash: digestOf(sessionId),
    createdAtMs,
    expiresAtMs: createdAtMs + sessionMs,
    userAgent: cutText(place.userAgent, userAgentCharactersMax),
    net: place.net,
  };
  return { sessionId, session };
}

export async function findSession(
  deps: Pick<Deps, 'store' | 'now'>,
  sessionId: string,
): Promise<FoundSession | null> {
  return isSecret(sessionId) ? deps.store.findSession(digestOf(sessionId), deps.now()) : null;
}

/** Extends the session; returns whether it wrote. */
export async function keepSession(
  deps: Pick<Deps, 'store' | 'now'>,
  { session }: FoundSession,
): Promise<boolean> {
  const nowMs = deps.now();
  if (nowMs - session.seenAtMs < touchEveryMs) return false;
  await deps.store.touchSession(session.id, nowMs, nowMs + sessionMs);
  return true;
}

export function visitorOf(
  { member, session }: Pick<FoundSession, 'member'> & { readonly session?: MemberSession },
  sessionId: string,
): Visitor {
  return {
    sessionId: session?.id ?? null,
    memberId: member?.id ?? null,
    name: member?.name ?? tokenName,
    role: member?.role ?? 'admin',
    csrfToken: csrfTokenOf(sessionId),
  };
}

export interface SignedIn {
  readonly sessionId: string;
  readonly visitor: Visitor;
}

/** Null if the token is wrong. */
export async function signInWithToken(
  deps: Parts,
  token: string,
  place: SignInPlace,
): Promise<SignedIn | null> {
  const tokenHash = await hashOfToken(deps, token);
  return tokenHash === null ? null : begin(deps, { tokenHash }, place);
}

export async function isWorkspaceToken(deps: Pick<Parts, 'store'>, text: string): Promise<boolean> {
  return (await hashOfToken(deps, text)) !== null;
}

async function hashOfToken(deps: Pick<Parts, 'store'>, text: string): Promise<string | null> {
  const tokenHash = await deps.store.findSetting(adminTokenSetting);
  // Compares digests in constant time, so that timing reveals nothing about the token.
  return tokenHash === null || !isSame(digestOf(text), tokenHash) ? null : tokenHash;
}

async function begin(deps: Parts, holder: Holder, place: SignInPlace): Promise<SignedIn | null> {
  const { sessionId, session } = newSession(deps, place);
  return deps.store.together(async (store) => {
    const found = await store.addSession(holder, session);
    if (found === null) return null;
    const visitor = visitorOf(found, sessionId);
    await tellSignIn({ ...deps, store }, visitor, place, 'with the token');
    return { sessionId, visitor };
  });
}

export async function tellSignIn(
  deps: Pick<Deps, 'now'> & { readonly store: Pick<StoreParts, 'addAuditEntry'> },
  visitor: Visitor,
  place: SignInPlace,
  how: string,
): Promise<void> {
  await audited(deps, byVisitor(visitor, place.net, place.requestId), {
    action: 'session.signed_in',
    object: { kind: 'member', id: visitor.memberId, name: visitor.name },
    summary: `${how}, ${browserOf(place.userAgent)}`,
  });
}
