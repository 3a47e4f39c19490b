// /maintenance-windows: planned work, when it is, and which monitors it is about.
import { windowChangeRequest, windowRequest, windowsQuery } from '../schemas/maintenance-windows.ts';
import { actAudited, byKey } from '../src/core/audit/audit.ts';
import { toldOfWindow } from '../src/core/audit/told-monitors.ts';
import type { Deps } from '../src/core/deps.ts';
import { viewWindow } from '../src/core/monitors/windows/views.ts';
import { changeWindow, deleteWindow, getWindow, planWindow } from '../src/core/monitors/windows/windows.ts';
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
    const by = byKey(request);
    const window = await actAudited(deps, by, async (parts) => {
      const result = await planWindow(parts, request.project.id, asked, by.actor.name);
      return { result, told: toldOfWindow(result, 'work.planned') };
    });
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
    const changed = await actAudited(deps, byKey(request), async (parts) => {
      const result = await changeWindow(parts, request.project.id, id, asked);
      return { result, told: toldOfWindow(result, 'work.changed') };
    });
    return ok({ accepted: true, ...viewWindow(changed) });
  };
}

/** Calls it off and answers what it was. */
export function deleteMaintenanceWindow(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'maintenance_window');
    const previous = await actAudited(deps, byKey(request), async (parts) => {
      const result = await deleteWindow(parts, request.project.id, id);
      return { result, told: toldOfWindow(result, 'work.called_off') };
    });
    return ok({ deleted: true, previous: viewWindow(previous) });
  };
}
