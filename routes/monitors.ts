import { monitorChangeRequest, monitorRequest, monitorsQuery } from '../schemas/monitors.ts';
import { keySource } from '../src/core/audit/audit.ts';
import { heartbeatPath } from '../src/core/monitors/heartbeat.ts';
import {
  checkMonitorNow,
  createMonitor,
  deleteMonitor,
  getMonitor,
  updateMonitor,
} from '../src/core/monitors/monitors.ts';
import { viewMonitor } from '../src/core/monitors/views.ts';
import { listInMemory } from '../src/http/api/list-response.ts';
import { parseParameters, pathId } from '../src/http/api/parse-parameters.ts';
import { actionHandler, deleteHandler, showHandler } from '../src/http/api/resource-handlers.ts';
import { type ApiRequest, created, handler, ok } from '../src/http/api/route.ts';

export const getMonitors = handler(async (deps, request) => {
  const query = parseParameters(monitorsQuery, request);
  const rows = await deps.store.listMonitors(request.project.id);
  return listInMemory(request, query, rows, {
    path: '/monitors',
    text: ({ name }) => name,
    orders: { id: ({ id }) => id, name: ({ name }) => name },
    views: (found) => found.map(viewMonitor),
  });
});

/** 201. The first check follows within five seconds. */
export const postMonitors = handler(async (deps, request) => {
  const input = parseParameters(monitorRequest, request);
  const { monitor, token } = await createMonitor(deps, request.project.id, input, keySource(request));
  return created({ accepted: true, ...viewMonitor(monitor), ...addressOf(request, token) });
});

/** The URL of a push monitor, shown only when its token was just created. */
function addressOf(request: ApiRequest, token: string | null): { readonly heartbeat_url?: string } {
  return token === null ? {} : { heartbeat_url: request.restUrl(heartbeatPath(token)) };
}

export const getOneMonitor = showHandler('monitor', getMonitor, viewMonitor);

export const postMonitor = handler(async (deps, request) => {
  const id = pathId(request, 'monitor');
  const changes = parseParameters(monitorChangeRequest, request);
  const { monitor, token } = await updateMonitor(deps, request.project.id, id, changes, keySource(request));
  return ok({ accepted: true, ...viewMonitor(monitor), ...addressOf(request, token) });
});

/** The check is due at once; its result is at the monitor some seconds later. */
export const postMonitorCheck = actionHandler('monitor', checkMonitorNow, viewMonitor);
export const deleteOneMonitor = deleteHandler('monitor', deleteMonitor, viewMonitor);
