// The audit log; src/core/audit/chain.ts says what the hash of an entry covers.
import { listStoredActions } from '../../src/core/audit/actions.ts';
import { appendToChain } from '../../src/core/audit/chain.ts';
import type { ActorKind, AuditActor, AuditFilter, AuditHead } from '../../src/core/store/audit.ts';
import { type Query, type SqlValue, storePart } from '../db.ts';
import { integer, named, nullable, oneOf, type RowOf, tableOf, text } from '../table.ts';

const entries = tableOf('audit_entries', {
  id: integer,
  atMs: integer,
  actorKind: oneOf<ActorKind>(),
  actorId: nullable(integer),
  actorName: text,
  action: text,
  objectKind: text,
  objectId: nullable(text),
  objectName: text,
  projectId: named('of_project', nullable(integer)),
  summary: text,
  network: text,
  requestId: nullable(text),
  tokenName: nullable(text),
  previousHash: text,
  hash: text,
});
type AuditRow = RowOf<typeof entries>;

const actorsOfNewest = 5_000;

export const auditStore = storePart(
  {
    auditHead: headOf,
    async listAudit(db, filter, slice) {
      const values = filterValues(filter);
      const next = values.length + 1;
      const isNewer = slice.afterId !== undefined && slice.afterId !== null;
      const rows = await db.all<AuditRow & { readonly hashBefore: string | null }>(
        isNewer
          ? `SELECT ${entries.columns()}, ${hashBefore} FROM audit_entries WHERE ${filterCondition} AND id > $${next} ORDER BY id LIMIT $${next + 1}`
          : `SELECT ${entries.columns()}, ${hashBefore} FROM audit_entries WHERE ${filterCondition} AND id < $${next} ORDER BY id DESC LIMIT $${next + 1}`,
        [
          ...values,
          isNewer ? (slice.afterId ?? 0) : (slice.beforeId ?? Number.MAX_SAFE_INTEGER),
          slice.limit,
        ],
      );
      return (isNewer ? rows.reverse() : rows).map(entryOf);
    },
    async countAudit(db, filter) {
      // Ids have no gaps, so the last one is the count.
      if (filterValues(filter).every((value) => value === null)) return (await headOf(db)).entries;
      const row = await db.get<{ entries: number }>(
        `SELECT COUNT(*) AS entries FROM audit_entries WHERE ${filterCondition}`,
        filterValues(filter),
      );
      return Number(row?.entries ?? 0);
    },
    async auditWeek(db, filter, sinceMs) {
      const values = filterValues(filter);
      // 1970 began on a Thursday, three days after a Monday.
      return db.all<{ hour: number; entries: number }>(
        `SELECT (at_ms / 3600000 + 72) % 168 AS hour, COUNT(*) AS entries FROM audit_entries
         WHERE at_ms >= $${values.length + 1} AND ${filterCondition} GROUP BY (at_ms / 3600000 + 72) % 168`,
        [...values, sinceMs],
      );
    },
    async auditActors(db, limit) {
      return db.all<AuditActor>(
        `SELECT actor_kind AS kind, actor_id AS id, actor_name AS name
         FROM (SELECT id AS entry, actor_kind, actor_id, actor_name FROM audit_entries ORDER BY id DESC LIMIT $2) newest
         GROUP BY actor_kind, actor_id, actor_name ORDER BY MAX(entry) DESC LIMIT $1`,
        [limit, actorsOfNewest],
      );
    },
    async walkAudit(db, afterId, limit) {
      return (await entries.list(db, 'WHERE id > $1 ORDER BY id LIMIT $2', [afterId, limit])).map(entryOf);
    },
  },
  {
    async addAuditEntry(tx, entry) {
      // Locks the head row: no other process can append until the commit.
      const head = await tx.get<AuditHead>(
        'UPDATE audit_head SET entries = entries + 1 WHERE one = 1 RETURNING entries - 1 AS entries, hash',
      );
      if (head === undefined) throw new Error('The audit log has no end.');
      const appended = appendToChain(head, entry);
      const { kind, id, name } = appended.actor;
      await entries.insert(tx, { ...appended, actorKind: kind, actorId: id, actorName: name });
      await tx.run('UPDATE audit_head SET hash = $1 WHERE one = 1', [appended.hash]);
      return appended;
    },
  },
);

async function headOf(query: Pick<Query, 'get'>): Promise<AuditHead> {
  const head = await query.get<AuditHead>('SELECT entries, hash FROM audit_head WHERE one = 1');
  if (head === undefined) throw new Error('The audit log has no end.');
  return head;
}

const hashBefore =
  '(SELECT before.hash FROM audit_entries before WHERE before.id = audit_entries.id - 1) AS "hashBefore"';

/** `$1` to `$10` as `filterValues` gives them. The casts give nullable parameters a type. */
const filterCondition = `(CAST($1 AS TEXT) IS NULL OR actor_kind = $1) AND (CAST($2 AS TEXT) IS NULL OR actor_name = $2)
  AND (CAST($3 AS TEXT) IS NULL OR $3 LIKE '%,' || action || ',%')
  AND (CAST($4 AS TEXT) IS NULL OR object_kind = $4) AND (CAST($5 AS TEXT) IS NULL OR object_id = $5)
  AND (CAST($6 AS BIGINT) IS NULL OR of_project = $6) AND (CAST($7 AS TEXT) IS NULL OR request_id = $7)
  AND (CAST($8 AS BIGINT) IS NULL OR at_ms >= $8) AND (CAST($9 AS BIGINT) IS NULL OR at_ms < $9)
  AND (CAST($10 AS TEXT) IS NULL OR $10 LIKE '%,' || of_project || ',%')`;

function filterValues(filter: AuditFilter): SqlValue[] {
  return [
    filter.actorKind,
    filter.actorName,
    filter.action === null ? null : `,${listStoredActions(filter.action).join()},`,
    filter.objectKind,
    filter.objectId,
    filter.projectId,
    filter.requestId,
    filter.fromMs,
    filter.toMs,
    filter.projectIds === undefined ? null : `,${filter.projectIds.join()},`,
  ];
}

function entryOf<Row extends AuditRow>({ actorKind: kind, actorId: id, actorName: name, ...row }: Row) {
  return { ...row, actor: { kind, id, name } };
}
