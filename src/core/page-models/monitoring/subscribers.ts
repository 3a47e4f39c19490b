import type { SubscriberView } from '../../../../schemas/status-pages.ts';
import { takesEmails, viewSubscriber } from '../../status-pages/subscribers.ts';
import { pageNumberParam } from '../list-params.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';
import { getStatusPageOfPath, type StatusPageNameModel } from './status-page-forms.ts';

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

export interface SubscriberModel extends StatusPageNameModel {
  readonly subscriber: SubscriberView;
}

export async function subscriberModel(context: RequestContext): Promise<SubscriberModel> {
  const { id: pageId, slug, name } = await getStatusPageOfPath(context);
  const what = 'A subscriber with this number';
  const id = pathId(context, 'subscriber_id', what);
  const found = await context.deps.store.findSubscriber(pageId, { id });
  if (found === null || found.confirmedAtMs === null) throw pageNotFound(what);
  return { slug, name, subscriber: viewSubscriber(found) };
}
