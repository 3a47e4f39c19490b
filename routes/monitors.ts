// /monitors: what is watched from outside, how often, and how it stands.
import { monitorChangeRequest, monitorRequest, monitorsQuery } from '../schemas/monitors.ts';
import { actAudited, byKey } from '../src/core/audit/audit.ts';
import { toldOfMonitor } from '../src/core/audit/told-monitors.ts';
import type { Deps } from '../src/core/deps.ts';
import { heartbeatPath } from '../src/core/monitors/calls.ts';
import {
  changeMonitor,
  createMonitor,
  deleteMonitor,
  getMonitor,
  renewAddress,
} from '../src/core/monitors/monitors.ts';
import { viewMonitor } from '../src/core/monitors/views.ts';
import { listedOf } from '../src/http/api/collection.ts';
import { parseBody } from '../src/http/api/parse-body.ts';
import { pathId } from '../src/http/api/path-id.ts';
import { type ApiRequest, created, type Handler, ok } from '../src/http/api/route.ts';

/** The monitors that keys of the project made, as they were made unless asked otherwise. */
export function getMonitors(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(monitorsQuery, request);
    const rows = await deps.store.listKeptMonitors(request.project.id);
    return listedOf(request, asked, rows, {
      path: '/monitors',
      text: ({ name }) => name,
      orders: { id: ({ id }) => id, name: ({ name }) => name },
      views: (found) => found.map(viewMonitor),
    });
  };
}

/** Makes a monitor: 201. Its first check follows within five seconds; what calls it is told where, once. */
export function postMonitors(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(monitorRequest, request);
    const by = byKey(request);
    const { monitor, token } = await actAudited(deps, by, async (parts) => {
      const result = await createMonitor(parts, request.project.id, asked, by.actor.name);
      return { result, told: toldOfMonitor(result.monitor, 'monitor.created') };
    });
    return created({ accepted: true, ...viewMonitor(monitor), ...addressOf(request, token) });
  };
}

/** What a heartbeat is called by, where it was just made. */
function addressOf(request: ApiRequest, token: string | null): { readonly heartbeat_url?: string } {
  return token === null ? {} : { heartbeat_url: request.restUrl(heartbeatPath(token)) };
}

/** One monitor, as it stands. */
export function getOneMonitor(deps: Deps): Handler {
  return async (request) =>
    ok(viewMonitor(await getMonitor(deps, request.project.id, pathId(request, 'monitor'))));
}

/** Changes what is given. */
export function postMonitor(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'monitor');
    const asked = parseBody(monitorChangeRequest, request);
    const { changed, token } = await actAudited(deps, byKey(request), async (parts) => {
      const monitor = await changeMonitor(parts, request.project.id, id, asked);
      const renewed = asked.new_address === true ? await renewAddress(parts, monitor) : null;
      const told = toldOfMonitor(monitor, renewed === null ? 'monitor.changed' : 'monitor.readdressed');
      return { result: { changed: monitor, token: renewed }, told };
    });
    return ok({ accepted: true, ...viewMonitor(changed), ...addressOf(request, token) });
  };
}

/** Deletes a monitor with what it measured and answers what it was. */
export function deleteOneMonitor(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'monitor');
    const previous = await actAudited(deps, byKey(request), async (parts) => {
      const result = await deleteMonitor(parts, request.project.id, id);
      return { result, told: toldOfMonitor(result, 'monitor.deleted') };
    });
    return ok({ deleted: true, previous: viewMonitor(previous) });
  };
}
