// /maintenance-windows: planned work, when it is, and which monitors it is about.
import { windowChangeRequest, windowRequest, windowsQuery } from '../schemas/maintenance-windows.ts';
import { byKey } from '../src/core/audit/audit.ts';
import type { Deps } from '../src/core/deps.ts';
import { viewWindow } from '../src/core/monitors/windows/views.ts';
import { createWindow, deleteWindow, getWindow, updateWindow } from '../src/core/monitors/windows/windows.ts';
import { listedOf } from '../src/http/api/collection.ts';
import { parseBody } from '../src/http/api/parse-body.ts';
import { pathId } from '../src/http/api/path-id.ts';
import { created, type Handler, ok } from '../src/http/api/route.ts';

/** What the project planned, the newest first unless asked otherwise. */
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

/** Plans work: 201. */
export function postMaintenanceWindows(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(windowRequest, request);
    const window = await createWindow(deps, request.project.id, asked, byKey(request));
    return created({ accepted: true, ...viewWindow(window) });
  };
}

/** One window, with the work that is under way or comes next. */
export function getOneMaintenanceWindow(deps: Deps): Handler {
  return async (request) =>
    ok(viewWindow(await getWindow(deps, request.project.id, pathId(request, 'maintenance_window'))));
}

/** Changes what is given. */
export function postMaintenanceWindow(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'maintenance_window');
    const asked = parseBody(windowChangeRequest, request);
    const changed = await updateWindow(deps, request.project.id, id, asked, byKey(request));
    return ok({ accepted: true, ...viewWindow(changed) });
  };
}

/** Calls it off and answers what it was. */
export function deleteMaintenanceWindow(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'maintenance_window');
    const previous = await deleteWindow(deps, request.project.id, id, byKey(request));
    return ok({ deleted: true, previous: viewWindow(previous) });
  };
}
