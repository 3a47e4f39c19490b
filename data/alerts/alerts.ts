import type {
  AlertStore,
  NamedIncident,
  NewPendingNotification,
  NotifiedSubject,
} from '../../src/core/store/alert-records.ts';
import type { StoreParts } from '../../src/core/store/store.ts';
import type { Db, Query, SqlValue, StoreMethod } from '../db.ts';
import { endIncidentOfObject } from '../incidents/of-rules.ts';
import { channelStore, pushStore } from './channels.ts';
import { deliveryStore } from './deliveries.ts';
import { activeAlerts, pendingNotifications, rules } from './rows.ts';
import { ruleStore } from './rules.ts';
import { signal, signalStore } from './signals.ts';

function pendingNotificationStore(db: Db) {
  return {
    addPendingNotifications: (rows) => db.write((tx) => insertPending(tx, rows)),
    listDueNotifications: (nowMs) =>
      db.all(
        `SELECT DISTINCT rule_id AS "ruleId", channel_id AS "channelId" FROM pending_notifications
         WHERE due_at_ms <= $1 ORDER BY rule_id, channel_id`,
        [nowMs],
      ),
    readPendingNotifications: (at, named) => readPendingNotifications(db, at, named),
    async oldestPendingNotifications({ ruleId, channelId }, limit) {
      return listPending(db, `AND NOT ${isOverflow} ORDER BY g.id LIMIT $3`, [ruleId, channelId, limit]);
    },
    removePendingNotifications: ({ ruleId, channelId }, upToId) =>
      db.write(async (tx) => {
        await tx.run(
          'DELETE FROM pending_notifications WHERE rule_id = $1 AND channel_id = $2 AND id <= $3',
          [ruleId, channelId, upToId],
        );
      }),
    removePendingNotification: (pendingNotificationId) =>
      db.write(async (tx) => {
        await tx.run('DELETE FROM pending_notifications WHERE id = $1', [pendingNotificationId]);
      }),
  } satisfies Partial<StoreParts>;
}

async function insertPending(tx: Query, rows: readonly NewPendingNotification[]): Promise<void> {
  const written = rows.map(({ again, summary, ...row }) => ({
    ...row,
    incidentId: row.incidentId ?? null,
    ...(again ?? { dueAtMs: 0, waitMs: 0, notifiedEvents: 0 }),
    ...(summary ?? { title: null, detail: null, path: null }),
  }));
  await pendingNotifications.insertMany(tx, written);
}

type PendingRow = Omit<NotifiedSubject, 'isOverflow' | 'incident'> & {
  readonly is_overflow: number;
  readonly incident_id: number | null;
  readonly incident_title: string | null;
};

const keptColumns = pendingNotifications.only(
  'projectId',
  'objectId',
  'atMs',
  'waitMs',
  'notifiedEvents',
  'path',
);
const pendingColumns = `g.id AS "pendingNotificationId", ${keptColumns.columns('g')},
  COALESCE(g.title, i.title) AS title, CASE WHEN g.title IS NULL THEN i.culprit ELSE g.detail END AS culprit,
  CASE WHEN g.title IS NULL THEN COALESCE(g.detail, '') ELSE '' END AS note, COALESCE(i.level, '') AS level,
  COALESCE(i.events_count, 0) AS events, COALESCE(i.users_count, 0) AS users,
  COALESCE(i.is_overflow, 0) AS is_overflow, n.id AS incident_id, n.title AS incident_title`;
/** Issues are read as they are now, other objects as they were recorded; deleted issues are left out. */
const fromPending = `FROM pending_notifications g
  LEFT JOIN issues i ON g.title IS NULL AND i.id = g.object_id AND i.project_id = g.project_id
  LEFT JOIN incidents n ON n.id = g.incident_id
  WHERE g.rule_id = $1 AND g.channel_id = $2 AND (g.title IS NOT NULL OR i.id IS NOT NULL)`;
const isOverflow = '(COALESCE(i.is_overflow, 0) = 1)';

export function alertStore(db: Db): AlertStore {
  return {
    ...channelStore(db),
    ...ruleStore(db),
    ...deliveryStore(db),
    ...pushStore(db),
    ...signalStore(db),
    ...pendingNotificationStore(db),
    ...activeAlertStore(db),
  };
}

