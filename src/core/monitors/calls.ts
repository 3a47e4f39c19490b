// The calls of heartbeats: whoever knows the secret of the address says that all is well. It is kept as its
// sha256 alone.
import { hash } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { badRequest, invalidId } from '../errors.ts';
import { scrubProjectText } from '../scrub/record.ts';
import type { KeptMonitor } from '../store/monitors/monitoring.ts';
import type { ScrubbedProject } from '../store/projects.ts';
import { afterCall, heardOutcome, readSignal } from './heartbeat.ts';

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

/** So much of what a call brings is kept. */
export const callBytesMax = 10 * 1024;

/** What is scrubbed of a monitor that belongs to no project. */
const noProject: ScrubbedProject = { scrubFields: [], storeIpAddresses: false };

/**
 * Takes a call. `said` is what stood behind the address, `body` what it brought, of which the beginning is
 * kept. 404 for a secret that is nobody's; of one without the right form nobody is asked. 400 for what is no
 * signal: a job that believes it said something must hear that it did not.
 */
export async function callHeartbeat(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  token: string,
  { said, body }: { readonly said: string; readonly body: Buffer },
): Promise<void> {
  const signal = readSignal(said);
  for (;;) {
    const monitor = tokenForm.test(token) ? await store.findMonitorByToken(tokenHash(token)) : null;
    if (monitor === null) throw invalidId('monitor');
    if (signal === null) throw noSignal();
    const heard = afterCall(monitor, now(), signal, await textOf(store, monitor, body));
    if (heard === null) return;
    if ((await store.saveChecks([heardOutcome(monitor, heard)])) === 1) return;
    // Another call, a change or the end of its time came in between: look again.
  }
}

function noSignal(): Error {
  const words =
    'A heartbeat URL must end with its secret, /start, /fail, /log or an exit code from 0 to 255.';
  return badRequest('notifier_invalid_heartbeat', words);
}

/** What a call brought, as text without secrets. */
async function textOf(
  store: Pick<Deps['store'], 'findProject'>,
  { projectId }: KeptMonitor,
  body: Buffer,
): Promise<string> {
  if (body.length === 0) return '';
  const project = projectId === null ? null : await store.findProject(projectId);
  const text = body.toString('utf8', 0, callBytesMax).replaceAll('\0', '\ufffd');
  return scrubProjectText(text, project ?? noProject);
}
