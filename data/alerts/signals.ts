import type { AlertSignal, ObjectSummary, SignalKind } from '../../src/core/store/alert-records.ts';
import type { StoreParts } from '../../src/core/store/store.ts';
import type { Db, Query } from '../db.ts';
import { chunkRows } from '../value-lists.ts';
import { signals } from './rows.ts';

/** Any number, the same in every process that sends alerts. */
const messageLock = 7_205_759_405;

export interface Signal {
  readonly projectId: number | null;
  readonly kind: SignalKind;
  readonly objectId: number;
  readonly eventId?: string | null;
  readonly release?: string | null;
  readonly environment?: string | null;
  readonly atMs: number;
  /** Set where this rule alone is meant and its conditions were checked already. */
  readonly ruleId?: number;
  readonly object?: string;
  readonly summary?: ObjectSummary | null;
}

/** Writes a signal in the transaction that causes it; nothing where no rule applies to the project. */
export async function signal(tx: Query, entry: Signal): Promise<void> {
  const { eventId = null, release = null, environment = null, ruleId = null, object = null, summary } = entry;
  const { title = null, detail = null, path = null } = summary ?? {};
  await signals.insert(
    tx,
    { ...entry, eventId, release, environment, ruleId, object, title, detail, path },
    {
      when: `EXISTS (SELECT 1 FROM alert_rules WHERE project_id = CAST($1 AS BIGINT))
       OR EXISTS (SELECT 1 FROM alert_rules WHERE project_id IS NULL)`,
      values: [entry.projectId],
    },
  );
}

export function signalStore(db: Db) {
  return {
    async findAlertWork(nowMs) {
      const row = await db.get<{ to_tell: number; to_send: number; has_limits: number }>(
        `SELECT CASE WHEN EXISTS (SELECT 1 FROM alert_signals) OR EXISTS
             (SELECT 1 FROM alert_rule_channels t JOIN alert_channels c ON c.id = t.channel_id
              WHERE t.closes_at_ms <= $1 AND c.state <> 'paused' AND EXISTS (SELECT 1 FROM pending_notifications g
                WHERE g.rule_id = t.rule_id AND g.channel_id = t.channel_id AND g.due_at_ms <= $1)) OR EXISTS
             (SELECT 1 FROM alert_channels WHERE paused_until_ms <= $1) THEN 1 ELSE 0 END AS to_tell,
           CASE WHEN EXISTS (SELECT 1 FROM alert_deliveries d JOIN alert_channels c ON c.id = d.channel_id
             WHERE d.next_try_at_ms <= $1 AND c.state <> 'paused') THEN 1 ELSE 0 END AS to_send,
           CASE WHEN EXISTS (SELECT 1 FROM alert_rules WHERE kind = $2) THEN 1 ELSE 0 END AS has_limits`,
        [nowMs, 'issue.seen_more_than' satisfies SignalKind],
      );
      return { toNotify: row?.to_tell === 1, toSend: row?.to_send === 1, hasLimits: row?.has_limits === 1 };
    },
    async lockAlerts() {
      // SQLite has one writer anyway.
      if (db.dbms === 'postgres') await db.all('SELECT pg_advisory_xact_lock($1)', [messageLock]);
    },
    takeSignals: (limit) => db.write((tx) => takeSignals(tx, limit)),
  } satisfies Partial<StoreParts>;
}

type SignalRow = Omit<AlertSignal, 'isOverflow' | 'summary' | 'object'> & {
  readonly object: string | null;
  readonly id: number;
  readonly is_overflow: number | null;
  readonly title: string | null;
  readonly detail: string | null;
  readonly path: string | null;
};

async function takeSignals(tx: Query, limit: number): Promise<AlertSignal[]> {
  const found = await tx.all<SignalRow>(
    `SELECT ${signals.without('environment').columns('s')}, COALESCE(e.environment, s.environment) AS environment,
       COALESCE(e.level, i.level) AS level, i.is_overflow, i.title AS "issueTitle"
     FROM alert_signals s
     LEFT JOIN issues i ON s.kind LIKE 'issue.%' AND i.id = s.object_id
     LEFT JOIN events e ON e.project_id = s.project_id AND e.event_id = s.event_id
     ORDER BY s.id LIMIT $1`,
    [limit],
  );
  const rows = found.map(signals.rowOf);
  // By id, not up to the last id: a slower transaction may still commit a lower one.
  for (const portion of chunkRows(rows)) {
    await tx.run(
      `DELETE FROM alert_signals WHERE id IN (${portion.map((_, at) => `$${at + 1}`).join(', ')})`,
      portion.map(({ id }) => id),
    );
  }
  return rows.map(({ id: _id, is_overflow: isOverflow, title, detail, path, ...row }) => ({
    ...row,
    object: row.object ?? String(row.objectId),
    isOverflow: isOverflow === 1,
    summary: path === null ? null : { title, detail: detail ?? '', path },
  }));
}
