// What the forms of status pages are filled in with.
import { componentStates } from '../../../../schemas/status-pages.ts';
import type { KeptStatusPage } from '../../store/status-pages/keeping.ts';
import type { ComponentState } from '../../store/status-pages/status-pages.ts';
import { notHere, pathNumber, type Visit } from '../visit.ts';

export interface StatusPageNameModel {
  readonly slug: string;
  readonly name: string;
}

interface ComponentShown {
  readonly component_id: number;
  readonly name: string;
  readonly state: ComponentState;
  readonly monitor_ids: readonly number[];
}

export interface ComponentFormModel {
  readonly slug: string;
  readonly page: string;
  /** Null for a new one. */
  readonly component: ComponentShown | null;
  /** The group in which it stands, or is to stand. */
  readonly group: string;
  /** Names of the groups there are. */
  readonly groups: readonly string[];
  readonly states: typeof componentStates;
  readonly monitors: ReadonlyArray<{ readonly monitor_id: number; readonly name: string }>;
}

/** The form of one that is there. */
export interface ComponentModel extends ComponentFormModel {
  readonly component: ComponentShown;
}

/** The workspace's own status page that the address names; 404 for none. */
export async function keptStatusPage({ deps, path }: Visit): Promise<KeptStatusPage> {
  const found = await deps.store.findStatusPage(path['slug'] ?? '');
  const page = found === null ? null : await deps.store.findKeptStatusPage(found.id);
  if (page === null) throw notHere('A status page with this name');
  return page;
}

/** Which page it is. */
export async function statusPageNameModel(visit: Visit): Promise<StatusPageNameModel> {
  const { slug, name } = await keptStatusPage(visit);
  return { slug, name };
}

/** What a new component can be made of; `?group=` says where it is to stand. */
export async function newComponentModel(visit: Visit): Promise<ComponentFormModel> {
  const page = await keptStatusPage(visit);
  return { ...(await formOf(visit, page)), component: null, group: visit.query.get('group') ?? '' };
}

/** What there is to change of a component. */
export async function componentModel(visit: Visit): Promise<ComponentModel> {
  const page = await keptStatusPage(visit);
  const what = 'A component with this number';
  const number = pathNumber(visit, 'component_id', what);
  const component = page.components.find(({ id }) => id === number);
  if (component === undefined) throw notHere(what);
  const { id, name, group, state, monitorIds } = component;
  return {
    ...(await formOf(visit, page)),
    component: { component_id: id, name, state, monitor_ids: monitorIds },
    group,
  };
}

async function formOf({ deps }: Visit, { slug, name, projectId, components }: KeptStatusPage) {
  const monitors = await deps.store.listKeptMonitors(projectId);
  return {
    slug,
    page: name,
    groups: [...new Set(components.map(({ group }) => group))].filter((group) => group !== ''),
    states: componentStates,
    monitors: monitors.map((each) => ({ monitor_id: each.id, name: each.name })),
  };
}
