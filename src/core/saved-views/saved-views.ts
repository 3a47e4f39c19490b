import type { AuditAction } from '../audit/actions.ts';
import { type AuditEvent, type AuditSource, audited, runAudited } from '../audit/audit.ts';
import { memberAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError, RestError } from '../errors.ts';
import { roleIncludes } from '../members/permissions.ts';
import { isLongerThan } from '../parsing/cut-text.ts';
import { requireTimeZone } from '../parsing/format/time-zones.ts';
import type { CurrentUser } from '../store/members.ts';
import type { PageSettings, SavedView } from '../store/saved-views.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now'>;

export const viewNameCharactersMax = 60;
export const queryCharactersMax = 1_000;
const viewsMax = 50;

export interface BuiltInView {
  readonly name: string;
  readonly title: string;
  readonly query: string;
}

/** The first four are tabs for everybody; the rest is on the page of all views. */
export const builtInViews = [
  { name: 'unresolved', title: 'Unresolved', query: 'is:unresolved' },
  { name: 'review', title: 'For review', query: 'is:for_review' },
  { name: 'regressed', title: 'Regressed', query: 'is:regressed' },
  { name: 'mine', title: 'Assigned to me', query: 'is:unresolved assigned:me' },
  { name: 'ignored', title: 'Ignored', query: 'is:ignored' },
  { name: 'resolved', title: 'Resolved', query: 'is:resolved' },
  { name: 'all', title: 'All issues', query: '' },
] as const satisfies readonly BuiltInView[];

export const builtInTabs: readonly string[] = ['unresolved', 'review', 'regressed', 'mine'];

export const defaultPageSettings: PageSettings = {
  timeZone: 'UTC',
  defaultView: 'unresolved',
  hasShortcuts: true,
};

export function ownerIdOf({ memberId }: Pick<CurrentUser, 'memberId'>): number {
  return memberId ?? 0;
}

export type SavedViewFields = Pick<SavedView, 'name' | 'query' | 'sort' | 'isShared'>;

/** Throws 400 for an invalid name or query, or above the limit of 50 views of one owner. */
export async function createSavedView(
  deps: ServiceDeps,
  user: CurrentUser,
  fields: SavedViewFields,
  by: AuditSource,
): Promise<SavedView> {
  if (fields.isShared) requireSharing(user);
  const ownerId = ownerIdOf(user);
  const view = {
    ownerId,
    name: requireName(fields.name),
    query: requireQuery(fields.query),
    sort: fields.sort,
    isShared: fields.isShared,
    createdAtMs: deps.now(),
  };
  return runAudited(deps, by, async ({ store }) => {
    const ownViews = (await store.listSavedViews(ownerId)).filter((each) => each.ownerId === ownerId);
    if (ownViews.length >= viewsMax) {
      throw createBadRequestError(
        'notifier_saved_views_max',
        `You have ${viewsMax} saved views. Delete one first.`,
      );
    }
    const result = await store.addSavedView(view);
    return { result, auditEvent: viewAuditEvent(result, 'view.created', result.isShared ? 'shared' : '') };
  });
}

export type SavedViewChange = Partial<SavedViewFields>;

/** Throws 404 for a view that is neither own nor, for an admin, shared. */
export const updateSavedView = audited(
  async ({ store }, user: CurrentUser, id: number, change: SavedViewChange) => {
    if (change.isShared === true) requireSharing(user);
    const checked = {
      ...change,
      ...(change.name === undefined ? {} : { name: requireName(change.name) }),
      ...(change.query === undefined ? {} : { query: requireQuery(change.query) }),
    };
    await getChangeableView(store, user, id);
    const result = await store.changeSavedView(id, checked);
    if (result === null) throw viewNotFound();
    return { result, auditEvent: viewAuditEvent(result, 'view.changed', Object.keys(change).join(', ')) };
  },
);

/** Throws 404 as `updateSavedView`. */
export const deleteSavedView = audited(async ({ store }, user: CurrentUser, id: number) => {
  const view = await getChangeableView(store, user, id);
  await store.deleteSavedView(id);
  return { result: view, auditEvent: viewAuditEvent(view, 'view.deleted', '') };
});

export async function getPageSettings(
  { store }: Pick<Deps, 'store'>,
  user: Pick<CurrentUser, 'memberId'>,
): Promise<PageSettings> {
  return (await store.findPageSettings(ownerIdOf(user))) ?? defaultPageSettings;
}

/** Throws 400 for an unknown time zone, 404 for a view that this user cannot see. */
export const updatePageSettings = audited(
  async ({ store }, user: CurrentUser, change: Partial<PageSettings>) => {
    const ownerId = ownerIdOf(user);
    const before = await getPageSettings({ store }, user);
    const { timeZone, ...others } = { ...before, ...change };
    const after = { timeZone: requireTimeZone(timeZone), ...others };
    if (change.defaultView !== undefined && !(await isVisibleView(store, ownerId, change.defaultView))) {
      throw viewNotFound();
    }
    await store.writePageSettings(ownerId, after);
    const changed = [
      after.timeZone === before.timeZone ? [] : `time zone ${after.timeZone}`,
      after.hasShortcuts === before.hasShortcuts ? [] : `shortcuts ${after.hasShortcuts ? 'on' : 'off'}`,
      after.defaultView === before.defaultView ? [] : 'default view',
    ].flat();
    const { memberId: id, name } = user;
    const event = memberAuditEvent({ id, name }, 'member.settings_changed', changed.join(', '));
    return { result: after, auditEvent: changed.length === 0 ? null : event };
  },
);

async function isVisibleView(store: Deps['store'], ownerId: number, view: string): Promise<boolean> {
  if (builtInViews.some(({ name }) => name === view)) return true;
  return (await store.listSavedViews(ownerId)).some(({ id }) => String(id) === view);
}

/** A shared view belongs to whoever made it; admins may change it too, since its owner may be gone. */
async function getChangeableView(store: Deps['store'], user: CurrentUser, id: number): Promise<SavedView> {
  const ownerId = ownerIdOf(user);
  const ownView = (await store.listSavedViews(ownerId)).find(
    (view) => view.id === id && view.ownerId === ownerId,
  );
  if (ownView !== undefined) return ownView;
  const other = roleIncludes(user.role, 'admin') ? await store.findSavedView(id) : null;
  if (other?.isShared !== true) throw viewNotFound();
  return other;
}

function requireSharing({ role }: CurrentUser): void {
  if (roleIncludes(role, 'member')) return;
  throw new RestError('notifier_saved_view_share', 'Only a member can share a view.', 403);
}

function viewNotFound(): RestError {
  return new RestError('notifier_saved_view_invalid_id', 'You have no view with this number.', 404);
}

function requireName(text: string): string {
  const name = text.trim().replaceAll(/\s+/g, ' ');
  if (name !== '' && !isLongerThan(name, viewNameCharactersMax) && !/\p{C}/u.test(name)) return name;
  throw createBadRequestError(
    'notifier_saved_view_name',
    `Enter a name of 1 to ${viewNameCharactersMax} characters.`,
  );
}

function requireQuery(text: string): string {
  const query = text.trim().replaceAll(/\s+/g, ' ');
  if (!isLongerThan(query, queryCharactersMax)) return query;
  throw createBadRequestError(
    'notifier_saved_view_query',
    `The search is longer than ${queryCharactersMax} characters. Shorten it.`,
  );
}

function viewAuditEvent({ id, name }: SavedView, action: AuditAction, summary: string): AuditEvent {
  return { action, object: { kind: 'view', id, name }, summary };
}
