// Incidents in SQL: what is asked of them, and what is done with them. Queries only.
import type { IncidentStore, KeptIncident } from '../../src/core/store/incidents/keeping.ts';
import { ofOwner } from '../columns.ts';
import type { Db, Query } from '../db.ts';
import { findCause, proposedCauses } from './causes.ts';
import { followRule } from './of-rules.ts';
import { newestUpdates, readIncidents, readOpen, readSome, readTied } from './rows.ts';
import { addIncident, addLink, addUpdate, dropIncident, writeChange } from './writing.ts';

/** The queries of `IncidentStore`. */
export function incidentStore(db: Db): IncidentStore {
  return {
    listIncidents: (fromMs) =>
      readIncidents(db, 'WHERE resolved_at_ms IS NULL OR resolved_at_ms >= $1 OR started_at_ms >= $1', [
        fromMs,
      ]),
    listTiedIncidents: (tie, fromMs) => readTied(db, tie, fromMs),
    listOpenIncidents: () => readOpen(db),
    findIncident: (id) => findWhole(db, id),
    findKeptIncident: (id) => findWhole(db, id),
    listIncidentHeads: (projectId) => readIncidents(db, 'WHERE project_id = $1', [projectId], null),
    listKeptIncidents: (ids) => (ids === null ? readIncidents(db, '', []) : readSome(db, ids)),
    listIncidentsOf: (ids) => readSome(db, ids, newestUpdates),
    async countOpenIncidents(projectId) {
      const owner = ofOwner(projectId);
      const open = `SELECT COUNT(*) AS count FROM incidents
        WHERE resolved_at_ms IS NULL AND severity <> 'planned' AND ${owner.sql}`;
      return Number((await db.get<{ count: number }>(open, owner.values))?.count ?? 0);
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
        const made = await findWhole(tx, await addIncident(tx, incident));
        if (made === null) throw new Error('What was written just now is not there.');
        return made;
      }),
    changeIncident: (incident, change, { update, link }) =>
      db.write(async (tx) => {
        if (!(await writeChange(tx, incident, change))) return null;
        if (update !== null) await addUpdate(tx, incident.id, update);
        if (link !== null) await addLink(tx, incident.id, 'cause', link);
        return findWhole(tx, incident.id);
      }),
    followRule: (finding) => db.write((tx) => followRule(tx, finding)),
    deleteIncident: (id) =>
      db.write(async (tx) => {
        const there = await findWhole(tx, id);
        await dropIncident(tx, id);
        return there;
      }),
    findCause: (projectId, kind, id) => findCause(db, projectId, kind, id),
  };
}

async function findWhole(query: Query, id: number): Promise<KeptIncident | null> {
  const [incident] = await readIncidents(query, 'WHERE id = $1', [id]);
  if (incident === undefined || incident.severity === 'planned') return incident ?? null;
  return { ...incident, links: [...incident.links, ...(await proposedCauses(query, incident))] };
}
