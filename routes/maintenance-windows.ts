import {
  maintenanceWindowChangeRequest,
  maintenanceWindowRequest,
  maintenanceWindowsQuery,
} from '../schemas/maintenance-windows.ts';
import {
  createWindow,
  deleteWindow,
  getWindow,
  updateWindow,
  viewWindow,
} from '../src/core/monitors/maintenance-windows/windows.ts';
import { listInMemory } from '../src/http/api/list-response.ts';
import {
  createHandler,
  deleteHandler,
  showHandler,
  updateHandler,
} from '../src/http/api/resource-handlers.ts';
import { inputHandler } from '../src/http/api/route.ts';

export const getMaintenanceWindows = inputHandler(maintenanceWindowsQuery, async (deps, request, query) => {
  const rows = await deps.store.listWindows(request.project.id);
  return listInMemory(request, query, rows, {
    path: '/maintenance-windows',
    text: ({ title }) => title,
    orders: { date: ({ fromMs }) => fromMs, id: ({ id }) => id, title: ({ title }) => title },
    views: (found) => found.map(viewWindow),
  });
});

export const postMaintenanceWindows = createHandler(maintenanceWindowRequest, createWindow, viewWindow);
export const getOneMaintenanceWindow = showHandler('maintenance_window', getWindow, viewWindow);
export const postMaintenanceWindow = updateHandler(
  'maintenance_window',
  maintenanceWindowChangeRequest,
  updateWindow,
  viewWindow,
);
export const deleteMaintenanceWindow = deleteHandler('maintenance_window', deleteWindow, viewWindow);
