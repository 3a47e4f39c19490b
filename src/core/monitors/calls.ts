// The calls of heartbeats: whoever knows the secret of the address says that all is well. It is kept as its
// sha256 alone.
import { hash } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { invalidId } from '../errors.ts';
import { afterCall, heardOutcome } from './heartbeat.ts';

const tokenBytes = 32;
const tokenForm = /^[\w-]{43}$/;

/** A new secret. */
export function newToken(randomBytes: (count: number) => Buffer): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** As it is kept: 256 random bits need neither salt nor a slow hash. */
export function tokenHash(token: string): string {
  return hash('sha256', token);
}

/** The path below the namespace by which a heartbeat is called. */
export function heartbeatPath(token: string): string {
  return `/heartbeats/${token}`;
}

/** Takes a call. 404 for a secret that is nobody's; of one without the right form nobody is asked. */
export async function callHeartbeat(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  token: string,
): Promise<void> {
  for (;;) {
    const monitor = tokenForm.test(token) ? await store.findMonitorByToken(tokenHash(token)) : null;
    if (monitor === null) throw invalidId('monitor');
    const heard = afterCall(monitor, now());
    if (heard === null) return;
    if ((await store.saveChecks([heardOutcome(monitor, heard)])) === 1) return;
    // Another call, a change or the end of its time came in between: look again.
  }
}
