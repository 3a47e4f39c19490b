import { incidentChangeRequest, incidentRequest, incidentsQuery } from '../schemas/incidents.ts';
import { keySource } from '../src/core/audit/audit.ts';
import type { Deps } from '../src/core/deps.ts';
import {
  createIncident,
  deleteIncident,
  getIncident,
  updateIncident,
} from '../src/core/incidents/incidents.ts';
import { viewIncident } from '../src/core/incidents/views.ts';
import type { IncidentRecord } from '../src/core/store/incidents.ts';
import { listInMemory } from '../src/http/api/list-response.ts';
import { parseParameters, pathId } from '../src/http/api/parse-parameters.ts';
import { created, type Handler, ok } from '../src/http/api/route.ts';

/** Incidents of the project's monitors, and those created with its keys. */
export function getIncidents(deps: Deps): Handler {
  return async (request) => {
    const query = parseParameters(incidentsQuery, request);
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
  };
}

function matchesState(state: IncidentRecord['state'], filter: string | null | undefined): boolean {
  return (
    filter == null || (filter === 'open' ? state !== 'resolved' && state !== 'planned' : state === filter)
  );
}

export function postIncidents(deps: Deps): Handler {
  return async (request) => {
    const input = parseParameters(incidentRequest, request);
    const incident = await createIncident(deps, request.project.id, input, keySource(request));
    return created({ accepted: true, ...viewIncident(incident) });
  };
}

export function getOneIncident(deps: Deps): Handler {
  return async (request) =>
    ok(viewIncident(await getIncident(deps, request.project.id, pathId(request, 'incident'))));
}

export function postIncident(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'incident');
    const changes = parseParameters(incidentChangeRequest, request);
    const changed = await updateIncident(deps, request.project.id, id, changes, keySource(request));
    return ok({ accepted: true, ...viewIncident(changed) });
  };
}

export function deleteOneIncident(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'incident');
    const previous = await deleteIncident(deps, request.project.id, id, keySource(request));
    return ok({ deleted: true, previous: viewIncident(previous) });
  };
}
