import { builtInViews, ownerIdOf } from '../../saved-views/saved-views.ts';
import type { RequestContext } from '../request-context.ts';

export type SavedViewTab = Awaited<ReturnType<typeof listIssueViews>>[number];

export async function listIssueViews({
  deps,
  currentUser,
  settings,
}: Pick<RequestContext, 'deps' | 'currentUser' | 'settings'>) {
  const ownerId = ownerIdOf(currentUser);
  const saved = await deps.store.listSavedViews(ownerId);
  const views = [
    ...builtInViews.map(({ name, title, query }) => ({
      view: name as string,
      title: title as string,
      query: query as string,
      sort: 'last_seen' as const,
      is_built_in: true,
      is_yours: false,
      is_shared: false,
    })),
    ...saved.map((each) => ({
      /** Of a built-in view its name, else its number as text. */
      view: String(each.id),
      title: each.name,
      query: each.query,
      sort: each.sort,
      is_built_in: false,
      is_yours: each.ownerId === ownerId,
      is_shared: each.isShared,
    })),
  ];
  // A default view may be gone or no longer shared.
  const known = views.some(({ view }) => view === settings.defaultView)
    ? settings.defaultView
    : builtInViews[0].name;
  return views.map((view) => ({ ...view, is_default: view.view === known }));
}
