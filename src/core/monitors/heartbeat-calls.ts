// Calls of heartbeat (push) monitors. Only the SHA-256 of the token in the URL is stored.
import { hash } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { createBadRequestError, createNotFoundError } from '../errors.ts';
import { scrubProjectText } from '../scrub/record.ts';
import type { MonitorRecord } from '../store/monitors/monitor-records.ts';
import type { ProjectScrubSettings } from '../store/projects.ts';
import { applyHeartbeatCall, heartbeatOutcome, parseHeartbeatSignal } from './heartbeat.ts';

const tokenBytes = 32;
const tokenForm = /^[\w-]{43}$/;

export function createHeartbeatToken(randomBytes: (count: number) => Buffer): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** 256 random bits need neither salt nor a slow hash. */
export function hashHeartbeatToken(token: string): string {
  return hash('sha256', token);
}

export function heartbeatPath(token: string): string {
  return `/heartbeats/${token}`;
}

/** Longer bodies are cut. */
export const callBodyBytesMax = 10 * 1024;

const noProject: ProjectScrubSettings = { scrubFields: [], storeIpAddresses: false };

/** `signalText` follows the token in the path. Throws 404 for an unknown token, 400 for an invalid signal. */
export async function receiveHeartbeatCall(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  token: string,
  { signalText, body }: { readonly signalText: string; readonly body: Buffer },
): Promise<void> {
  const signal = parseHeartbeatSignal(signalText);
  for (;;) {
    const monitor = tokenForm.test(token) ? await store.findMonitorByToken(hashHeartbeatToken(token)) : null;
    if (monitor === null) throw createNotFoundError('monitor');
    if (signal === null) throw invalidSignal();
    const heard = applyHeartbeatCall(monitor, now(), signal, await readCallBody(store, monitor, body));
    if (heard === null) return;
    if ((await store.saveChecks([heartbeatOutcome(monitor, heard)])) === 1) return;
    // Saved by another process meanwhile: read it again.
  }
}

function invalidSignal(): Error {
  const words =
    'A heartbeat URL must end with its secret, /start, /fail, /log or an exit code from 0 to 255.';
  return createBadRequestError('notifier_invalid_heartbeat', words);
}

async function readCallBody(
  store: Pick<Deps['store'], 'findProject'>,
  { projectId }: MonitorRecord,
  body: Buffer,
): Promise<string> {
  if (body.length === 0) return '';
  const project = projectId === null ? null : await store.findProject(projectId);
  const text = body.toString('utf8', 0, callBodyBytesMax).replaceAll('\0', '\ufffd');
  return scrubProjectText(text, project ?? noProject);
}
