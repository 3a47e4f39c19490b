import { windowChangeRequest, windowRequest, windowsQuery } from '../schemas/maintenance-windows.ts';
import { byKey } from '../src/core/audit/audit.ts';
import type { Deps } from '../src/core/deps.ts';
import { viewWindow } from '../src/core/monitors/windows/views.ts';
import { createWindow, deleteWindow, getWindow, updateWindow } from '../src/core/monitors/windows/windows.ts';
import { listedOf } from '../src/http/api/collection.ts';
import { parseBody } from '../src/http/api/parse-body.ts';
import { pathId } from '../src/http/api/path-id.ts';
import { created, type Handler, ok } from '../src/http/api/route.ts';

export function getMaintenanceWindows(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(windowsQuery, request);
    const rows = await deps.store.listWindows(request.project.id);
    return listedOf(request, asked, rows, {
      path: '/maintenance-windows',
      text: ({ title }) => title,
      orders: { date: ({ fromMs }) => fromMs, id: ({ id }) => id, title: ({ title }) => title },
      views: (found) => found.map(viewWindow),
    });
  };
}

export function postMaintenanceWindows(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(windowRequest, request);
    const window = await createWindow(deps, request.project.id, asked, byKey(request));
    return created({ accepted: true, ...viewWindow(window) });
  };
}

/** With the current or next occurrence. */
export function getOneMaintenanceWindow(deps: Deps): Handler {
  return async (request) =>
    ok(viewWindow(await getWindow(deps, request.project.id, pathId(request, 'maintenance_window'))));
}

export function postMaintenanceWindow(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'maintenance_window');
    const asked = parseBody(windowChangeRequest, request);
    const changed = await updateWindow(deps, request.project.id, id, asked, byKey(request));
    return ok({ accepted: true, ...viewWindow(changed) });
  };
}

export function deleteMaintenanceWindow(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'maintenance_window');
    const previous = await deleteWindow(deps, request.project.id, id, byKey(request));
    return ok({ deleted: true, previous: viewWindow(previous) });
  };
}
