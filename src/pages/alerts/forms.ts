import { z } from 'zod';
import {
  alertChannelRequest,
  channelTypeNames,
  channelTypes,
  ruleKinds,
} from '../../../schemas/alert-channels.ts';
import type {
  ChannelSettingsModel,
  NewChannelModel,
  NewRuleModel,
} from '../../core/workspace/uptime/channel-forms.ts';
import { ruleKindWords } from '../../core/workspace/uptime/kinds.ts';
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { dangerPage, formPage, shownOncePage } from '../parts/asking.ts';
import { choice, form, needed, read, rows, text } from '../parts/form.ts';
import { told } from '../uptime/words.ts';

const channelsCrumb = { name: 'Alert channels', path: '/alert-channels' };
const rulesCrumb = { name: 'Rules', path: '/alert-channels/rules' };
const targetMax = { attributes: { maxlength: 2_000 } };

const settings = {
  name: needed('Name', 'Enter a name.', { hint: 'Shown in notifications, for example On call.' }),
  quiet_hours: text('Quiet hours', {
    id: 'quiet',
    hint: 'For example 22:00 to 07:00 Europe/Berlin; UTC without a time zone. Notifications during quiet hours are sent as one summary afterwards.',
  }),
};

export const newChannelForm = form(
  {
    name: settings.name,
    type: choice('Type', z.enum(channelTypes, 'Choose a type.')),
    target: needed('Webhook URL or recipients', 'Enter a webhook URL or recipients.', {
      hint: 'The URL of an incoming webhook, an ntfy topic, or e-mail addresses separated by commas.',
      ...targetMax,
    }),
    secret: text('Signing secret', {
      hint: 'For webhooks, in base64. Generated if empty, and shown only once.',
    }),
    quiet_hours: settings.quiet_hours,
  },
  alertChannelRequest.shape,
);

export const channelForm = form(
  {
    name: settings.name,
    target: text('New webhook URL or recipients', {
      hint: 'Leave empty to keep the current one.',
      ...targetMax,
    }),
    quiet_hours: settings.quiet_hours,
  },
  alertChannelRequest.shape,
);

export const newRuleForm = form({
  name: {
    ...needed('Name', 'Enter a name.', { attributes: { maxlength: 100 } }),
    schema: z.string('Enter a name.').max(100, 'Use at most 100 characters.'),
  },
  on: choice('When', z.enum(ruleKinds, 'Choose a trigger.')),
  channels: read(z.array(z.coerce.number().int()).optional()),
});

export function newChannelPage({ types, has_mail: hasMail }: NewChannelModel, frame: Frame): PageContent {
  const choices = types.map((type) => ({ value: type, name: channelTypeNames[type] }));
  const mail = hasMail ? '' : ' E-mail needs SMTP_URL.';
  return formPage(frame, {
    title: 'New alert channel',
    crumbs: [channelsCrumb],
    why: `Applies to all projects: new and regressed issues. Add conditions with rules.${mail}`,
    act: '/alert-channels',
    fields: rows(newChannelForm, { looks: { type: { choices } } }),
    verb: 'Create channel',
  });
}

export function channelSettingsPage(model: ChannelSettingsModel, frame: Frame): PageContent {
  return formPage(frame, {
    title: 'Edit alert channel',
    crumbs: crumbsOf(model),
    why: ['Sends to ', el('code', null, told(model.target)), '.'],
    act: `/alert-channels/${model.channel_id}/settings`,
    fields: rows(channelForm, { values: { ...model, target: '' } }),
    verb: 'Save',
  });
}

export function deleteChannelPage(model: ChannelSettingsModel, frame: Frame): PageContent {
  return dangerPage(frame, {
    title: 'Delete alert channel',
    crumbs: crumbsOf(model),
    heading: ['Delete ', told(model.name)],
    why: 'Its delivery history is deleted and pending notifications are not sent. Rules no longer notify it. This cannot be undone.',
    act: `/alert-channels/${model.channel_id}/delete`,
    verb: 'Delete channel',
  });
}

function crumbsOf({ channel_id: id, name }: ChannelSettingsModel) {
  return [channelsCrumb, { name, path: `/alert-channels/${id}` }];
}

/** Shows the secret of a new webhook, which is never shown again. */
export function channelMadePage(
  made: { readonly channel_id: number; readonly name: string; readonly secret: string },
  frame: Frame,
): PageContent {
  return shownOncePage(frame, {
    title: 'Channel created',
    crumbs: [channelsCrumb],
    why: 'Requests are signed with this secret. It is shown only once: copy it to the receiver now.',
    label: 'Signing secret',
    text: made.secret,
    path: `/alert-channels/${made.channel_id}`,
    name: told(made.name),
  });
}

export function newRulePage({ kinds, channels }: NewRuleModel, frame: Frame): PageContent {
  const boxes = channels.map(({ channel_id: id, name: called }) =>
    el(
      'label',
      { class: 'check' },
      el('input', { type: 'checkbox', name: 'channels[]', value: id }),
      ' ',
      told(called),
    ),
  );
  const choices = kinds.map((kind) => ({ value: kind, name: ruleKindWords[kind].sentence(null) }));
  return formPage(frame, {
    title: 'New alert rule',
    crumbs: [channelsCrumb, rulesCrumb],
    why: 'Applies to all projects. Add conditions in the next step.',
    act: '/alert-channels/rules',
    fields: [
      ...rows(newRuleForm, { looks: { on: { choices } } }),
      el('fieldset', { class: 'choose' }, el('legend', null, 'Notify'), ...boxes),
    ],
    verb: 'Create rule',
  });
}
