// Counting users without naming them: a keyed hash, made in memory before anything is dropped (D-21).
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import type { NormalizedEvent } from '../../../schemas/event.ts';
import { isRecord, own } from '../reading/lenient.ts';

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
  if (user === null) return null;
  return createHmac('sha256', keyObjectOf(key))
    .update(`${projectId}\0${user.kind}\0${user.value}`)
    .digest('hex')
    .slice(0, 32);
}

const keyObjects = new WeakMap<Uint8Array, KeyObject>();

/** Made once a key: making it takes six times as long as using it. */
function keyObjectOf(key: Uint8Array): KeyObject {
  const known = keyObjects.get(key);
  if (known !== undefined) return known;
  const made = createSecretKey(key);
  keyObjects.set(key, made);
  return made;
}

function identityOf(event: NormalizedEvent, clientAddress: string): { kind: string; value: string } | null {
  const user = isRecord(event.user) ? event.user : {};
  for (const kind of ['id', 'username', 'email']) {
    const value = own(user, kind);
    if (typeof value === 'string' && value !== '') {
      return { kind, value: kind === 'email' ? value.toLowerCase() : value };
    }
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
