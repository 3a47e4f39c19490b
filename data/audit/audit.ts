// The audit history: appended under one lock, read by key. Queries only; what an entry's hash covers stands
// in src/core/audit/chain.ts.
import { chained } from '../../src/core/audit/chain.ts';
import type {
  ActorKind,
  AuditActor,
  AuditEntry,
  AuditFilter,
  AuditHead,
  AuditSlice,
  AuditStore,
  ListedAuditEntry,
  NewAuditEntry,
} from '../../src/core/store/audit.ts';
import type { Db, Query, SqlValue } from '../db.ts';

interface AuditRow {
  readonly id: number;
  readonly at_ms: number;
  readonly actor_kind: ActorKind;
  readonly actor_id: number | null;
  readonly actor_name: string;
  readonly action: string;
  readonly object_kind: string;
  readonly object_id: string | null;
  readonly object_name: string;
  readonly of_project: number | null;
  readonly summary: string;
  readonly net: string;
  readonly request_id: string | null;
  readonly previous_hash: string;
  readonly hash: string;
}

const columns = `id, at_ms, actor_kind, actor_id, actor_name, action, object_kind, object_id, object_name, of_project,
  summary, net, request_id, previous_hash, hash`;

/** So many entries are looked through for who acted lately. */
const actorsOfNewest = 5_000;

/** The queries of `AuditStore`. */
export function auditStore(db: Db): AuditStore {
  return {
    addAuditEntry: (entry) => db.write((tx) => append(tx, entry)),
    auditHead: () => headOf(db),
    listAudit: (filter, slice) => listAudit(db, filter, slice),
    async countAudit(filter) {
      // The numbers have no gap: their end says how many there are, without a look at any.
      if (filterValues(filter).every((value) => value === null)) return (await headOf(db)).entries;
      const row = await db.get<{ entries: number }>(
        `SELECT COUNT(*) AS entries FROM audit_entries WHERE ${fits}`,
        filterValues(filter),
      );
      return Number(row?.entries ?? 0);
    },
    async auditWeek(filter, sinceMs) {
      // The first hour of 1970 was a Thursday's: three days after a Monday's.
      const rows = await db.all<{ hour: number; entries: number }>(
        `SELECT (at_ms / 3600000 + 72) % 168 AS hour, COUNT(*) AS entries FROM audit_entries
         WHERE at_ms >= $10 AND ${fits} GROUP BY (at_ms / 3600000 + 72) % 168`,
        [...filterValues(filter), sinceMs],
      );
      return rows.map(({ hour, entries }) => ({ hour: Number(hour), entries: Number(entries) }));
    },
    async auditActors(limit) {
      const rows = await db.all<Pick<AuditRow, 'actor_kind' | 'actor_id' | 'actor_name'>>(
        `SELECT actor_kind, actor_id, actor_name
         FROM (SELECT id, actor_kind, actor_id, actor_name FROM audit_entries ORDER BY id DESC LIMIT $2) newest
         GROUP BY actor_kind, actor_id, actor_name ORDER BY MAX(id) DESC LIMIT $1`,
        [limit, actorsOfNewest],
      );
      return rows.map(actorOf);
    },
    async walkAudit(afterId, limit) {
      const rows = await db.all<AuditRow>(
        `SELECT ${columns} FROM audit_entries WHERE id > $1 ORDER BY id LIMIT $2`,
        [afterId, limit],
      );
      return rows.map(entryOf);
    },
  };
}

async function headOf(query: Pick<Query, 'get'>): Promise<AuditHead> {
  const head = await query.get<AuditHead>('SELECT entries, hash FROM audit_head WHERE one = 1');
  if (head === undefined) throw new Error('The audit history has no end.');
  return head;
}

async function append(tx: Query, entry: NewAuditEntry): Promise<AuditEntry> {
  // Changed first: from here to the commit nobody else can, in whatever process.
  const head = await tx.get<AuditHead>(
    'UPDATE audit_head SET entries = entries + 1 WHERE one = 1 RETURNING entries - 1 AS entries, hash',
  );
  if (head === undefined) throw new Error('The audit history has no end.');
  const made = chained(head, entry);
  await tx.run(
    `INSERT INTO audit_entries (${columns})
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    valuesOf(made),
  );
  await tx.run('UPDATE audit_head SET hash = $1 WHERE one = 1', [made.hash]);
  return made;
}

async function listAudit(db: Db, filter: AuditFilter, slice: AuditSlice): Promise<ListedAuditEntry[]> {
  const values = filterValues(filter);
  const next = values.length + 1;
  const isNewer = slice.afterId !== undefined && slice.afterId !== null;
  const rows = await db.all<AuditRow & { readonly hash_before: string | null }>(
    isNewer
      ? `SELECT ${columns}, ${hashBefore} FROM audit_entries WHERE ${fits} AND id > $${next} ORDER BY id LIMIT $${next + 1}`
      : `SELECT ${columns}, ${hashBefore} FROM audit_entries WHERE ${fits} AND id < $${next} ORDER BY id DESC LIMIT $${next + 1}`,
    [...values, isNewer ? (slice.afterId ?? 0) : (slice.beforeId ?? Number.MAX_SAFE_INTEGER), slice.limit],
  );
  return (isNewer ? rows.reverse() : rows).map((row) => ({ ...entryOf(row), hashBefore: row.hash_before }));
}

const hashBefore =
  '(SELECT before.hash FROM audit_entries before WHERE before.id = audit_entries.id - 1) AS hash_before';

/** `$1` to `$9` as `filterValues` gives them. A cast says of what kind a parameter is that may be null. */
const fits = `(CAST($1 AS TEXT) IS NULL OR actor_kind = $1) AND (CAST($2 AS TEXT) IS NULL OR actor_name = $2)
  AND (CAST($3 AS TEXT) IS NULL OR action = $3 OR SUBSTR(action, 1, LENGTH($3) + 1) = $3 || '.')
  AND (CAST($4 AS TEXT) IS NULL OR object_kind = $4) AND (CAST($5 AS TEXT) IS NULL OR object_id = $5)
  AND (CAST($6 AS BIGINT) IS NULL OR of_project = $6) AND (CAST($7 AS TEXT) IS NULL OR request_id = $7)
  AND (CAST($8 AS BIGINT) IS NULL OR at_ms >= $8) AND (CAST($9 AS BIGINT) IS NULL OR at_ms < $9)`;

function filterValues(filter: AuditFilter): SqlValue[] {
  return [
    filter.actorKind,
    filter.actorName,
    filter.action,
    filter.objectKind,
    filter.objectId,
    filter.projectId,
    filter.requestId,
    filter.fromMs,
    filter.toMs,
  ];
}

function valuesOf(entry: AuditEntry): SqlValue[] {
  const { actor } = entry;
  return [
    entry.id,
    entry.atMs,
    actor.kind,
    actor.id,
    actor.name,
    entry.action,
    entry.objectKind,
    entry.objectId,
    entry.objectName,
    entry.projectId,
    entry.summary,
    entry.net,
    entry.requestId,
    entry.previousHash,
    entry.hash,
  ];
}

function entryOf(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    atMs: row.at_ms,
    actor: actorOf(row),
    action: row.action,
    objectKind: row.object_kind,
    objectId: row.object_id,
    objectName: row.object_name,
    projectId: row.of_project,
    summary: row.summary,
    net: row.net,
    requestId: row.request_id,
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}

function actorOf(row: Pick<AuditRow, 'actor_kind' | 'actor_id' | 'actor_name'>): AuditActor {
  return { kind: row.actor_kind, id: row.actor_id, name: row.actor_name };
}
