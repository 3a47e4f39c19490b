import {
  maintenanceWindowChangeRequest,
  maintenanceWindowRequest,
  maintenanceWindowsQuery,
} from '../schemas/maintenance-windows.ts';
import { keySource } from '../src/core/audit/audit.ts';
import type { Deps } from '../src/core/deps.ts';
import {
  createWindow,
  deleteWindow,
  getWindow,
  updateWindow,
  viewWindow,
} from '../src/core/monitors/maintenance-windows/windows.ts';
import { listInMemory } from '../src/http/api/list-response.ts';
import { parseParameters, pathId } from '../src/http/api/parse-parameters.ts';
import { created, type Handler, ok } from '../src/http/api/route.ts';

export function getMaintenanceWindows(deps: Deps): Handler {
  return async (request) => {
    const query = parseParameters(maintenanceWindowsQuery, request);
    const rows = await deps.store.listWindows(request.project.id);
    return listInMemory(request, query, rows, {
      path: '/maintenance-windows',
      text: ({ title }) => title,
      orders: { date: ({ fromMs }) => fromMs, id: ({ id }) => id, title: ({ title }) => title },
      views: (found) => found.map(viewWindow),
    });
  };
}

export function postMaintenanceWindows(deps: Deps): Handler {
  return async (request) => {
    const input = parseParameters(maintenanceWindowRequest, request);
    const window = await createWindow(deps, request.project.id, input, keySource(request));
    return created({ accepted: true, ...viewWindow(window) });
  };
}

export function getOneMaintenanceWindow(deps: Deps): Handler {
  return async (request) =>
    ok(viewWindow(await getWindow(deps, request.project.id, pathId(request, 'maintenance_window'))));
}

export function postMaintenanceWindow(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'maintenance_window');
    const changes = parseParameters(maintenanceWindowChangeRequest, request);
    const changed = await updateWindow(deps, request.project.id, id, changes, keySource(request));
    return ok({ accepted: true, ...viewWindow(changed) });
  };
}

export function deleteMaintenanceWindow(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'maintenance_window');
    const previous = await deleteWindow(deps, request.project.id, id, keySource(request));
    return ok({ deleted: true, previous: viewWindow(previous) });
  };
}
