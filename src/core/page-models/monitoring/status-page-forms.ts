import { componentStates } from '../../../../schemas/status-pages.ts';
import type { ComponentState, StatusPageRecord } from '../../store/status-pages.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';

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
  readonly component: ComponentShown | null;
  readonly group: string;
  readonly groups: readonly string[];
  readonly states: typeof componentStates;
  readonly monitors: ReadonlyArray<{ readonly monitor_id: number; readonly name: string }>;
}

export interface ComponentModel extends ComponentFormModel {
  readonly component: ComponentShown;
}

export async function getStatusPageOfPath({ deps, path }: RequestContext): Promise<StatusPageRecord> {
  const page = await deps.store.findStatusPage(path['slug'] ?? '');
  if (page === null) throw pageNotFound('A status page with this name');
  return page;
}

export async function statusPageNameModel(context: RequestContext): Promise<StatusPageNameModel> {
  const { slug, name } = await getStatusPageOfPath(context);
  return { slug, name };
}

/** `?group=` preselects a group. */
export async function newComponentModel(context: RequestContext): Promise<ComponentFormModel> {
  const page = await getStatusPageOfPath(context);
  return { ...(await formOf(context, page)), component: null, group: context.query.get('group') ?? '' };
}

export async function componentModel(context: RequestContext): Promise<ComponentModel> {
  const page = await getStatusPageOfPath(context);
  const what = 'A component with this number';
  const number = pathId(context, 'component_id', what);
  const component = page.components.find(({ id }) => id === number);
  if (component === undefined) throw pageNotFound(what);
  const { id, name, group, state, monitorIds } = component;
  return {
    ...(await formOf(context, page)),
    component: { component_id: id, name, state, monitor_ids: monitorIds },
    group,
  };
}

async function formOf({ deps }: RequestContext, { slug, name, projectId, components }: StatusPageRecord) {
  const monitors = await deps.store.listMonitorRecords(projectId);
  return {
    slug,
    page: name,
    groups: [...new Set(components.map(({ group }) => group))].filter((group) => group !== ''),
    states: componentStates,
    monitors: monitors.map((each) => ({ monitor_id: each.id, name: each.name })),
  };
}
