// Writing the audit history: who acted, what was done to what, and the act and its entry as one.
import type { Deps } from '../deps.ts';
import type { AuditActor, AuditEntry, NewAuditEntry } from '../store/audit.ts';
import type { Visitor } from '../store/members.ts';
import type { StoreParts } from '../store/store.ts';
import type { AuditAction } from './actions.ts';
import { netOf } from './net.ts';

/** Who acts, and from where. */
export interface AuditBy {
  readonly actor: AuditActor;
  readonly net: string;
  readonly requestId: string | null;
}

/** What is told of an act. */
export interface AuditedAct {
  readonly action: AuditAction;
  /** What it was done to: `issue`, its number, and what people call it. */
  readonly object: { readonly kind: string; readonly id: number | string | null; readonly name: string };
  readonly projectId?: number | null;
  /** What changed, in a few words: `secret, “ci”; the old one ends in 24 h`. */
  readonly summary?: string;
}

/** The command line, whose user may read the database anyway. */
export const byCommandLine: AuditBy = {
  actor: { kind: 'command', id: null, name: 'command line' },
  net: '',
  requestId: null,
};

/** Who looks at a page, from the visit that pages and acts are given. */
export function byVisit(visit: {
  readonly visitor: Visitor;
  readonly clientAddress: string;
  readonly requestId: string;
}): AuditBy {
  return byVisitor(visit.visitor, netOf(visit.clientAddress), visit.requestId);
}

/** The same, of a visitor in a net. */
export function byVisitor({ memberId, name }: Visitor, net: string, requestId: string | null): AuditBy {
  return { actor: { kind: memberId === null ? 'token' : 'member', id: memberId, name }, net, requestId };
}

/** Who holds a project's key, from a request of the API; the key as it may be shown. */
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

/** Writes an entry by itself: for acts that are no write to the database, or that take many. */
export async function audited(
  deps: Pick<Deps, 'now'> & { readonly store: Pick<StoreParts, 'addAuditEntry'> },
  by: AuditBy,
  act: AuditedAct,
): Promise<AuditEntry> {
  return deps.store.addAuditEntry(entryOf(deps.now(), by, act));
}

/**
 * Does an act and writes its entry in one transaction: both are kept, or neither. `act` is given `deps` with
 * the store of the transaction; it may await nothing but that store. Where it answers no `told`, nothing was
 * changed and nothing is written; neither for nobody (null): then it is part of an act that has an entry.
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
