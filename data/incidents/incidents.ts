import { hourMs } from '../../src/core/parsing/durations.ts';
import type {
  Cause,
  CauseKind,
  Incident,
  IncidentLink,
  IncidentRecord,
  IncidentStore,
} from '../../src/core/store/incidents.ts';
import type { Db, Query, StoreMethod } from '../db.ts';
import { countRows } from '../paging.ts';
import { ownerCondition } from '../table.ts';
import { toValueList } from '../value-lists.ts';
import { applyRuleMatch } from './of-rules.ts';
import { newestUpdates, readByIds, readIncidents } from './rows.ts';
import { addIncident, addLink, addUpdate, writeChange } from './writing.ts';

const proposedMax = 3;

type CauseRow = Cause & { readonly id: number; readonly why: string };

interface CauseQuery {
  readonly sql: string;
  /** How long before and after the start of the incident. */
  readonly beforeMs: number;
  readonly afterMs: number;
}

const ofProject = '(CAST($3 AS BIGINT) IS NULL OR t.project_id = $3)';
const within = `>= $1 AND t.created_at_ms <= $2 AND ${ofProject}
      ORDER BY t.created_at_ms DESC, t.id DESC LIMIT $4`;

const causeQueries: Readonly<Record<CauseKind, CauseQuery>> = {
  deploy: {
    sql: `SELECT t.id, t.project_id AS "projectId", r.version || ' to ' || t.environment AS name, t.created_at_ms AS "atMs",
        'deployed before it' AS why
      FROM deploys t JOIN releases r ON r.id = t.release_id WHERE t.created_at_ms ${within}`,
    beforeMs: 6 * hourMs,
    afterMs: 0,
  },
  release: {
    sql: `SELECT t.id, t.project_id AS "projectId", t.version AS name, t.created_at_ms AS "atMs", 'created before it' AS why
      FROM releases t WHERE t.created_at_ms ${within}`,
    beforeMs: 24 * hourMs,
    afterMs: 0,
  },
  test_run: {
    sql: `SELECT t.id, t.project_id AS "projectId", '#' || t.id AS name, t.created_at_ms AS "atMs",
        (t.failed + t.errors) || ' of ' || t.tests || ' tests failed' AS why
      FROM test_runs t WHERE t.status IN ('failed', 'error') AND t.created_at_ms ${within}`,
    beforeMs: 6 * hourMs,
    afterMs: 0,
  },
  issue: {
    // By project: the index of first_seen_ms begins with it.
    sql: `SELECT t.id, t.project_id AS "projectId", '#' || t.id AS name, t.first_seen_ms AS "atMs", 'new about then' AS why
      FROM projects p JOIN issues t ON t.project_id = p.id AND t.merged_into IS NULL
      WHERE t.first_seen_ms >= $1 AND t.first_seen_ms <= $2 AND ${ofProject} AND t.is_overflow = 0
      ORDER BY t.events_count DESC, t.id DESC LIMIT $4`,
    beforeMs: hourMs,
    afterMs: hourMs,
  },
};
const causeKinds = Object.keys(causeQueries) as CauseKind[];

async function proposedCauses(query: Query, incident: Incident): Promise<IncidentLink[]> {
  const { projectId, startedAtMs, links } = incident;
  const proposed: IncidentLink[] = [];
  for (const kind of causeKinds) {
    const { sql, beforeMs, afterMs } = causeQueries[kind];
    const range = [startedAtMs - beforeMs, startedAtMs + afterMs];
    const known = new Set(links.filter((link) => link.kind === kind).map(({ id }) => id));
    const rows = await query.all<CauseRow>(sql, [...range, projectId, proposedMax + known.size]);
    const unknown = rows.filter(({ id }) => !known.has(id)).slice(0, proposedMax);
    for (const { atMs, ...row } of unknown) {
      const beforeMs = atMs > startedAtMs ? null : startedAtMs - atMs;
      proposed.push({ ...row, kind, beforeMs, linkedBy: null, isDismissed: false });
    }
  }
  return proposed;
}

