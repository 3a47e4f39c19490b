import { type SavedViewView, savedViewChangeRequest, savedViewRequest } from '../schemas/saved-views.ts';
import { formatTime } from '../src/core/parsing/timestamps.ts';
import {
  createSavedView,
  deleteSavedView,
  ownerIdOf,
  updateSavedView,
} from '../src/core/saved-views/saved-views.ts';
import type { SavedView } from '../src/core/store/saved-views.ts';
import { actAsMember } from '../src/http/api/act-as-member.ts';
import { parseParameters, pathId } from '../src/http/api/parse-parameters.ts';
import { created, ok, personalHandler } from '../src/http/api/route.ts';

/** All of them: a member has at most 50. */
export const getSavedViews = personalHandler(async (deps, request) => {
  const { deps: memberDeps, currentUser } = await actAsMember(deps, request);
  const views = await memberDeps.store.listSavedViews(ownerIdOf(currentUser));
  return ok(views.map((view) => viewSavedView(view, request.member.id)));
});

export const postSavedViews = personalHandler(async (deps, request) => {
  const { shared: isShared, ...fields } = parseParameters(savedViewRequest, request);
  const { deps: memberDeps, currentUser, by } = await actAsMember(deps, request);
  const { name, query, sort } = fields;
  const view = await createSavedView(memberDeps, currentUser, { name, query, sort, isShared }, by);
  return created({ accepted: true, ...viewSavedView(view, request.member.id) });
});

export const postSavedView = personalHandler(async (deps, request) => {
  const id = pathId(request, 'saved_view');
  const { name, query, sort, shared } = parseParameters(savedViewChangeRequest, request);
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(query === undefined ? {} : { query }),
    ...(sort === undefined ? {} : { sort }),
    ...(shared === undefined ? {} : { isShared: shared }),
  };
  const { deps: memberDeps, currentUser, by } = await actAsMember(deps, request);
  const view = await updateSavedView(memberDeps, currentUser, id, change, by);
  return ok({ accepted: true, ...viewSavedView(view, request.member.id) });
});

export const deleteOneSavedView = personalHandler(async (deps, request) => {
  const id = pathId(request, 'saved_view');
  const { deps: memberDeps, currentUser, by } = await actAsMember(deps, request);
  const previous = await deleteSavedView(memberDeps, currentUser, id, by);
  return ok({ deleted: true, previous: viewSavedView(previous, request.member.id) });
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
