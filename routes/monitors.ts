import { monitorChangeRequest, monitorRequest, monitorsQuery } from '../schemas/monitors.ts';
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
import { pathId } from '../src/http/api/parse-parameters.ts';
import { actionHandler, deleteHandler, showHandler } from '../src/http/api/resource-handlers.ts';
import { type ApiRequest, created, inputHandler, ok } from '../src/http/api/route.ts';

export const getMonitors = inputHandler(monitorsQuery, async (deps, request, query) => {
  const rows = await deps.store.listMonitors(request.project.id);
  return listInMemory(request, query, rows, {
    path: '/monitors',
    text: ({ name }) => name,
    orders: { id: ({ id }) => id, name: ({ name }) => name },
    views: (found) => found.map(viewMonitor),
  });
});

/** 201. The first check follows within five seconds. */
export const postMonitors = inputHandler(monitorRequest, async (deps, request, input) => {
  const { monitor, token } = await createMonitor(deps, request.project.id, input, request.by);
  return created({ accepted: true, ...viewMonitor(monitor), ...addressOf(request, token) });
});

/** The URL of a push monitor, shown only when its token was just created. */
function addressOf(request: ApiRequest, token: string | null): { readonly heartbeat_url?: string } {
  return token === null ? {} : { heartbeat_url: request.restUrl(heartbeatPath(token)) };
}

export const getOneMonitor = showHandler('monitor', getMonitor, viewMonitor);

export const postMonitor = inputHandler(monitorChangeRequest, async (deps, request, changes) => {
  const id = pathId(request, 'monitor');
  const { monitor, token } = await updateMonitor(deps, request.project.id, id, changes, request.by);
  return ok({ accepted: true, ...viewMonitor(monitor), ...addressOf(request, token) });
});

/** The check is due at once; its result is at the monitor some seconds later. */
export const postMonitorCheck = actionHandler('monitor', checkMonitorNow, viewMonitor);
export const deleteOneMonitor = deleteHandler('monitor', deleteMonitor, viewMonitor);
