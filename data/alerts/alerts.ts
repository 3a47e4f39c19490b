// All that alerts ask of the database.
import type {
  AlertStore,
  Gathered,
  NamedIncident,
  NewGathered,
  ToldObject,
} from '../../src/core/store/alerting.ts';
import type { RuleTerms } from '../../src/core/store/alerts.ts';
import { numberOrNull } from '../columns.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { followEnd } from '../incidents/of-rules.ts';
import { portionsOf } from '../value-lists.ts';
import { channelStore } from './channels.ts';
import { deliveryStore } from './deliveries.ts';
import { ruleStore } from './rules.ts';
import { noProject, projectOf, signal, signalStore } from './signals.ts';

type GatheredStore = Pick<
  AlertStore,
  'gather' | 'gatheredAt' | 'readGathered' | 'oldestGathered' | 'removeGathered' | 'removeOneGathered'
>;

/** The queries on what is gathered. */
function gatheredStore(db: Db): GatheredStore {
  return {
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
        `SELECT ${toldColumns} ${fromGathered} AND NOT ${isOverflow} ORDER BY g.id LIMIT $3`,
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

async function gather(tx: Query, rows: readonly NewGathered[]): Promise<void> {
  const columns = 12;
  for (const portion of portionsOf(rows)) {
    const marks = portion.map(
      (_, row) =>
        `(${Array.from({ length: columns }, (_each, at) => `$${row * columns + at + 1}`).join(', ')})`,
    );
    const values = portion.flatMap(
      ({ ruleId, channelId, projectId, objectId, atMs, again, said, incidentId }): SqlValue[] => [
        ruleId,
        channelId,
        projectId ?? noProject,
        objectId,
        atMs,
        again?.dueAtMs ?? 0,
        again?.waitMs ?? 0,
        again?.told ?? 0,
        said?.title ?? null,
        said?.detail ?? null,
        said?.path ?? null,
        incidentId ?? null,
      ],
    );
    await tx.run(
      `INSERT INTO alert_gathered (rule_id, channel_id, project_id, object_id, at_ms, due_at_ms, wait_ms, told, title,
         detail, path, incident_id)
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
  readonly path: string | null;
  readonly incident_id: number | null;
  readonly incident_title: string | null;
}

const toldColumns = `g.id, g.project_id, g.object_id, g.at_ms, COALESCE(g.title, i.title) AS title,
  COALESCE(g.detail, i.culprit) AS culprit, COALESCE(i.level, '') AS level, COALESCE(i.events_count, 0) AS events_count,
  COALESCE(i.users_count, 0) AS users_count, COALESCE(i.is_overflow, 0) AS is_overflow, g.wait_ms, g.told, g.path,
  n.id AS incident_id, n.title AS incident_title`;
/** An issue as it is now, anything else as it was said. An issue that was deleted since is not told. */
const fromGathered = `FROM alert_gathered g
  LEFT JOIN issues i ON g.title IS NULL AND i.id = g.object_id AND i.project_id = g.project_id
  LEFT JOIN incidents n ON n.id = g.incident_id
  WHERE g.rule_id = $1 AND g.channel_id = $2 AND (g.title IS NOT NULL OR i.id IS NOT NULL)`;
const isOverflow = '(COALESCE(i.is_overflow, 0) = 1)';

/** The queries of `AlertStore`. */
export function alertStore(db: Db): AlertStore {
  return {
    ...channelStore(db),
    ...ruleStore(db),
    ...deliveryStore(db),
    ...signalStore(db),
    ...gatheredStore(db),
    ...ongoingStore(db),
  };
}

type OngoingStore = Pick<AlertStore, 'listAskingRules' | 'listOngoing' | 'beginOngoing' | 'endOngoing'>;

/** The queries on what goes on. */
function ongoingStore(db: Db): OngoingStore {
  return {
    async listAskingRules(kind) {
      const rows = await db.all<{ id: number; project_id: number | null; terms: string }>(
        'SELECT id, project_id, terms FROM alert_rules WHERE kind = $1 ORDER BY id',
        [kind],
      );
      return rows.map(({ id, project_id: projectId, terms }) => ({
        id: Number(id),
        projectId: numberOrNull(projectId),
        terms: JSON.parse(terms) as RuleTerms,
      }));
    },
    async listOngoing(kind) {
      const rows = await db.all<{ rule_id: number; project_id: number; object: string }>(
        `SELECT o.rule_id, o.project_id, o.object FROM alert_rules r JOIN alert_ongoing o ON o.rule_id = r.id
         WHERE r.kind = $1 ORDER BY o.rule_id, o.object`,
        [kind],
      );
      return rows.map((row) => ({
        ruleId: Number(row.rule_id),
        projectId: projectOf(row.project_id),
        object: row.object,
      }));
    },
    beginOngoing: ({ ruleId, projectId, object, objectId, kind, atMs, said }) =>
      db.write(async (tx) => {
        const { changes } = await tx.run(
          `INSERT INTO alert_ongoing (rule_id, object, project_id, since_ms)
           SELECT id, CAST($2 AS TEXT), CAST($3 AS BIGINT), CAST($4 AS BIGINT) FROM alert_rules WHERE id = $1
           ON CONFLICT (rule_id, object) DO NOTHING`,
          [ruleId, object, projectId ?? noProject, atMs],
        );
        if (changes === 0) return false;
        await signal(tx, { projectId, kind, objectId, atMs, ruleId, said, object });
        return true;
      }),
    endOngoing: (at, mendedAtMs) =>
      db.write(async (tx) => {
        await tx.run('DELETE FROM alert_ongoing WHERE rule_id = $1 AND object = $2', [at.ruleId, at.object]);
        if (mendedAtMs !== null) await followEnd(tx, at, mendedAtMs);
      }),
  };
}

function toldOf(row: ToldRow): ToldObject {
  return {
    gatheredId: Number(row.id),
    projectId: projectOf(row.project_id),
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
    path: row.path,
    incident:
      row.incident_id === null ? null : { id: Number(row.incident_id), title: row.incident_title ?? '' },
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
    incidents: number;
  }>(
    `SELECT COALESCE(SUM(CASE WHEN ${isOverflow} THEN 0 ELSE 1 END), 0) AS count,
       COUNT(DISTINCT g.project_id) AS projects, MIN(g.project_id) AS project_id,
       COUNT(DISTINCT CASE WHEN NOT ${isOverflow} THEN n.id END) AS incidents ${fromGathered}`,
    at,
  );
  // Of what was deleted meanwhile nothing is told, but it goes too.
  const last = await query.get<{ last_id: number | null }>(
    'SELECT MAX(id) AS last_id FROM alert_gathered WHERE rule_id = $1 AND channel_id = $2',
    at,
  );
  const [largest, overflow] = [
    await query.all<ToldRow>(
      `SELECT ${toldColumns} ${fromGathered} AND NOT ${isOverflow}
       ORDER BY COALESCE(i.events_count, 0) DESC, g.id LIMIT $3`,
      [...at, named],
    ),
    // All of them, one a project: each is remembered with what was told of it.
    await query.all<ToldRow>(`SELECT ${toldColumns} ${fromGathered} AND ${isOverflow} ORDER BY g.id`, at),
  ];
  const incidents = Number(sums?.incidents ?? 0);
  const projects = Number(sums?.projects ?? 0);
  return {
    count: Number(sums?.count ?? 0),
    projects,
    projectId: projects === 1 ? projectOf(sums?.project_id ?? noProject) : null,
    largest: largest.map(toldOf),
    overflow: overflow.map(toldOf),
    incidents: { count: incidents, named: incidents === 0 ? [] : await namedIncidents(query, at, named) },
    lastId: Number(last?.last_id ?? 0),
  };
}

async function namedIncidents(query: Query, at: readonly number[], named: number): Promise<NamedIncident[]> {
  const rows = await query.all<{ id: number; title: string }>(
    `SELECT DISTINCT n.id, n.title ${fromGathered} AND NOT ${isOverflow} AND n.id IS NOT NULL
     ORDER BY n.id LIMIT $3`,
    [...at, named],
  );
  return rows.map(({ id, title }) => ({ id: Number(id), title }));
}