function activeAlertStore(db: Db) {
  return {
    listScheduledRules: (kind) =>
      rules.only('id', 'projectId', 'conditions').list(db, 'WHERE kind = $1 ORDER BY id', [kind]),
    async listActiveAlerts(kind) {
      const found = await db.all(
        `SELECT ${notifiedAlerts.columns('o')} FROM alert_rules r JOIN active_alerts o ON o.rule_id = r.id
         WHERE r.kind = $1 ORDER BY o.rule_id, o.object`,
        [kind],
      );
      return found.map(notifiedAlerts.rowOf);
    },
    beginActiveAlert: ({ ruleId, projectId, object, objectId, kind, atMs, summary }) =>
      db.write(async (tx) => {
        const inserted = await activeAlerts.insert(
          tx,
          { ruleId, object, projectId, sinceMs: atMs },
          {
            when: 'EXISTS (SELECT 1 FROM alert_rules WHERE id = $1)',
            onConflict: 'DO NOTHING',
            values: [ruleId],
          },
        );
        if (inserted === 0) return false;
        await signal(tx, { projectId, kind, objectId, atMs, ruleId, summary, object });
        return true;
      }),
    endActiveAlert: (at, mitigatedAtMs) =>
      db.write(async (tx) => {
        await tx.run('DELETE FROM active_alerts WHERE rule_id = $1 AND object = $2', [at.ruleId, at.object]);
        if (mitigatedAtMs !== null) await endIncidentOfObject(tx, at, mitigatedAtMs);
      }),
  } satisfies Partial<StoreParts>;
}

const notifiedAlerts = activeAlerts.without('sinceMs');

async function listPending(
  query: Query,
  tail: string,
  values: readonly SqlValue[],
): Promise<NotifiedSubject[]> {
  const rows = await query.all<PendingRow>(`SELECT ${pendingColumns} ${fromPending} ${tail}`, values);
  return rows.map(({ is_overflow: isOver, incident_id: id, incident_title: title, ...row }) => ({
    ...keptColumns.rowOf(row),
    isOverflow: isOver === 1,
    incident: id === null ? null : { id, title: title ?? '' },
  }));
}

const readPendingNotifications: StoreMethod<'readPendingNotifications'> = async (
  query,
  { ruleId, channelId },
  named,
) => {
  const at = [ruleId, channelId];
  const sums = await query.get<{ count: number; projects: number; project_id: number; incidents: number }>(
    `SELECT COALESCE(SUM(CASE WHEN ${isOverflow} THEN 0 ELSE 1 END), 0) AS count,
       COUNT(DISTINCT g.project_id) AS projects, MIN(g.project_id) AS project_id,
       COUNT(DISTINCT CASE WHEN NOT ${isOverflow} THEN n.id END) AS incidents ${fromPending}`,
    at,
  );
  // Rows of deleted issues are not part of the message, but are removed with it.
  const last = await query.get<{ last_id: number | null }>(
    'SELECT MAX(id) AS last_id FROM pending_notifications WHERE rule_id = $1 AND channel_id = $2',
    at,
  );
  const { count = 0, projects = 0, project_id: projectId = 0, incidents = 0 } = sums ?? {};
  return {
    count,
    projects,
    projectId: projects === 1 && projectId > 0 ? projectId : null,
    largest: await listPending(
      query,
      `AND NOT ${isOverflow} ORDER BY COALESCE(i.events_count, 0) DESC, g.id LIMIT $3`,
      [...at, named],
    ),
    overflow: await listPending(query, `AND ${isOverflow} ORDER BY g.id`, at),
    incidents: { count: incidents, named: incidents === 0 ? [] : await namedIncidents(query, at, named) },
    lastId: last?.last_id ?? 0,
  };
};

function namedIncidents(query: Query, at: readonly number[], named: number): Promise<NamedIncident[]> {
  return query.all(
    `SELECT DISTINCT n.id, n.title ${fromPending} AND NOT ${isOverflow} AND n.id IS NOT NULL
     ORDER BY n.id LIMIT $3`,
    [...at, named],
  );
}
