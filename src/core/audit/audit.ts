import type { Deps } from '../deps.ts';
import type { AuditActor, AuditEntry, NewAuditEntry } from '../store/audit.ts';
import type { Visitor } from '../store/members.ts';
import type { StoreParts } from '../store/store.ts';
import type { AuditAction } from './actions.ts';
import { netOf } from './net.ts';

export interface AuditBy {
  readonly actor: AuditActor;
  readonly net: string;
  readonly requestId: string | null;
}

export interface AuditedAct {
  readonly action: AuditAction;
  readonly object: { readonly kind: string; readonly id: number | string | null; readonly name: string };
  readonly projectId?: number | null;
  /** What changed, for example `secret, “ci”; the old one ends in 24 h`. */
  readonly summary?: string;
}

/** Without a member: who can run it can read the database anyway. */
export const byCommandLine: AuditBy = {
  actor: { kind: 'command', id: null, name: 'command line' },
  net: '',
  requestId: null,
};

export function byVisit(visit: {
  readonly visitor: Visitor;
  readonly clientAddress: string;
  readonly requestId: string;
}): AuditBy {
  return byVisitor(visit.visitor, netOf(visit.clientAddress), visit.requestId);
}

export function byVisitor({ memberId, name }: Visitor, net: string, requestId: string | null): AuditBy {
  return { actor: { kind: memberId === null ? 'token' : 'member', id: memberId, name }, net, requestId };
}

export function byKey({
  key,
  clientAddress,
}: {
  readonly key: { readonly id: number; readonly prefix: string; readonly lastFour: string };
  readonly clientAddress: string;
}): AuditBy {
  const name = `${key.prefix}…${key.lastFour}`;
  return { actor: { kind: 'key', id: key.id, name }, net: netOf(clientAddress), requestId: null };
}

/** Without a transaction, for acts that do not write to the database or need several transactions. */
export async function audited(
  deps: Pick<Deps, 'now'> & { readonly store: Pick<StoreParts, 'addAuditEntry'> },
  by: AuditBy,
  act: AuditedAct,
): Promise<AuditEntry> {
  return deps.store.addAuditEntry(entryOf(deps.now(), by, act));
}

/**
 * Runs `act` and writes its audit entries in one transaction. `act` gets the store of the transaction and
 * must await nothing else. Without `told`, or if `by` is null (part of another act), no entry is written.
 */
export async function actAudited<Result, Parts extends Pick<Deps, 'now' | 'store'>>(
  deps: Parts,
  by: AuditBy | null,
  act: (
    deps: Parts,
  ) => Promise<{ readonly result: Result; readonly told: AuditedAct | readonly AuditedAct[] | null }>,
): Promise<Result> {
  return deps.store.together(async (store) => {
    const { result, told } = await act({ ...deps, store });
    if (told === null || by === null) return result;
    for (const each of [told].flat()) await store.addAuditEntry(entryOf(deps.now(), by, each));
    return result;
  });
}

function entryOf(atMs: number, { actor, net, requestId }: AuditBy, act: AuditedAct): NewAuditEntry {
  const { kind, id, name } = act.object;
  return {
    atMs,
    actor,
    action: act.action,
    objectKind: kind,
    objectId: id === null ? null : String(id),
    objectName: name,
    projectId: act.projectId ?? null,
    summary: act.summary ?? '',
    net,
    requestId,
  };
}
