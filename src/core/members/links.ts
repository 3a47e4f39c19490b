// One-time sign-in links, for a member or for the workspace token.
import type { Deps } from '../deps.ts';
import { minuteMs } from '../reading/spans.ts';
import { adminTokenSetting, type FoundLink } from '../store/members.ts';
import type { StoreParts } from '../store/store.ts';
import { digestOf, isSecret, newSecret } from './secrets.ts';
import { newSession, type SignedIn, type SignInPlace, tellSignIn, visitorOf } from './sessions.ts';

type Parts = Pick<Deps, 'now' | 'randomBytes'> & {
  readonly store: Pick<StoreParts, 'addLink' | 'findSetting'>;
};

const linkMs = 15 * minuteMs;

export interface MadeLink {
  readonly token: string;
  readonly expiresAtMs: number;
}

export function linkAddress(pagesUrl: string, token: string): string {
  return `${pagesUrl}/sign-in?token=${token}`;
}

/** Invalidates earlier links of the member. */
export async function makeMemberLink(deps: Parts, memberId: number): Promise<MadeLink> {
  return makeLink(deps, { memberId });
}

/** Null if there is no workspace token yet. */
export async function makeTokenLink(deps: Parts): Promise<MadeLink | null> {
  const tokenHash = await deps.store.findSetting(adminTokenSetting);
  return tokenHash === null ? null : makeLink(deps, { tokenHash });
}

async function makeLink(
  deps: Parts,
  holder: { memberId: number } | { tokenHash: string },
): Promise<MadeLink> {
  const token = newSecret(deps.randomBytes);
  const createdAtMs = deps.now();
  const expiresAtMs = createdAtMs + linkMs;
  await deps.store.addLink(holder, { hash: digestOf(token), createdAtMs, expiresAtMs });
  return { token, expiresAtMs };
}

export async function lookAtLink(deps: Pick<Deps, 'store' | 'now'>, token: string): Promise<FoundLink> {
  if (!isSecret(token)) return { state: 'unknown', expiresAtMs: null, member: null };
  return deps.store.findLink(digestOf(token), deps.now());
}

/** The first to use a link gets a session; others only get its state. */
export async function signInWithLink(
  deps: Pick<Deps, 'store' | 'now' | 'randomBytes'>,
  token: string,
  place: SignInPlace,
): Promise<{ readonly signedIn: SignedIn | null; readonly link: FoundLink }> {
  const { sessionId, session } = newSession(deps, place);
  return deps.store.together(async (store) => {
    const link = await store.spendLink(digestOf(token), session);
    if (link.state !== 'open') return { signedIn: null, link };
    const visitor = visitorOf(link, sessionId);
    await tellSignIn({ ...deps, store }, visitor, place, 'by a link');
    return { signedIn: { sessionId, visitor }, link };
  });
}
