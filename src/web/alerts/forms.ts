import type {
  ChannelSettingsModel,
  UnsubscribeModel,
} from '../../core/page-models/monitoring/channel-forms.ts';
import { confirmPage, secretShownOncePage } from '../components/dialog-forms.ts';
import { pageHead } from '../components/elements.ts';
import { el } from '../el.ts';
import { shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';

const channelsCrumb = { name: 'Alert channels', path: '/alert-channels' };
export function deleteChannelPage(model: ChannelSettingsModel, frame: PageContext): PageContent {
  return confirmPage(frame, {
    title: 'Delete alert channel',
    crumbs: crumbsOf(model),
    heading: ['Delete ', shortUntrustedText(model.name)],
    why: 'Its delivery history is deleted and pending notifications are not sent. Rules no longer notify it. This cannot be undone.',
    act: `/alert-channels/${model.alert_channel_id}/delete`,
    verb: 'Delete channel',
  });
}

export function unsubscribePage(model: UnsubscribeModel, frame: PageContext): PageContent {
  const { alert_channel_id: id, name, recipient, is_last: isLast } = model;
  // Not every recipient sees the channel.
  const crumbs = [channelsCrumb];
  const heading = ['Unsubscribe from ', shortUntrustedText(name)];
  const title = 'Unsubscribe';
  if (recipient !== null && !isLast) {
    const why = `Alerts of this channel are no longer sent to ${recipient}.`;
    return confirmPage(frame, {
      ...{ title, crumbs, heading, why, verb: title },
      act: `/alert-channels/${id}/unsubscribe`,
    });
  }
  const sentence =
    recipient === null
      ? 'Your address is no recipient of this channel: there is nothing to unsubscribe from.'
      : 'You are the only recipient. An admin can pause or delete the channel.';
  return { title, crumbs, main: [pageHead({ title: heading }), el('p', null, sentence)] };
}

function crumbsOf({ alert_channel_id: id, name }: ChannelSettingsModel) {
  return [channelsCrumb, { name, path: `/alert-channels/${id}` }];
}

/** Shows the secret of a new webhook, which is never shown again. */
export function channelCreatedPage(
  made: { readonly alert_channel_id: number; readonly name: string; readonly secret: string },
  frame: PageContext,
): PageContent {
  return secretShownOncePage(frame, {
    title: 'Channel created',
    crumbs: [channelsCrumb],
    why: 'Requests are signed with this secret. It is shown only once: copy it to the receiver now.',
    label: 'Signing secret',
    text: made.secret,
    path: `/alert-channels/${made.alert_channel_id}`,
    name: shortUntrustedText(made.name),
  });
}
