import { componentStates } from '../../../../schemas/status-pages.ts';
import { takesEmails, viewSubscriber } from '../../status-pages/subscribers.ts';
import type { StatusPageRecord } from '../../store/status-pages.ts';
import { pageNumberParam } from '../list-params.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';

export type StatusPageNameModel = Awaited<ReturnType<typeof statusPageNameModel>>;

export type ComponentModel = Awaited<ReturnType<typeof componentModel>>;

export type ComponentFormModel = ComponentModel | Awaited<ReturnType<typeof newComponentModel>>;

export async function getStatusPageOfPath({ deps, path }: RequestContext): Promise<StatusPageRecord> {
  const page = await deps.store.findStatusPage(path['slug'] ?? '');
  if (page === null) throw pageNotFound('A status page with this name');
  return page;
}

export async function statusPageNameModel(context: RequestContext) {
  const { slug, name } = await getStatusPageOfPath(context);
  return { slug, name };
}

/** `?group=` preselects a group. */
export async function newComponentModel(context: RequestContext) {
  const page = await getStatusPageOfPath(context);
  return { ...(await formOf(context, page)), component: null, group: context.query.get('group') ?? '' };
}

export async function componentModel(context: RequestContext) {
  const page = await getStatusPageOfPath(context);
  const subject = 'A component with this number';
  const number = pathId(context, 'component_id', subject);
  const component = page.components.find(({ id }) => id === number);
  if (component === undefined) throw pageNotFound(subject);
  const { id, name, group, state, monitorIds } = component;
  return {
    ...(await formOf(context, page)),
    component: { component_id: id, name, state, monitor_ids: monitorIds },
    group,
  };
}

async function formOf({ deps }: RequestContext, { slug, name, projectId, components }: StatusPageRecord) {
  const monitors = await deps.store.listMonitors(projectId);
  return {
    slug,
    page: name,
    groups: [...new Set(components.map(({ group }) => group))].filter((group) => group !== ''),
    states: componentStates,
    monitors: monitors.map((each) => ({ monitor_id: each.id, name: each.name })),
  };
}

const rowsPerPage = 100;

export type SubscribersModel = Awaited<ReturnType<typeof subscribersModel>>;

export async function subscribersModel(context: RequestContext) {
  const page = await getStatusPageOfPath(context);
  const { store, notificationSender } = context.deps;
  const all = await store.listSubscribers(page.id);
  const pages = Math.max(1, Math.ceil(all.length / rowsPerPage));
  const shown = Math.min(pageNumberParam(context), pages);
  const canMail = notificationSender?.canMail === true;
  return {
    slug: page.slug,
    name: page.name,
    takes_emails: takesEmails(page, canMail),
    can_mail: canMail,
    by_email: all.filter(({ kind }) => kind === 'email').length,
    webhooks: all.filter(({ kind }) => kind === 'webhook').length,
    page: shown,
    pages,
    /** Oldest first. */
    subscribers: all.slice((shown - 1) * rowsPerPage, shown * rowsPerPage).map(viewSubscriber),
  };
}

export type SubscriberModel = Awaited<ReturnType<typeof subscriberModel>>;

export async function subscriberModel(context: RequestContext) {
  const { id: pageId, slug, name } = await getStatusPageOfPath(context);
  const subject = 'A subscriber with this number';
  const id = pathId(context, 'subscriber_id', subject);
  const found = await context.deps.store.findSubscriber(pageId, { id });
  if (found === null || found.confirmedAtMs === null) throw pageNotFound(subject);
  return { slug, name, subscriber: viewSubscriber(found) };
}
