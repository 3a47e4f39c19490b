import { builtInViews, ownerIdOf } from '../../saved-views/saved-views.ts';
import type { IssueSort } from '../../store/issue-queries.ts';
import type { RequestContext } from '../request-context.ts';

export interface SavedViewTab {
  /** Of a built-in view its name, else its number as text. */
  readonly view: string;
  readonly title: string;
  readonly query: string;
  readonly sort: IssueSort;
  readonly is_built_in: boolean;
  readonly is_yours: boolean;
  readonly is_shared: boolean;
  readonly is_default: boolean;
}

export async function listIssueViews({
  deps,
  currentUser,
  settings,
}: Pick<RequestContext, 'deps' | 'currentUser' | 'settings'>): Promise<SavedViewTab[]> {
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
