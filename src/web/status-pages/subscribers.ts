import { subscriberRequest } from '../../../schemas/status-pages.ts';
import type {
  StatusPageNameModel,
  SubscriberModel,
  SubscribersModel,
} from '../../core/page-models/monitoring/status-page-forms.ts';
import { confirmPage, formPage, secretShownOncePage } from '../components/dialog-forms.ts';
import { emptyState, visuallyHidden } from '../components/elements.ts';
import { defineForm, enteredFields, type FormEntry, requiredTextField } from '../components/form.ts';
import { listPage } from '../components/list.ts';
import { type Column, rowHeader } from '../components/table.ts';
import { el, pageLink } from '../el.ts';
import { counted, timeAgo } from '../formatters.ts';
import { shortUntrustedName, shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';

type Row = SubscribersModel['subscribers'][number];

export const newWebhookForm = defineForm(
  {
    url: requiredTextField('Webhook URL', 'Enter a URL that starts with https:// or http://.', {
      hint: 'For example https://ops.example/hook.',
      missing: 'Enter a URL that starts with https:// or http://.',
      attributes: { type: 'url' },
    }),
  },
  subscriberRequest.shape,
);

function breadcrumbsOf({ slug, name }: StatusPageNameModel) {
  return [
    { name: 'Status pages', path: '/status-pages' },
    { name: shortUntrustedName(name), path: `/status-pages/${encodeURIComponent(slug)}` },
  ];
}

function pathOf({ slug }: StatusPageNameModel): string {
  return `/status-pages/${encodeURIComponent(slug)}/subscribers`;
}

export function subscribersPage(model: SubscribersModel, context: PageContext): PageContent {
  const { by_email: emails, webhooks, page, pages } = model;
  const path = pathOf(model);
  const add = pageLink(context, `${path}/new`, { class: 'btn' }, 'Add webhook…');
  const mayManage = context.currentUser?.canManage === true;
  return listPage<Row>(context, {
    path,
    title: 'Subscribers',
    breadcrumbs: breadcrumbsOf(model),
    head: {
      above: 'Status page',
      below: `${counted(emails, 'person', 'people')} by e-mail, ${counted(webhooks, 'webhook')}. ${emailNote(model)}`,
      actions: mayManage && emails + webhooks > 0 ? add : null,
    },
    noRows: emptyState('No subscribers yet', emailNote(model), mayManage ? add : null),
    caption: 'Subscribers',
    columns: columns(model, context),
    rows: model.subscribers,
    pages: {
      query: {},
      newer: page > 1 ? page - 1 : null,
      older: page < pages ? page + 1 : null,
      all: emails + webhooks,
      noun: ['subscriber'],
      isForMany: true,
    },
  });
}

function emailNote({ takes_emails: isOpen, can_mail: canMail }: SubscribersModel): string {
  if (isOpen) return 'Visitors subscribe by e-mail on the public page and confirm it by a link.';
  return canMail
    ? 'Visitors cannot subscribe by e-mail: publish the page, and let it show incidents and “Subscribe by e-mail”.'
    : 'Visitors cannot subscribe by e-mail: SMTP_URL is not set.';
}

function columns(model: SubscribersModel, context: PageContext): Array<Column<Row> | null> {
  const mayManage = context.currentUser?.canManage === true;
  return [
    { name: 'Address', row: ({ address }) => rowHeader(shortUntrustedText(address)) },
    { name: 'Kind', class: 'soft w6 d5', cell: ({ kind }) => (kind === 'email' ? 'E-mail' : 'Webhook') },
    { name: 'Since', class: 'soft w8 d3', cell: ({ subscribed_at: at }) => timeAgo(at, context.nowMs) },
    { name: 'Last error', class: 'soft d5', cell: ({ last_error: error }) => shortUntrustedText(error) },
    mayManage
      ? {
          name: visuallyHidden('Actions'),
          class: 'r small w6',
          cell: ({ subscriber_id: id, address }) =>
            pageLink(
              context,
              `${pathOf(model)}/${id}/delete`,
              null,
              'Delete…',
              visuallyHidden(` ${shortUntrustedName(address)}`),
            ),
        }
      : null,
  ];
}

export function newWebhookPage(
  model: StatusPageNameModel,
  context: PageContext,
  entry?: FormEntry,
): PageContent {
  return formPage(context, {
    title: 'Add webhook',
    breadcrumbs: [...breadcrumbsOf(model), { name: 'Subscribers', path: pathOf(model) }],
    description:
      'It gets each public update of an incident and each maintenance of this page as signed JSON.',
    action: pathOf(model),
    fields: enteredFields(newWebhookForm, entry),
    verb: 'Add webhook',
  });
}

export function webhookAddedPage(
  model: StatusPageNameModel,
  secret: string,
  context: PageContext,
): PageContent {
  return secretShownOncePage(context, {
    title: 'Webhook added',
    breadcrumbs: breadcrumbsOf(model),
    description: 'Requests are signed with this secret. It is shown only once: copy it to the receiver now.',
    label: 'Signing secret',
    text: secret,
    path: pathOf(model),
    name: 'Subscribers',
  });
}

export function deleteSubscriberPage(model: SubscriberModel, context: PageContext): PageContent {
  const { subscriber } = model;
  return confirmPage(context, {
    title: 'Delete subscriber',
    breadcrumbs: [...breadcrumbsOf(model), { name: 'Subscribers', path: pathOf(model) }],
    heading: ['Delete ', el('span', null, shortUntrustedText(subscriber.address))],
    description: 'Updates are no longer sent to this address, and the address is deleted.',
    action: `${pathOf(model)}/${subscriber.subscriber_id}/delete`,
    verb: 'Delete subscriber',
  });
}
