// /incidents: what went wrong, how far it is, and what is said of it.
import { incidentChangeRequest, incidentRequest, incidentsQuery } from '../schemas/incidents.ts';
import { byKey } from '../src/core/audit/audit.ts';
import type { Deps } from '../src/core/deps.ts';
import {
  createIncident,
  deleteIncident,
  getIncident,
  updateIncident,
} from '../src/core/incidents/incidents.ts';
import { viewIncident } from '../src/core/incidents/views.ts';
import type { KeptIncident } from '../src/core/store/incidents/keeping.ts';
import { listedOf } from '../src/http/api/collection.ts';
import { parseBody } from '../src/http/api/parse-body.ts';
import { pathId } from '../src/http/api/path-id.ts';
import { created, type Handler, ok } from '../src/http/api/route.ts';

/** The incidents of the project: those of its monitors, and those that its keys opened; the newest first. */
export function getIncidents(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(incidentsQuery, request);
    const rows = (await deps.store.listIncidentHeads(request.project.id)).filter(({ state }) =>
      isAsked(state, asked.state),
    );
    return listedOf(request, asked, rows, {
      path: '/incidents',
      text: ({ title }) => title,
      orders: { date: ({ startedAtMs }) => startedAtMs, id: ({ id }) => id, title: ({ title }) => title },
      async views(found) {
        const whole = await deps.store.listKeptIncidents(found.map(({ id }) => id));
        const byId = new Map(whole.map((incident) => [incident.id, incident]));
        // What was deleted meanwhile is as it was, but for what was said of it.
        return found.map((head) => viewIncident(byId.get(head.id) ?? head));
      },
    });
  };
}

function isAsked(state: KeptIncident['state'], asked: string | null | undefined): boolean {
  return asked == null || (asked === 'open' ? state !== 'resolved' && state !== 'planned' : state === asked);
}

/** Opens an incident: 201. */
export function postIncidents(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(incidentRequest, request);
    const incident = await createIncident(deps, request.project.id, asked, byKey(request));
    return created({ accepted: true, ...viewIncident(incident) });
  };
}

/** One incident, with what its time proposes as causes. */
export function getOneIncident(deps: Deps): Handler {
  return async (request) =>
    ok(viewIncident(await getIncident(deps, request.project.id, pathId(request, 'incident'))));
}

/** Changes what is given. */
export function postIncident(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'incident');
    const asked = parseBody(incidentChangeRequest, request);
    const changed = await updateIncident(deps, request.project.id, id, asked, byKey(request));
    return ok({ accepted: true, ...viewIncident(changed) });
  };
}

/** Deletes an incident with what was said of it and answers what it was. */
export function deleteOneIncident(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'incident');
    const previous = await deleteIncident(deps, request.project.id, id, byKey(request));
    return ok({ deleted: true, previous: viewIncident(previous) });
  };
}
