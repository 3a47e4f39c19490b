// Passkeys (WebAuthn): discoverable credentials with user verification, so that they need nothing else.
import { createHmac } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { type AuditSource, audited, runAudited } from '../audit/audit.ts';
import { memberAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError, RestError } from '../errors.ts';
import {
  createSecret,
  hashSecret,
  type SignedIn,
  type SignInOrigin,
  startSession,
} from '../members/sessions.ts';
import { isLongerThan } from '../parsing/cut-text.ts';
import { minuteMs } from '../parsing/durations.ts';
import { type Member, type Passkey, passkeysMax } from '../store/members.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'randomBytes' | 'userHashKey'>;

const challengeMs = 5 * minuteMs;
const nameCharactersMax = 60;
const responseCharactersMax = 64 * 1024;

/** Where the browser is: passkeys are bound to its host name. */
export type PasskeySite = NonNullable<ReturnType<typeof passkeySiteOf>>;

/** Null where browsers have no passkeys: at an IP address, or over http but for localhost. */
export function passkeySiteOf(origin: string) {
  const url = URL.parse(origin);
  const isLocal = url?.hostname === 'localhost' || url?.hostname.endsWith('.localhost') === true;
  if (url === null || (url.protocol !== 'https:' && !isLocal)) return null;
  if (url.hostname.startsWith('[') || /^[\d.]+$/.test(url.hostname)) return null;
  return { origin: url.origin, host: url.hostname };
}

/** Options for `navigator.credentials.create`, for one attempt within five minutes. */
export async function beginPasskey(
  deps: ServiceDeps,
  member: Member,
  { host }: PasskeySite,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const existing = await deps.store.listPasskeys(member.id);
  requireBelowLimit(existing);
  const challenge = await newChallenge(deps, creating(member.id));
  return generateRegistrationOptions({
    rpName: 'Notifier',
    rpID: host,
    challenge,
    userName: member.email ?? member.name,
    userDisplayName: member.name,
    userID: new Uint8Array(userHandleOf(deps, member.id)),
    timeout: challengeMs,
    excludeCredentials: existing.map(({ credentialId: id, transports }) => ({
      id,
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** @throws {RestError} 400 for a response that is not one to the member's last challenge, or a bad name. */
export async function addPasskey(
  deps: ServiceDeps,
  member: Member,
  { response, name, site }: { readonly response: string; readonly name: string; readonly site: PasskeySite },
  by: AuditSource,
): Promise<Passkey> {
  const named = requireName(name);
  const credential = await verifyNew(deps, member, parseResponse(response), site);
  return runAudited(deps, by, async ({ store, now }) => {
    requireBelowLimit(await store.listPasskeys(member.id));
    const added = await store.addPasskey({
      memberId: member.id,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: credential.transports ?? [],
      name: named,
      createdAtMs: now(),
    });
    if (added === null) throw badPasskey('This passkey is already registered.');
    return { result: added, auditEvent: memberAuditEvent(member, 'passkey.added', `“${added.name}”`) };
  });
}

async function verifyNew(
  deps: ServiceDeps,
  member: Member,
  response: RegistrationResponseJSON,
  site: PasskeySite,
) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => takeChallenge(deps, creating(member.id), challenge),
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: true,
  }).catch(() => null);
  if (verified?.verified !== true) {
    throw badPasskey('The passkey could not be verified, or this took longer than five minutes. Try again.');
  }
  return verified.registrationInfo.credential;
}

/** Options for `navigator.credentials.get`; `browser` is a secret of the browser's cookie. */
export async function beginPasskeySignIn(
  deps: ServiceDeps,
  { host }: PasskeySite,
  browser: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const challenge = await newChallenge(deps, signingIn(browser));
  return generateAuthenticationOptions({
    rpID: host,
    challenge,
    timeout: challengeMs,
    userVerification: 'required',
  });
}

/** Null for a passkey that is not known here, or an answer that does not fit; which of both is not said. */
export async function signInWithPasskey(
  deps: ServiceDeps,
  {
    response,
    browser,
    site,
  }: { readonly response: string; readonly browser: string; readonly site: PasskeySite },
  origin: SignInOrigin,
): Promise<SignedIn | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const answer = parseAnswer(response);
  const passkey = answer === null ? null : await deps.store.findPasskey(answer.id);
  if (answer === null || passkey === null) return null;
  const verified = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: (challenge) => takeChallenge(deps, signingIn(browser), challenge),
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
      transports: [...passkey.transports],
    },
    requireUserVerification: true,
  }).catch(() => null);
  if (verified?.verified !== true) return null;
  const { newCounter } = verified.authenticationInfo;
  return deps.store.transaction(async (store) => {
    // Decided here: of two answers with the same count at once, one is a copy's.
    if (!(await store.usePasskey(passkey.id, newCounter, deps.now()))) return null;
    return startSession({ ...deps, store }, { memberId: passkey.memberId }, origin, 'with a passkey');
  });
}

