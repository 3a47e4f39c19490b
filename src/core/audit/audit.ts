import { isIP } from 'node:net';
import type { Deps } from '../deps.ts';
import type { AuditActor, AuditEntry, NewAuditEntry } from '../store/audit.ts';
import type { CurrentUser } from '../store/members.ts';
import type { ProjectKey } from '../store/projects.ts';
import type { StoreParts } from '../store/store.ts';
import type { AuditAction } from './actions.ts';

export interface AuditSource {
  readonly actor: AuditActor;
  readonly network: string;
  readonly requestId: string | null;
  readonly tokenName?: string | undefined;
}

export interface AuditEvent {
  readonly action: AuditAction;
  readonly object: { readonly kind: string; readonly id: number | string | null; readonly name: string };
  readonly projectId?: number | null;
  /** What changed, for example `secret, “ci”; the old one ends in 24 h`. */
  readonly summary?: string;
}

/** Without a member: who can run it can read the database anyway. */
export const commandLineSource: AuditSource = {
  actor: { kind: 'command', id: null, name: 'command line' },
  network: '',
  requestId: null,
};

export function userSource(
  { memberId, name }: CurrentUser,
  network: string,
  requestId: string | null,
): AuditSource {
  return { actor: { kind: memberId === null ? 'token' : 'member', id: memberId, name }, network, requestId };
}

/** Of a request of the API: the member whose token it has, or the key. */
export function keySource({
  key,
  member,
  clientAddress,
}: {
  /** With a name where it is the token of a member. */
  readonly key: Pick<ProjectKey, 'id' | 'prefix' | 'lastFour'> & { readonly name?: string };
  readonly member: { readonly id: number; readonly name: string } | null;
  readonly clientAddress: string;
}): AuditSource {
  const network = networkOf(clientAddress);
  if (member !== null) {
    const actor = { kind: 'member', id: member.id, name: member.name } as const;
    return { actor, network, requestId: null, tokenName: key.name };
  }
  const name = `${key.prefix}…${key.lastFour}`;
  return { actor: { kind: 'key', id: key.id, name }, network, requestId: null };
}

/** The actor in the activity: `member Ines Okafor`, `key ntf_sk_…`, `token`. */
export function formatActor({ actor: { kind, name } }: AuditSource): string {
  return kind === 'member' || kind === 'key' ? `${kind} ${name}` : name;
}

/** Without a transaction, for actions that do not write to the database or need several transactions. */
export async function writeAuditEntry(
  deps: Pick<Deps, 'now'> & { readonly store: Pick<StoreParts, 'addAuditEntry'> },
  by: AuditSource,
  event: AuditEvent,
): Promise<AuditEntry> {
  return deps.store.addAuditEntry(toAuditEntry(deps.now(), by, event));
}

/** Runs `action` and writes its audit entries in one transaction. `action` gets the store of the transaction and must
 * await nothing else. If `auditEvent` or `by` is null (part of another action), no entry is written. */
export async function runAudited<Result, Parts extends Pick<Deps, 'now' | 'store'>>(
  deps: Parts,
  by: AuditSource | null,
  action: (
    deps: Parts,
  ) => Promise<{ readonly result: Result; readonly auditEvent: AuditEvent | readonly AuditEvent[] | null }>,
): Promise<Result> {
  return deps.store.transaction(async (store) => {
    const { result, auditEvent } = await action({ ...deps, store });
    if (auditEvent === null || by === null) return result;
    for (const each of [auditEvent].flat()) await store.addAuditEntry(toAuditEntry(deps.now(), by, each));
    return result;
  });
}

type AuditedDeps = Pick<Deps, 'store' | 'now'>;

/** A service function that runs `action` as `runAudited` does: its last parameter is who did it. */
export function audited<Input extends readonly unknown[], Result, Parts extends AuditedDeps = AuditedDeps>(
  action: (
    deps: Parts & { readonly by: AuditSource },
    ...input: Input
  ) => Promise<{ readonly result: Result; readonly auditEvent: AuditEvent | readonly AuditEvent[] | null }>,
): (deps: Parts, ...input: readonly [...Input, by: AuditSource]) => Promise<Result> {
  return (deps, ...input) => {
    const by = input.at(-1) as AuditSource;
    return runAudited(deps, by, (txDeps) =>
      action({ ...txDeps, by }, ...(input.slice(0, -1) as unknown as Input)),
    );
  };
}

function toAuditEntry(
  atMs: number,
  { actor, network, requestId, tokenName }: AuditSource,
  event: AuditEvent,
): NewAuditEntry {
  const { kind, id, name } = event.object;
  return {
    atMs,
    actor,
    action: event.action,
    objectKind: kind,
    objectId: id === null ? null : String(id),
    objectName: name,
    projectId: event.projectId ?? null,
    summary: event.summary ?? '',
    network,
    requestId,
    tokenName: tokenName ?? null,
  };
}

/** The audit log stores no full address: the /24 of IPv4, the /48 of IPv6; empty if invalid. */
export function networkOf(address: string): string {
  if (isIP(address) === 4) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  if (isIP(address) !== 6) return '';
  const [head = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  // Groups that an early "::" stands for are zeros.
  const first = [0, 1, 2].map((index) => Number.parseInt(groups[index] ?? '0', 16).toString(16));
  return `${first
    .join(':')
    .replace(/(:0)+$/, '')
    .replace(/^0$/, '')}::/48`;
}
