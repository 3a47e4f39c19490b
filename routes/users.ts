// /users: whom the events of a project name, found by a whole id, address or name.
import { userExportQuery, usersQuery } from '../schemas/users.ts';
import type { Deps } from '../src/core/deps.ts';
import { eraseUser } from '../src/core/users/erase.ts';
import { exportUser } from '../src/core/users/export.ts';
import { findUsers, getUser } from '../src/core/users/find.ts';
import { readUserRecords, viewUser, viewUserDetails } from '../src/core/users/views.ts';
import { listResponse, toListWindow } from '../src/http/api/list-response.ts';
import { type ApiRequest, handler, inputHandler, ok } from '../src/http/api/route.ts';

export const getUsers = inputHandler(usersQuery, async (deps, request, query) => {
  const found = await findUsers(deps, [request.project.id], query.query);
  const { limit, offset } = toListWindow(query);
  const rows = found.slice(offset, offset + limit).map(viewUser);
  return listResponse(request, '/users', query, { rows, total: found.length });
});

/** Answers at once; a user of many events is erased in the background. */
export const deleteOneUser = handler(async (deps, request) => {
  const user = await userOfPath(deps, request);
  await eraseUser(deps, user, request.by);
  const { user_hash, events } = viewUser(user);
  return ok({ accepted: true, user_hash, events });
});

export const getUserExport = inputHandler(userExportQuery, async (deps, request, { before = null }) => {
  return ok(await exportUser(deps, await userOfPath(deps, request), request.by, before));
});

export const getOneUser = handler(async (deps, request) =>
  ok(viewUserDetails(await readUserRecords(deps, await userOfPath(deps, request)))),
);

function userOfPath(deps: Deps, { project, path }: ApiRequest) {
  return getUser(deps, [project.id], path['user_hash'] ?? '');
}
