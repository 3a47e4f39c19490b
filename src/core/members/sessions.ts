// Sessions: how long they hold, who is behind one, and how one begins. What a cookie is stands in
// src/http/pages/.

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

/** A session that nobody uses holds so long; each use begins it anew (D-127). */
export const sessionMs = 30 * dayMs;
/** A session is written to at most once in so long: reading pages must not be a stream of writes. */
const touchEveryMs = 5 * minuteMs;
const userAgentCharactersMax = 300;

/** What a member is called who signed in with the workspace's token. */
export const tokenName = 'token';

/** Where somebody signs in from. */
export interface SignInPlace {
  readonly userAgent: string;
  /** As `netOf` gives it. */
  readonly net: string;
  readonly requestId: string;
}

/** A session id as it is told once, and the session that is kept of it. */
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

/** The session that an id opens now, or null. */
export async function findSession(
  deps: Pick<Deps, 'store' | 'now'>,
  sessionId: string,
): Promise<FoundSession | null> {
  return isSecret(sessionId) ? deps.store.findSession(digestOf(sessionId), deps.now()) : null;
}

/** Notes that a session was used, at most once in some minutes; whether it did. */
export async function keepSession(
  deps: Pick<Deps, 'store' | 'now'>,
  { session }: FoundSession,
): Promise<boolean> {
  const nowMs = deps.now();
  if (nowMs - session.seenAtMs < touchEveryMs) return false;
  await deps.store.touchSession(session.id, nowMs, nowMs + sessionMs);
  return true;
}

/** Who is behind a session. */
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

/** A session that began just now. */
export interface SignedIn {
  readonly sessionId: string;
  readonly visitor: Visitor;
}

/** Begins a session for the workspace's token; null where the text is not that token. */
export async function signInWithToken(
  deps: Parts,
  token: string,
  place: SignInPlace,
): Promise<SignedIn | null> {
  const tokenHash = await hashOfToken(deps, token);
  return tokenHash === null ? null : begin(deps, { tokenHash }, place);
}

/** Whether a text is the workspace's token. */
export async function isWorkspaceToken(deps: Pick<Parts, 'store'>, text: string): Promise<boolean> {
  return (await hashOfToken(deps, text)) !== null;
}

/** The digest of the workspace's token, where the text is that token. */
async function hashOfToken(deps: Pick<Parts, 'store'>, text: string): Promise<string | null> {
  const tokenHash = await deps.store.findSetting(adminTokenSetting);
  // Digests are compared, and in constant time: neither the answer nor its time says how near a guess came.
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

/** Writes down that somebody signed in, and how. */
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
