import type {
  ChannelSettingsModel,
  UnsubscribeModel,
} from '../../core/page-models/monitoring/channel-forms.ts';
import { confirmPage, secretShownOncePage } from '../components/dialog-forms.ts';
import { pageHead } from '../components/elements.ts';
import { el } from '../el.ts';
import { shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';

const channelsBreadcrumb = { name: 'Alert channels', path: '/alert-channels' };
export function deleteChannelPage(model: ChannelSettingsModel, context: PageContext): PageContent {
  return confirmPage(context, {
    title: 'Delete alert channel',
    breadcrumbs: breadcrumbsOf(model),
    heading: ['Delete ', shortUntrustedText(model.name)],
    description:
      'Its delivery history is deleted and pending notifications are not sent. Rules no longer notify it. This cannot be undone.',
    action: `/alert-channels/${model.alert_channel_id}/delete`,
    verb: 'Delete channel',
  });
}

export function unsubscribePage(model: UnsubscribeModel, context: PageContext): PageContent {
  const { alert_channel_id: id, name, recipient, is_last: isLast } = model;
  // Not every recipient sees the channel.
  const breadcrumbs = [channelsBreadcrumb];
  const heading = ['Unsubscribe from ', shortUntrustedText(name)];
  const title = 'Unsubscribe';
  if (recipient !== null && !isLast) {
    const description = `Alerts of this channel are no longer sent to ${recipient}.`;
    return confirmPage(context, {
      ...{ title, breadcrumbs, heading, description, verb: title },
      action: `/alert-channels/${id}/unsubscribe`,
    });
  }
  const sentence =
    recipient === null
      ? 'Your address is no recipient of this channel: there is nothing to unsubscribe from.'
      : 'You are the only recipient. An admin can pause or delete the channel.';
  return { title, breadcrumbs, main: [pageHead({ title: heading }), el('p', null, sentence)] };
}

function breadcrumbsOf({ alert_channel_id: id, name }: ChannelSettingsModel) {
  return [channelsBreadcrumb, { name, path: `/alert-channels/${id}` }];
}

/** Shows the secret of a new webhook, which is never shown again. */
export function channelCreatedPage(
  created: { readonly alert_channel_id: number; readonly name: string; readonly secret: string },
  context: PageContext,
): PageContent {
  return secretShownOncePage(context, {
    title: 'Channel created',
    breadcrumbs: [channelsBreadcrumb],
    description: 'Requests are signed with this secret. It is shown only once: copy it to the receiver now.',
    label: 'Signing secret',
    text: created.secret,
    path: `/alert-channels/${created.alert_channel_id}`,
    name: shortUntrustedText(created.name),
  });
}