export const renamePasskey = audited(async ({ store }, member: Member, id: number, name: string) => {
  const result = await store.renamePasskey(member.id, id, requireName(name));
  if (result === null) throw passkeyNotFound();
  return { result, auditEvent: memberAuditEvent(member, 'passkey.renamed', `“${result.name}”`) };
});

export const removePasskey = audited(async ({ store }, member: Member, id: number) => {
  const result = await store.removePasskey(member.id, id);
  if (result === null) throw passkeyNotFound();
  return { result, auditEvent: memberAuditEvent(member, 'passkey.removed', `“${result.name}”`) };
});

const creating = (memberId: number): string => `create ${memberId}`;
const signingIn = (browser: string): string => `get ${browser}`;

async function newChallenge(deps: ServiceDeps, purpose: string): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = createSecret(deps.randomBytes);
  const bytes = new TextEncoder().encode(challenge);
  const nowMs = deps.now();
  const hash = challengeHash(purpose, Buffer.from(bytes).toString('base64url'));
  await deps.store.addChallenge({ hash, body: '', expiresAtMs: nowMs + challengeMs }, nowMs);
  return bytes;
}

async function takeChallenge(deps: ServiceDeps, purpose: string, challenge: string): Promise<boolean> {
  return (await deps.store.takeChallenge(challengeHash(purpose, challenge), deps.now())) !== null;
}

function challengeHash(purpose: string, challenge: string): string {
  return hashSecret(`${purpose} ${challenge}`);
}

/** The same for all passkeys of a member, and says nothing about them. */
function userHandleOf({ userHashKey }: ServiceDeps, memberId: number): Buffer {
  return createHmac('sha256', userHashKey ?? '')
    .update(`passkeys of member ${memberId}`)
    .digest();
}

const sent = z.looseObject({
  id: z.string().max(2000),
  rawId: z.string().max(2000),
  type: z.literal('public-key'),
  response: z.looseObject({}),
  clientExtensionResults: z.looseObject({}),
});

/** The library checks the rest. */
function parseAnswer(text: string): AuthenticationResponseJSON | null {
  if (text.length > responseCharactersMax) return null;
  try {
    return sent.parse(JSON.parse(text)) as unknown as AuthenticationResponseJSON;
  } catch {
    return null;
  }
}

function parseResponse(text: string): RegistrationResponseJSON {
  const found = parseAnswer(text) as unknown as RegistrationResponseJSON | null;
  if (found === null) throw badPasskey('The browser did not send a passkey. Try again.');
  return found;
}

function requireName(name: string): string {
  const plain = name.trim().replaceAll(/\s+/g, ' ');
  if (plain !== '' && !isLongerThan(plain, nameCharactersMax) && !/\p{C}/u.test(plain)) return plain;
  throw badPasskey(`The name must have 1 to ${nameCharactersMax} characters.`);
}

function requireBelowLimit(existing: readonly Passkey[]): void {
  if (existing.length < passkeysMax) return;
  throw badPasskey(`A member can have ${passkeysMax} passkeys. Delete one first.`);
}

function badPasskey(reason: string): RestError {
  return createBadRequestError('notifier_passkey', reason);
}

function passkeyNotFound(): RestError {
  return new RestError('notifier_passkey_invalid_id', 'There is no such passkey.', 404);
}
