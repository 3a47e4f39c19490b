// Counting users without naming them: a keyed hash, made in memory before anything is dropped (D-21).
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import type { NormalizedEvent } from '../../../schemas/event.ts';
import { foldText } from '../reading/fold-text.ts';
import { isRecord, own } from '../reading/lenient.ts';
import { type Remembered, remembered } from '../reading/remembered.ts';

/**
 * The hash that counts an event's user: of the id, else username, else e-mail, else address; null when none
 * is known. `key` is the installation's own secret bytes; the project is part of the hash, so users can not
 * be followed across projects. 32 hex. Take it from the event before scrubbing.
 */
export function userHashOf(
  event: NormalizedEvent,
  clientAddress: string,
  key: Uint8Array,
  projectId: number,
): string | null {
  const user = identityOf(event, clientAddress);
  return user === null ? null : hashOf(user, key, projectId);
}

/**
 * Hashes of what else an event says its user is called: the e-mail address where it is not what counts the
 * user already, and each name, upper and lower case aside. Take them from the event before scrubbing.
 */
export function userKeysOf(event: NormalizedEvent, key: Uint8Array, projectId: number): string[] {
  const user = isRecord(event.user) ? event.user : {};
  const [id, username] = [textOf(user, 'id'), textOf(user, 'username')];
  const [email, name] = [textOf(user, 'email'), textOf(user, 'name')];
  const identities: Identity[] = [];
  if (email !== null && (id !== null || username !== null)) identities.push(emailOf(email));
  for (const each of new Set([username, name])) if (each !== null) identities.push(nameOf(each));
  return identities.map((identity) => hashOf(identity, key, projectId));
}

/**
 * All hashes under which a user may be known who is asked for by `text`: an id, a name or an e-mail address.
 */
export function hashesOfUserText(text: string, key: Uint8Array, projectId: number): string[] {
  const identities = [
    { kind: 'id', value: text },
    { kind: 'username', value: text },
    emailOf(text),
    nameOf(text),
  ];
  return identities.map((identity) => hashOf(identity, key, projectId));
}

/**
 * What stands for the address that something came from where shared quotas are counted; null without a key or
 * an address. `countedAddress` is what rate limits count: of IPv6 a prefix.
 */
export function senderHashOf(
  countedAddress: string,
  key: Uint8Array | undefined,
  projectId: number,
): string | null {
  if (key === undefined || countedAddress === '') return null;
  return hashOf({ kind: 'sender', value: countedAddress }, key, projectId);
}

interface Identity {
  readonly kind: string;
  readonly value: string;
}

function emailOf(text: string): Identity {
  return { kind: 'email', value: text.toLowerCase() };
}

function nameOf(text: string): Identity {
  return { kind: 'name', value: foldText(text.slice(0, nameUnitsMax)) };
}

const nameUnitsMax = 200;

function hashOf({ kind, value }: Identity, key: Uint8Array, projectId: number): string {
  const { secret, known } = keyedOf(key);
  const text = `${projectId}\0${kind}\0${value}`;
  const hash = () => createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);
  return known.recall(text) ?? known.keep(text, hash());
}

interface Keyed {
  /** Made once a key: making it takes six times as long as using it. */
  readonly secret: KeyObject;
  /** Users come again: their hashes are kept for a while, in memory alone. */
  readonly known: Remembered<string>;
}

const keyedOfKeys = new WeakMap<Uint8Array, Keyed>();

function keyedOf(key: Uint8Array): Keyed {
  const made = keyedOfKeys.get(key);
  if (made !== undefined) return made;
  const known = remembered<string>({ textsMax: 8192, charactersMax: 256 });
  const keyed = { secret: createSecretKey(key), known };
  keyedOfKeys.set(key, keyed);
  return keyed;
}

function identityOf(event: NormalizedEvent, clientAddress: string): Identity | null {
  const user = isRecord(event.user) ? event.user : {};
  for (const kind of ['id', 'username', 'email']) {
    const value = textOf(user, kind);
    if (value !== null) return kind === 'email' ? emailOf(value) : { kind, value };
  }
  const address = addressOf(event, clientAddress);
  return address === null ? null : { kind: 'ip', value: address };
}

/**
 * The address as sent, the web server's word, or the connection's where the SDK asks for it or runs in the
 * visitor's browser.
 */
function addressOf(event: NormalizedEvent, clientAddress: string): string | null {
  const sent = event.user?.['ip_address'];
  if (typeof sent === 'string' && isIP(sent) !== 0) return sent;
  const environment = event.request?.['env'];
  const remote = isRecord(environment) ? own(environment, 'REMOTE_ADDR') : undefined;
  if (typeof remote === 'string' && isIP(remote) !== 0) return remote;
  const settings = event.sdk?.['settings'];
  const asked = sent === '{{auto}}' || (isRecord(settings) && own(settings, 'infer_ip') === 'auto');
  const inBrowser = event.platform === 'javascript';
  return (asked || inBrowser) && isIP(clientAddress) !== 0 ? clientAddress : null;
}

function textOf(user: Readonly<Record<string, unknown>>, kind: string): string | null {
  const value = own(user, kind);
  return typeof value === 'string' && value !== '' ? value : null;
}
