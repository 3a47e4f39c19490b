// The forms that make and change alert channels and their rules, and what is shown of a new webhook once.
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
  name: needed('Name', 'A channel needs a name.', { hint: 'As messages say it, such as On call.' }),
  quiet_hours: text('Quiet hours', {
    id: 'quiet',
    hint: 'Such as 22:00 to 07:00 Europe/Berlin; UTC without a zone. What comes meanwhile is one message after them.',
  }),
};

export const newChannelForm = form(
  {
    name: settings.name,
    type: choice('Kind', z.enum(channelTypes, 'Choose a kind.')),
    target: needed('Where it leads', 'Say where it leads.', {
      hint: 'The address of an incoming webhook, a topic of ntfy, or mailboxes with commas between them.',
      ...targetMax,
    }),
    secret: text('Secret of a webhook', {
      hint: 'In base64; made where none is given, and shown once.',
    }),
    quiet_hours: settings.quiet_hours,
  },
  alertChannelRequest.shape,
);

export const channelForm = form(
  {
    name: settings.name,
    target: text('Lead it elsewhere', { hint: 'Left empty, it leads where it does.', ...targetMax }),
    quiet_hours: settings.quiet_hours,
  },
  alertChannelRequest.shape,
);

export const newRuleForm = form({
  name: {
    ...needed('Name', 'A rule needs a name.', { attributes: { maxlength: 100 } }),
    schema: z.string('A rule needs a name.').max(100, 'A name has at most 100 characters.'),
  },
  on: choice('When', z.enum(ruleKinds, 'Choose what has to happen.')),
  channels: read(z.array(z.coerce.number().int()).optional()),
});

/** The form that adds a channel. */
export function newChannelPage({ types, has_mail: hasMail }: NewChannelModel, frame: Frame): PageContent {
  const choices = types.map((type) => ({ value: type, name: channelTypeNames[type] }));
  const mail = hasMail ? '' : ' There is no e-mail here until SMTP_URL is set.';
  return formPage(frame, {
    title: 'Add a channel',
    crumbs: [channelsCrumb],
    why: `It is told of all projects: that an issue is new, and that a resolved one comes back. Rules change that.${mail}`,
    act: '/alert-channels',
    fields: rows(newChannelForm, { looks: { type: { choices } } }),
    verb: 'Add the channel',
  });
}

/** The form that changes a channel. */
export function channelSettingsPage(model: ChannelSettingsModel, frame: Frame): PageContent {
  return formPage(frame, {
    title: 'Change a channel',
    crumbs: crumbsOf(model),
    why: ['It leads to ', el('code', null, told(model.target)), '.'],
    act: `/alert-channels/${model.channel_id}/settings`,
    fields: rows(channelForm, { values: { ...model, target: '' } }),
    verb: 'Save',
  });
}

/** Asks before a channel goes. */
export function deleteChannelPage(model: ChannelSettingsModel, frame: Frame): PageContent {
  return dangerPage(frame, {
    title: 'Delete a channel',
    crumbs: crumbsOf(model),
    heading: ['Delete ', told(model.name)],
    why: 'Its deliveries go with it, and what waits is not sent. Rules tell nobody there any more.',
    act: `/alert-channels/${model.channel_id}/delete`,
    verb: 'Delete the channel',
  });
}

function crumbsOf({ channel_id: id, name }: ChannelSettingsModel) {
  return [channelsCrumb, { name, path: `/alert-channels/${id}` }];
}

/** The secret of a webhook that was just made: nobody sees it again. */
export function channelMadePage(
  made: { readonly channel_id: number; readonly name: string; readonly secret: string },
  frame: Frame,
): PageContent {
  return shownOncePage(frame, {
    title: 'The channel is there',
    crumbs: [channelsCrumb],
    why: 'Its messages are signed with this secret. It is shown this once: take it to the receiver now.',
    label: 'The secret',
    text: made.secret,
    path: `/alert-channels/${made.channel_id}`,
    name: told(made.name),
  });
}

/** The form that adds a rule. */
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
    title: 'Add a rule',
    crumbs: [channelsCrumb, rulesCrumb],
    why: 'It holds for all projects until it has conditions, which the next page has.',
    act: '/alert-channels/rules',
    fields: [
      ...rows(newRuleForm, { looks: { on: { choices } } }),
      el('fieldset', { class: 'choose' }, el('legend', null, 'Tell'), ...boxes),
    ],
    verb: 'Add the rule',
  });
}
