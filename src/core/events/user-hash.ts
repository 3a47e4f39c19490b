// Counts users by a keyed hash instead of their identity.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import type { NormalizedEvent } from '../../../schemas/event.ts';
import { foldCase } from '../parsing/fold-text.ts';
import { createMemoCache, type MemoCache } from '../parsing/memo-cache.ts';
import { getOwn, isJsonObject } from '../parsing/unknown-values.ts';

/** Of the id, else username, e-mail or address. 32 hex digits. Includes the project, so that users cannot be followed
 * across projects. Call it before scrubbing. */
export function hashUser(
  event: NormalizedEvent,
  clientAddress: string,
  key: Uint8Array,
  projectId: number,
): string | null {
  const user = identityOf(event, clientAddress);
  return user === null ? null : hashOf(user, key, projectId);
}

/** Hashes of the user's other identities: e-mail and names, case-insensitive. Call it before scrubbing. */
export function hashOtherUserNames(event: NormalizedEvent, key: Uint8Array, projectId: number): string[] {
  const user = isJsonObject(event.user) ? event.user : {};
  const [id, username] = [textOf(user, 'id'), textOf(user, 'username')];
  const [email, name] = [textOf(user, 'email'), textOf(user, 'name')];
  const identities: Identity[] = [];
  if (email !== null && (id !== null || username !== null)) identities.push(emailOf(email));
  for (const each of new Set([username, name])) if (each !== null) identities.push(nameOf(each));
  return identities.map((identity) => hashOf(identity, key, projectId));
}

/** All hashes that a user of this id, e-mail, name or address may have. */
export function hashUserSearch(
  text: string,
  key: Uint8Array,
  projectId: number,
  by: keyof typeof searchedAs = 'any',
): string[] {
  return searchedAs[by](text).map((identity) => hashOf(identity, key, projectId));
}

/** `user.id:`, `user.email:`, `user.username:` or `user.ip:` before the text says what it is; else it is any of them. */
export function hashUserQuery(query: string, key: Uint8Array, projectId: number): string[] {
  const [, kind = '', rest = query] = /^(?:user\.)?(id|email|username|ip):(.+)$/is.exec(query.trim()) ?? [];
  const text = (/^"(.+)"$/s.exec(rest.trim())?.[1] ?? rest).trim();
  if (text === '') return [];
  return hashUserSearch(text, key, projectId, (kind.toLowerCase() || 'any') as keyof typeof searchedAs);
}

/** Identifies a sender for shared quotas, by the address that rate limits count; null without a key. */
export function hashSenderAddress(
  countedAddress: string,
  key: Uint8Array | undefined,
  projectId: number,
): string | null {
  if (key === undefined || countedAddress === '') return null;
  return hashOf({ kind: 'sender', value: countedAddress }, key, projectId);
}

type Identity = ReturnType<typeof emailOf>;

const searchedAs = {
  id: (value: string) => [{ kind: 'id', value }],
  email: (value: string) => [emailOf(value)],
  username: (value: string) => [{ kind: 'username', value }, nameOf(value)],
  ip: ipOf,
  any: (value: string) => [
    { kind: 'id', value },
    { kind: 'username', value },
    emailOf(value),
    nameOf(value),
    ...ipOf(value),
  ],
} as const;

function ipOf(value: string) {
  return isIP(value) === 0 ? [] : [{ kind: 'ip', value }];
}

function emailOf(text: string) {
  return { kind: 'email', value: text.toLowerCase() };
}

function nameOf(text: string): Identity {
  return { kind: 'name', value: foldCase(text.slice(0, nameUnitsMax)) };
}

const nameUnitsMax = 200;

function hashOf({ kind, value }: Identity, key: Uint8Array, projectId: number): string {
  const { secret, known } = keyedOf(key);
  const text = `${projectId}\0${kind}\0${value}`;
  const hash = () => createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);
  return known.find(text) ?? known.set(text, hash());
}

interface Keyed {
  /** Cached: creating it takes six times as long as using it. */
  readonly secret: KeyObject;
  readonly known: MemoCache<string>;
}

const keyedOfKeys = new WeakMap<Uint8Array, Keyed>();

function keyedOf(key: Uint8Array): Keyed {
  const cached = keyedOfKeys.get(key);
  if (cached !== undefined) return cached;
  const known = createMemoCache<string>({ textsMax: 8192, charactersMax: 256 });
  const keyed = { secret: createSecretKey(key), known };
  keyedOfKeys.set(key, keyed);
  return keyed;
}

function identityOf(event: NormalizedEvent, clientAddress: string): Identity | null {
  const user = isJsonObject(event.user) ? event.user : {};
  for (const kind of ['id', 'username', 'email']) {
    const value = textOf(user, kind);
    if (value !== null) return kind === 'email' ? emailOf(value) : { kind, value };
  }
  const address = addressOf(event, clientAddress);
  return address === null ? null : { kind: 'ip', value: address };
}

/** The sent address, else REMOTE_ADDR, else the connection's if the SDK asks for it or runs in a browser. */
function addressOf(event: NormalizedEvent, clientAddress: string): string | null {
  const sent = event.user?.['ip_address'];
  if (typeof sent === 'string' && isIP(sent) !== 0) return sent;
  const environment = event.request?.['env'];
  const remote = isJsonObject(environment) ? getOwn(environment, 'REMOTE_ADDR') : undefined;
  if (typeof remote === 'string' && isIP(remote) !== 0) return remote;
  const settings = event.sdk?.['settings'];
  const isAuto = sent === '{{auto}}' || (isJsonObject(settings) && getOwn(settings, 'infer_ip') === 'auto');
  const inBrowser = event.platform === 'javascript';
  return (isAuto || inBrowser) && isIP(clientAddress) !== 0 ? clientAddress : null;
}

function textOf(user: Readonly<Record<string, unknown>>, kind: string): string | null {
  const value = getOwn(user, kind);
  return typeof value === 'string' && value !== '' ? value : null;
}
