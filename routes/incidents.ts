import { incidentChangeRequest, incidentRequest, incidentsQuery } from '../schemas/incidents.ts';
import {
  createIncident,
  deleteIncident,
  getIncident,
  updateIncident,
} from '../src/core/incidents/incidents.ts';
import { viewIncident } from '../src/core/incidents/views.ts';
import type { IncidentRecord } from '../src/core/store/incidents.ts';
import { listInMemory } from '../src/http/api/list-response.ts';
import {
  createHandler,
  deleteHandler,
  showHandler,
  updateHandler,
} from '../src/http/api/resource-handlers.ts';
import { inputHandler } from '../src/http/api/route.ts';

/** Incidents of the project's monitors, and those created with its keys. */
export const getIncidents = inputHandler(incidentsQuery, async (deps, request, query) => {
  const rows = (await deps.store.listIncidentHeads(request.project.id)).filter(({ state }) =>
    matchesState(state, query.state),
  );
  return listInMemory(request, query, rows, {
    path: '/incidents',
    text: ({ title }) => title,
    orders: { date: ({ startedAtMs }) => startedAtMs, id: ({ id }) => id, title: ({ title }) => title },
    async views(found) {
      const records = await deps.store.listIncidentRecords(found.map(({ id }) => id));
      const byId = new Map(records.map((incident) => [incident.id, incident]));
      // Deleted meanwhile: shown without updates.
      return found.map((head) => viewIncident(byId.get(head.id) ?? head));
    },
  });
});

function matchesState(state: IncidentRecord['state'], filter: string | null | undefined): boolean {
  return (
    filter == null || (filter === 'open' ? state !== 'resolved' && state !== 'planned' : state === filter)
  );
}

export const postIncidents = createHandler(incidentRequest, createIncident, viewIncident);
export const getOneIncident = showHandler('incident', getIncident, viewIncident);
export const postIncident = updateHandler('incident', incidentChangeRequest, updateIncident, viewIncident);
export const deleteOneIncident = deleteHandler('incident', deleteIncident, viewIncident);
