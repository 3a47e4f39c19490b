// What happened and waits for its rules, and what waits to be told together: queries only.
import type {
  AlertingStore,
  AlertSignal,
  Gathered,
  NewGathered,
  SignalKind,
  ToldObject,
} from '../../src/core/store/alerting.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { portionsOf } from '../value-lists.ts';

/** Any number, the same in every process that makes messages. */
const makerLock = 7_205_759_405;

/** Something that rules may ask for. */
export interface Signal {
  readonly projectId: number;
  readonly kind: SignalKind;
  readonly objectId: number;
  readonly eventId: string | null;
  readonly release: string | null;
  readonly atMs: number;
}

/** Writes a signal in the transaction of what it tells of; nothing where nobody has a rule of the project. */
export async function signal(
  tx: Query,
  { projectId, kind, objectId, eventId, release, atMs }: Signal,
): Promise<void> {
  await tx.run(
    `INSERT INTO alert_signals (project_id, kind, object_id, event_id, release, at_ms)
     SELECT CAST($1 AS BIGINT), $2, CAST($3 AS BIGINT), $4, $5, CAST($6 AS BIGINT)
     WHERE EXISTS (SELECT 1 FROM alert_rules WHERE project_id = CAST($1 AS BIGINT))
       OR EXISTS (SELECT 1 FROM alert_rules WHERE project_id IS NULL)`,
    [projectId, kind, objectId, eventId, release, atMs],
  );
}

type SignalStore = Pick<
  AlertingStore,
  | 'alertsWait'
  | 'lockAlerts'
  | 'takeSignals'
  | 'gather'
  | 'gatheredAt'
  | 'readGathered'
  | 'oldestGathered'
  | 'removeGathered'
  | 'removeOneGathered'
>;

/** The queries on signals and on what is gathered of them. */
export function signalStore(db: Db): SignalStore {
  return {
    async alertsWait(nowMs) {
      const row = await db.get<{ to_tell: number; to_send: number }>(
        `SELECT CASE WHEN EXISTS (SELECT 1 FROM alert_signals) OR EXISTS
             (SELECT 1 FROM alert_rule_channels t WHERE t.closes_at_ms <= $1 AND EXISTS (SELECT 1 FROM alert_gathered g
                WHERE g.rule_id = t.rule_id AND g.channel_id = t.channel_id AND g.due_at_ms <= $1)) OR EXISTS
             (SELECT 1 FROM alert_channels WHERE paused_until_ms <= $1) THEN 1 ELSE 0 END AS to_tell,
           CASE WHEN EXISTS (SELECT 1 FROM alert_deliveries d JOIN alert_channels c ON c.id = d.channel_id
             WHERE d.next_try_at_ms <= $1 AND c.state <> 'paused') THEN 1 ELSE 0 END AS to_send`,
        [nowMs],
      );
      return { toTell: row?.to_tell === 1, toSend: row?.to_send === 1 };
    },
    async lockAlerts() {
      // SQLite has one writer anyway.
      if (db.dbms === 'postgres') await db.all('SELECT pg_advisory_xact_lock($1)', [makerLock]);
    },
    takeSignals: (limit) => db.write((tx) => takeSignals(tx, limit)),
    gather: (rows) => db.write((tx) => gather(tx, rows)),
    gatheredAt: (nowMs) =>
      db.all(
        `SELECT DISTINCT rule_id AS "ruleId", channel_id AS "channelId" FROM alert_gathered
         WHERE due_at_ms <= $1 ORDER BY rule_id, channel_id`,
        [nowMs],
      ),
    readGathered: (at, named) => readGathered(db, at, named),
    async oldestGathered({ ruleId, channelId }, limit) {
      const rows = await db.all<ToldRow>(
        `SELECT ${toldColumns} ${fromGathered} AND i.is_overflow = 0 ORDER BY g.id LIMIT $3`,
        [ruleId, channelId, limit],
      );
      return rows.map(toldOf);
    },
    removeGathered: ({ ruleId, channelId }, upToId) =>
      db.write(async (tx) => {
        await tx.run('DELETE FROM alert_gathered WHERE rule_id = $1 AND channel_id = $2 AND id <= $3', [
          ruleId,
          channelId,
          upToId,
        ]);
      }),
    removeOneGathered: (gatheredId) =>
      db.write(async (tx) => {
        await tx.run('DELETE FROM alert_gathered WHERE id = $1', [gatheredId]);
      }),
  };
}

interface SignalRow {
  readonly id: number;
  readonly project_id: number;
  readonly kind: string;
  readonly object_id: number;
  readonly event_id: string | null;
  readonly release: string | null;
  readonly environment: string | null;
  readonly level: string | null;
  readonly is_overflow: number | null;
  readonly at_ms: number;
}

