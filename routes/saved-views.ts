import { type SavedViewView, savedViewChangeRequest, savedViewRequest } from '../schemas/saved-views.ts';
import { formatTime } from '../src/core/parsing/timestamps.ts';
import {
  createSavedView,
  deleteSavedView,
  ownerIdOf,
  updateSavedView,
} from '../src/core/saved-views/saved-views.ts';
import type { SavedView } from '../src/core/store/saved-views.ts';
import { pathId } from '../src/http/api/parse-parameters.ts';
import { created, memberHandler, memberInputHandler, ok } from '../src/http/api/route.ts';

/** All of them: a member has at most 50. */
export const getSavedViews = memberHandler(async (request) => {
  const views = await request.deps.store.listSavedViews(ownerIdOf(request.currentUser));
  return ok(views.map((view) => viewSavedView(view, request.member.id)));
});

export const postSavedViews = memberInputHandler(savedViewRequest, async (request, input) => {
  const { name, query, sort, shared: isShared } = input;
  const { deps, currentUser, by, member } = request;
  const view = await createSavedView(deps, currentUser, { name, query, sort, isShared }, by);
  return created({ accepted: true, ...viewSavedView(view, member.id) });
});

export const postSavedView = memberInputHandler(savedViewChangeRequest, async (request, input) => {
  const { name, query, sort, shared } = input;
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(query === undefined ? {} : { query }),
    ...(sort === undefined ? {} : { sort }),
    ...(shared === undefined ? {} : { isShared: shared }),
  };
  const { deps, currentUser, by, member } = request;
  const view = await updateSavedView(deps, currentUser, pathId(request, 'saved_view'), change, by);
  return ok({ accepted: true, ...viewSavedView(view, member.id) });
});

export const deleteOneSavedView = memberHandler(async (request) => {
  const { deps, currentUser, by, member } = request;
  const previous = await deleteSavedView(deps, currentUser, pathId(request, 'saved_view'), by);
  return ok({ deleted: true, previous: viewSavedView(previous, member.id) });
});

function viewSavedView(view: SavedView, memberId: number): SavedViewView {
  return {
    saved_view_id: view.id,
    name: view.name,
    query: view.query,
    sort: view.sort,
    shared: view.isShared,
    own: view.ownerId === memberId,
    created_at: formatTime(view.createdAtMs),
  };
}
