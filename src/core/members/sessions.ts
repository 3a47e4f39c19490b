import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { userSource, writeAuditEntry } from '../audit/audit.ts';
import { memberAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { randomBase62 } from '../ids.ts';
import { cutText } from '../parsing/cut-text.ts';
import { dayMs, minuteMs } from '../parsing/durations.ts';
import {
  adminTokenSetting,
  type CurrentUser,
  type FoundSession,
  type MemberSession,
  type NewSession,
  type SessionOwner,
} from '../store/members.ts';
import type { StoreParts } from '../store/store.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'randomBytes'>;

/** Lifetime without use; each use extends it. */
export const sessionLifetimeMs = 30 * dayMs;
/** Of a session by an account at a provider, used or not: the account may have ended there meanwhile. */
export const providerSessionMs = 7 * dayMs;
/** At most one write per session in this time. */
const touchEveryMs = 5 * minuteMs;
const userAgentCharactersMax = 300;

/** Shown as the name of whoever signed in with the workspace token. */
export const tokenUserName = 'token';

export interface SignInOrigin {
  readonly userAgent: string;
  /** In the form of `networkOf`. */
  readonly network: string;
  readonly requestId: string;
}

/** `signedInBy` completes "signed in …"; `lifeMsMax` is the longest life, however much the session is used. */
export function createSession(
  deps: Pick<Deps, 'now' | 'randomBytes'>,
  origin: SignInOrigin,
  signedInBy: string,
  lifeMsMax: number | null = null,
) {
  const sessionId = createSecret(deps.randomBytes);
  const createdAtMs = deps.now();
  const session: NewSession = {
    hash: hashSecret(sessionId),
    createdAtMs,
    expiresAtMs: createdAtMs + Math.min(sessionLifetimeMs, lifeMsMax ?? sessionLifetimeMs),
    endsByMs: lifeMsMax === null ? null : createdAtMs + lifeMsMax,
    userAgent: cutText(origin.userAgent, userAgentCharactersMax),
    network: origin.network,
    signedInBy,
  };
  return { sessionId, session };
}

export async function findSession(
  deps: Pick<Deps, 'store' | 'now'>,
  sessionId: string,
): Promise<FoundSession | null> {
  return hasSecretFormat(sessionId) ? deps.store.findSession(hashSecret(sessionId), deps.now()) : null;
}

/** Extends the session; returns whether it wrote. */
export async function touchSession(
  deps: Pick<Deps, 'store' | 'now'>,
  { session }: FoundSession,
): Promise<boolean> {
  const nowMs = deps.now();
  if (nowMs - session.seenAtMs < touchEveryMs) return false;
  const expiresAtMs = Math.min(nowMs + sessionLifetimeMs, session.endsByMs ?? Number.MAX_SAFE_INTEGER);
  await deps.store.touchSession(session.id, nowMs, expiresAtMs);
  return true;
}

export function userOfSession(
  { member, session }: Pick<FoundSession, 'member'> & { readonly session?: MemberSession },
  sessionId: string,
): CurrentUser {
  return {
    sessionId: session?.id ?? null,
    memberId: member?.id ?? null,
    name: member?.name ?? tokenUserName,
    role: member?.role ?? 'admin',
    csrfToken: csrfTokenFor(sessionId),
  };
}

export interface SignedIn {
  readonly sessionId: string;
  readonly currentUser: CurrentUser;
}

export async function signInWithToken(
  deps: ServiceDeps,
  token: string,
  origin: SignInOrigin,
): Promise<SignedIn | null> {
  const tokenHash = await findMatchingTokenHash(deps, token);
  return tokenHash === null ? null : startSession(deps, { tokenHash }, origin, 'with the token');
}

export async function isWorkspaceToken(deps: Pick<ServiceDeps, 'store'>, text: string): Promise<boolean> {
  return (await findMatchingTokenHash(deps, text)) !== null;
}

async function findMatchingTokenHash(deps: Pick<ServiceDeps, 'store'>, text: string): Promise<string | null> {
  const tokenHash = await deps.store.findSetting(adminTokenSetting);
  // Compares digests in constant time, so that timing reveals nothing about the token.
  return tokenHash === null || !isEqualConstantTime(hashSecret(text), tokenHash) ? null : tokenHash;
}

/** Joins the transaction of `deps.store`, if it is in one. Null if the member was removed. */
export async function startSession(
  deps: ServiceDeps,
  owner: SessionOwner,
  origin: SignInOrigin,
  signedInBy: string,
  lifeMsMax: number | null = null,
): Promise<SignedIn | null> {
  const { sessionId, session } = createSession(deps, origin, signedInBy, lifeMsMax);
  return deps.store.transaction(async (store) => {
    const found = await store.addSession(owner, session);
    if (found === null) return null;
    const currentUser = userOfSession(found, sessionId);
    await auditSignIn({ ...deps, store }, currentUser, origin, signedInBy);
    return { sessionId, currentUser };
  });
}

export async function auditSignIn(
  deps: Pick<Deps, 'now'> & { readonly store: Pick<StoreParts, 'addAuditEntry'> },
  currentUser: CurrentUser,
  origin: SignInOrigin,
  method: string,
): Promise<void> {
  const by = userSource(currentUser, origin.network, origin.requestId);
  const summary = `${method}, ${describeBrowser(origin.userAgent)}`;
  await writeAuditEntry(deps, by, memberAuditEvent(by.actor, 'session.signed_in', summary));
}

// For display only.

const browsers: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bChromium\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const systems: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

export function describeBrowser(userAgent: string): string {
  const named = (list: typeof browsers): string | undefined =>
    list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = named(browsers) ?? 'An unknown browser';
  const system = named(systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** 43 characters of 62 are more than 256 random bits, so neither salt nor a slow hash is needed. */
const secretCharacters = 43;

export function createSecret(randomBytes: (count: number) => Buffer): string {
  return randomBase62(secretCharacters, randomBytes);
}

/** Saves a database query for texts of another form. */
export function hasSecretFormat(text: string): boolean {
  return text.length === secretCharacters && /^[0-9A-Za-z]+$/.test(text);
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Derived from the session id, which the database lacks: reading the database is not enough to forge one. */
export function csrfTokenFor(sessionId: string): string {
  return createHmac('sha256', sessionId).update('notifier: a form of this session').digest('base64url');
}

export function isEqualConstantTime(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}