async function takeSignals(tx: Query, limit: number): Promise<AlertSignal[]> {
  const rows = await tx.all<SignalRow>(
    `SELECT s.id, s.project_id, s.kind, s.object_id, s.event_id, s.release, s.at_ms, e.environment,
       COALESCE(e.level, i.level) AS level, i.is_overflow
     FROM alert_signals s
     LEFT JOIN issues i ON s.kind LIKE 'issue.%' AND i.id = s.object_id
     LEFT JOIN events e ON e.project_id = s.project_id AND e.event_id = s.event_id
     ORDER BY s.id LIMIT $1`,
    [limit],
  );
  // By the row, not up to it: a commit that took longer may still bring one of a lower number.
  for (const portion of portionsOf(rows)) {
    await tx.run(
      `DELETE FROM alert_signals WHERE id IN (${portion.map((_, at) => `$${at + 1}`).join(', ')})`,
      portion.map(({ id }) => id),
    );
  }
  return rows.map((row) => ({
    projectId: Number(row.project_id),
    kind: row.kind as SignalKind,
    objectId: Number(row.object_id),
    eventId: row.event_id,
    release: row.release,
    environment: row.environment,
    level: row.level,
    isOverflow: row.is_overflow === 1,
    atMs: Number(row.at_ms),
  }));
}

async function gather(tx: Query, rows: readonly NewGathered[]): Promise<void> {
  const columns = 8;
  for (const portion of portionsOf(rows)) {
    const marks = portion.map(
      (_, row) =>
        `(${Array.from({ length: columns }, (_each, at) => `$${row * columns + at + 1}`).join(', ')})`,
    );
    const values = portion.flatMap(({ ruleId, channelId, projectId, objectId, atMs, again }): SqlValue[] => [
      ruleId,
      channelId,
      projectId,
      objectId,
      atMs,
      again?.dueAtMs ?? 0,
      again?.waitMs ?? 0,
      again?.told ?? 0,
    ]);
    await tx.run(
      `INSERT INTO alert_gathered (rule_id, channel_id, project_id, object_id, at_ms, due_at_ms, wait_ms, told)
       VALUES ${marks.join(', ')}`,
      values,
    );
  }
}

interface ToldRow {
  readonly id: number;
  readonly project_id: number;
  readonly object_id: number;
  readonly at_ms: number;
  readonly title: string;
  readonly culprit: string;
  readonly level: string;
  readonly events_count: number;
  readonly users_count: number;
  readonly is_overflow: number;
  readonly wait_ms: number;
  readonly told: number;
}

const toldColumns = `g.id, g.project_id, g.object_id, g.at_ms, i.title, i.culprit, i.level, i.events_count,
  i.users_count, i.is_overflow, g.wait_ms, g.told`;
const fromGathered = `FROM alert_gathered g JOIN issues i ON i.id = g.object_id AND i.project_id = g.project_id
  WHERE g.rule_id = $1 AND g.channel_id = $2`;

function toldOf(row: ToldRow): ToldObject {
  return {
    gatheredId: Number(row.id),
    projectId: Number(row.project_id),
    objectId: Number(row.object_id),
    atMs: Number(row.at_ms),
    title: row.title,
    culprit: row.culprit,
    level: row.level,
    events: Number(row.events_count),
    users: Number(row.users_count),
    isOverflow: row.is_overflow === 1,
    waitMs: Number(row.wait_ms),
    told: Number(row.told),
  };
}

async function readGathered(
  query: Query,
  { ruleId, channelId }: { readonly ruleId: number; readonly channelId: number },
  named: number,
): Promise<Gathered> {
  const at = [ruleId, channelId];
  const sums = await query.get<{
    count: number;
    projects: number;
    project_id: number | null;
  }>(
    `SELECT COALESCE(SUM(CASE WHEN i.is_overflow = 1 THEN 0 ELSE 1 END), 0) AS count,
       COUNT(DISTINCT g.project_id) AS projects, MIN(g.project_id) AS project_id ${fromGathered}`,
    at,
  );
  // Of what was deleted meanwhile nothing is told, but it goes too.
  const last = await query.get<{ last_id: number | null }>(
    'SELECT MAX(id) AS last_id FROM alert_gathered WHERE rule_id = $1 AND channel_id = $2',
    at,
  );
  const [largest, overflow] = [
    await query.all<ToldRow>(
      `SELECT ${toldColumns} ${fromGathered} AND i.is_overflow = 0 ORDER BY i.events_count DESC, g.id LIMIT $3`,
      [...at, named],
    ),
    await query.all<ToldRow>(
      `SELECT ${toldColumns} ${fromGathered} AND i.is_overflow = 1 ORDER BY g.id LIMIT 1000`,
      at,
    ),
  ];
  const projects = Number(sums?.projects ?? 0);
  return {
    count: Number(sums?.count ?? 0),
    projects,
    projectId: projects === 1 ? Number(sums?.project_id) : null,
    largest: largest.map(toldOf),
    overflow: overflow.map(toldOf),
    lastId: Number(last?.last_id ?? 0),
  };
}
