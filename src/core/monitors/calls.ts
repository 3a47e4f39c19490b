// Calls of heartbeat (push) monitors. Only the SHA-256 of the token in the URL is stored.
import { hash } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { badRequest, invalidId } from '../errors.ts';
import { scrubProjectText } from '../scrub/record.ts';
import type { KeptMonitor } from '../store/monitors/monitoring.ts';
import type { ScrubbedProject } from '../store/projects.ts';
import { afterCall, heardOutcome, readSignal } from './heartbeat.ts';

const tokenBytes = 32;
const tokenForm = /^[\w-]{43}$/;

export function newToken(randomBytes: (count: number) => Buffer): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** 256 random bits need neither salt nor a slow hash. */
export function tokenHash(token: string): string {
  return hash('sha256', token);
}

export function heartbeatPath(token: string): string {
  return `/heartbeats/${token}`;
}

/** Longer bodies are cut. */
export const callBytesMax = 10 * 1024;

const noProject: ScrubbedProject = { scrubFields: [], storeIpAddresses: false };

/** `said` follows the token in the path. Throws 404 for an unknown token, 400 for an invalid signal. */
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
    // Saved by another process meanwhile: read it again.
  }
}

function noSignal(): Error {
  const words =
    'A heartbeat URL must end with its secret, /start, /fail, /log or an exit code from 0 to 255.';
  return badRequest('notifier_invalid_heartbeat', words);
}

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