const causeByIdSql: Readonly<Record<CauseKind, string>> = {
  deploy: `SELECT t.project_id AS "projectId", r.version || ' to ' || t.environment AS name, t.created_at_ms AS "atMs"
    FROM deploys t JOIN releases r ON r.id = t.release_id WHERE t.id = $1`,
  release:
    'SELECT project_id AS "projectId", version AS name, created_at_ms AS "atMs" FROM releases WHERE id = $1',
  test_run: `SELECT project_id AS "projectId", '#' || id AS name, created_at_ms AS "atMs" FROM test_runs WHERE id = $1`,
  issue: `SELECT project_id AS "projectId", '#' || id AS name, first_seen_ms AS "atMs" FROM issues WHERE id = $1`,
};

export function incidentStore(db: Db): IncidentStore {
  return {
    listIncidents: (fromMs) =>
      readIncidents(db, 'WHERE resolved_at_ms IS NULL OR resolved_at_ms >= $1 OR started_at_ms >= $1', [
        fromMs,
      ]),
    listLinkedIncidents({ side, kind, ids }, fromMs) {
      const list = toValueList(ids, 4);
      const where = `WHERE id IN (SELECT incident_id FROM incident_links
          WHERE kind = $1 AND side = $2 AND object_id IN (${list.placeholders}))
        AND (resolved_at_ms IS NULL OR resolved_at_ms >= $3 OR started_at_ms >= $3)`;
      return readIncidents(db, where, [kind, side, fromMs, ...list.values], null);
    },
    // With the newest update of each alone: there may be hundreds.
    listOpenIncidents: () => readIncidents(db, 'WHERE resolved_at_ms IS NULL', [], newestUpdates),
    findIncident: (id) => findFullIncident(db, id),
    listIncidentHeads: (projectId) => readIncidents(db, 'WHERE project_id = $1', [projectId], null),
    listIncidentRecords: (ids) => (ids === null ? readIncidents(db, '', []) : readByIds(db, ids)),
    listIncidentsOf: (ids) => readByIds(db, ids, newestUpdates),
    countOpenIncidents(projectId) {
      const owner = ownerCondition(projectId);
      const open = `FROM incidents WHERE resolved_at_ms IS NULL AND severity <> 'planned' AND ${owner.sql}`;
      return countRows(db, open, owner.values);
    },
    async openOfMonitor(monitorId) {
      const row = await db.get<{ id: number }>(
        'SELECT id FROM incidents WHERE monitor_id = $1 AND resolved_at_ms IS NULL',
        [monitorId],
      );
      return row === undefined ? null : Number(row.id);
    },
    openIncident: (incident) =>
      db.write(async (tx) => {
        const created = await findFullIncident(tx, await addIncident(tx, incident));
        if (created === null) throw new Error('The row was not found after it was written.');
        return created;
      }),
    changeIncident: (incident, change, { update, link }) =>
      db.write(async (tx) => {
        if (!(await writeChange(tx, incident, change))) return null;
        if (update !== null) await addUpdate(tx, incident.id, update);
        if (link !== null) await addLink(tx, incident.id, 'cause', link);
        return findFullIncident(tx, incident.id);
      }),
    applyRuleMatch: (finding) => db.write((tx) => applyRuleMatch(tx, finding)),
    deleteIncident: (id) =>
      db.write(async (tx) => {
        const deleted = await findFullIncident(tx, id);
        for (const table of ['incident_updates', 'incident_links', 'status_announcements']) {
          await tx.run(`DELETE FROM ${table} WHERE incident_id = $1`, [id]);
        }
        await tx.run('DELETE FROM incidents WHERE id = $1', [id]);
        return deleted;
      }),
    findCause: (projectId, kind, id) => findCause(db, projectId, kind, id),
  };
}

async function findFullIncident(query: Query, id: number): Promise<IncidentRecord | null> {
  const [incident] = await readIncidents(query, 'WHERE id = $1', [id]);
  if (incident === undefined || incident.severity === 'planned') return incident ?? null;
  return { ...incident, links: [...incident.links, ...(await proposedCauses(query, incident))] };
}

/** Null where it does not exist or belongs to another project. */
const findCause: StoreMethod<'findCause'> = async (query, projectId, kind, id) => {
  const cause = await query.get<Cause>(causeByIdSql[kind], [id]);
  if (cause === undefined || (projectId !== null && cause.projectId !== projectId)) return null;
  return cause;
};
