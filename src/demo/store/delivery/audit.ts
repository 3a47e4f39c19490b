// The audit history of the demo as its page asks for it. Lists show the newest entries; who walks the chain
// meets all of them.
import { emptyHead } from '../../../core/audit/chain.ts';
import { hourMs } from '../../../core/reading/spans.ts';
import type {
  AuditActor,
  AuditEntry,
  AuditFilter,
  AuditSlice,
  AuditStore,
  ListedAuditEntry,
} from '../../../core/store/audit.ts';
import { weekdayOf } from '../../world/calendar.ts';
import { type DeliveryWorld, shown } from '../../world/delivery/world.ts';

type AuditReads = Omit<AuditStore, 'addAuditEntry'>;

/** The reads of the history. */
export function auditReads(world: DeliveryWorld): AuditReads {
  const listed = (filter: AuditFilter): AuditEntry[] =>
    world.audit.slice(-shown.auditEntries).filter((entry) => fits(entry, filter));
  return {
    async auditHead() {
      const last = world.audit.at(-1);
      return last === undefined ? emptyHead : { entries: last.id, hash: last.hash };
    },
    listAudit: async (filter, slice) =>
      beside(listed(filter), slice).map((entry) => withHashBefore(world, entry)),
    countAudit: async (filter) => listed(filter).length,
    async auditWeek(filter, sinceMs) {
      const hours = new Map<number, number>();
      for (const { atMs } of listed(filter)) {
        if (atMs < sinceMs) continue;
        const hour = weekdayOf(atMs) * 24 + (Math.floor(atMs / hourMs) % 24);
        hours.set(hour, (hours.get(hour) ?? 0) + 1);
      }
      return [...hours].map(([hour, entries]) => ({ hour, entries }));
    },
    async auditActors(limit) {
      const actors = new Map<string, AuditActor>();
      for (const { actor } of world.audit.slice(-shown.auditEntries).reverse()) {
        const key = JSON.stringify([actor.kind, actor.id, actor.name]);
        if (!actors.has(key)) actors.set(key, actor);
      }
      return [...actors.values()].slice(0, limit);
    },
    // Numbers have no gap: an entry stands at its own.
    walkAudit: async (afterId, limit) => {
      const from = Math.max(0, afterId);
      return world.audit.slice(from, from + limit);
    },
  };
}

function withHashBefore(world: DeliveryWorld, entry: AuditEntry): ListedAuditEntry {
  return { ...entry, hashBefore: world.audit[entry.id - 2]?.hash ?? null };
}

/** Newest first; of entries that are oldest first. */
function beside(entries: readonly AuditEntry[], { beforeId, afterId, limit }: AuditSlice): AuditEntry[] {
  if (afterId !== undefined && afterId !== null) {
    return entries
      .filter(({ id }) => id > afterId)
      .slice(0, limit)
      .reverse();
  }
  const older = entries.filter(({ id }) => id < (beforeId ?? Number.MAX_SAFE_INTEGER));
  return older.slice(Math.max(0, older.length - limit)).reverse();
}

function fits(entry: AuditEntry, filter: AuditFilter): boolean {
  const { actor, action } = entry;
  const is = <Value>(asked: Value | null, value: Value | null): boolean => asked === null || asked === value;
  return (
    is(filter.actorKind, actor.kind) &&
    is(filter.actorName, actor.name) &&
    (is(filter.action, action) || action.startsWith(`${filter.action}.`)) &&
    is(filter.objectKind, entry.objectKind) &&
    is(filter.objectId, entry.objectId) &&
    is(filter.projectId, entry.projectId) &&
    is(filter.requestId, entry.requestId) &&
    (filter.fromMs === null || entry.atMs >= filter.fromMs) &&
    (filter.toMs === null || entry.atMs < filter.toMs)
  );
}
