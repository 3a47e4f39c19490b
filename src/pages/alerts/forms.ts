// The forms that make and change alert channels and their rules, and what is shown of a new webhook once.
import type {
  ChannelSettingsModel,
  NewChannelModel,
  NewRuleModel,
} from '../../core/workspace/uptime/channel-forms.ts';
import { ruleKindWords } from '../../core/workspace/uptime/kinds.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { askingPart, dangerPart } from '../parts/asking.ts';
import { choiceField, field } from '../parts/controls.ts';
import { pageHead } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { typeNames } from '../uptime/channels.ts';
import { told } from '../uptime/words.ts';

const channelsCrumb = { name: 'Alert channels', path: '/alert-channels' };
const rulesCrumb = { name: 'Rules', path: '/alert-channels/rules' };
const quietHint =
  'Such as 22:00 to 07:00 Europe/Berlin; UTC without a zone. What comes meanwhile is one message after them.';

function name(value: string): Content {
  return field(
    { id: 'name', label: 'Name', hint: 'As messages say it, such as On call.' },
    { name: 'name', value, required: true, maxlength: 100, autocomplete: 'off' },
  );
}

function quiet(value: string): Content {
  return field(
    { id: 'quiet', label: 'Quiet hours', hint: quietHint },
    { name: 'quiet_hours', value, maxlength: 80 },
  );
}

/** The form that adds a channel. */
export function newChannelPage({ types, has_mail: hasMail }: NewChannelModel, frame: Frame): PageContent {
  const choices = types.map((type) => ({ value: type, name: typeNames[type] }));
  const mail = hasMail ? '' : ' There is no e-mail here until SMTP_URL is set.';
  return {
    title: 'Add a channel',
    crumbs: [channelsCrumb],
    main: askingPart(
      frame,
      {
        id: 'd-channel',
        path: '/alert-channels/new',
        title: 'Add a channel',
        why: `It is told of all projects: that an issue is new, and that a resolved one comes back. Rules change that.${mail}`,
        act: '/alert-channels',
        fields: [
          name(''),
          choiceField({ id: 'type', label: 'Kind' }, choices),
          field(
            {
              id: 'target',
              label: 'Where it leads',
              hint: 'The address of an incoming webhook, a topic of ntfy, or mailboxes with commas between them.',
            },
            { name: 'target', required: true, maxlength: 2_000, autocomplete: 'off' },
          ),
          field(
            {
              id: 'secret',
              label: 'Secret of a webhook',
              hint: 'In base64; made where none is given, and shown once.',
            },
            { name: 'secret', maxlength: 200, autocomplete: 'off' },
          ),
          quiet(''),
        ],
        verb: 'Add the channel',
      },
      { from: '/alert-channels' },
    ),
  };
}

/** The form that changes a channel. */
export function channelSettingsPage(model: ChannelSettingsModel, frame: Frame): PageContent {
  const { channel_id: id, target, quiet_hours: quietHours } = model;
  const path = `/alert-channels/${id}`;
  return {
    title: 'Change a channel',
    crumbs: [channelsCrumb, { name: model.name, path }],
    main: askingPart(
      frame,
      {
        id: 'd-settings',
        path: `${path}/settings`,
        title: 'Change a channel',
        why: ['It leads to ', el('code', null, told(target)), '.'],
        act: `${path}/settings`,
        fields: [
          name(model.name),
          field(
            { id: 'target', label: 'Lead it elsewhere', hint: 'Left empty, it leads where it does.' },
            { name: 'target', maxlength: 2_000, autocomplete: 'off' },
          ),
          quiet(quietHours),
        ],
        verb: 'Save',
      },
      { from: path },
    ),
  };
}

/** Asks before a channel goes. */
export function deleteChannelPage(model: ChannelSettingsModel, frame: Frame): PageContent {
  const path = `/alert-channels/${model.channel_id}`;
  return {
    title: 'Delete a channel',
    crumbs: [channelsCrumb, { name: model.name, path }],
    main: dangerPart(
      frame,
      {
        id: 'd-delete',
        path: `${path}/delete`,
        title: ['Delete ', told(model.name)],
        why: 'Its deliveries go with it, and what waits is not sent. Rules tell nobody there any more.',
        verb: 'Delete the channel',
      },
      path,
    ),
  };
}

/** The secret of a webhook that was just made: nobody sees it again. */
export function channelMadePage(
  {
    channel_id: id,
    name: called,
    secret,
  }: { readonly channel_id: number; readonly name: string; readonly secret: string },
  frame: Frame,
): PageContent {
  return {
    title: 'The channel is there',
    crumbs: [channelsCrumb],
    main: el(
      'div',
      { class: 'narrow' },
      pageHead({ title: 'The channel is there' }),
      el(
        'p',
        null,
        'Its messages are signed with this secret. It is shown this once: take it to the receiver now.',
      ),
      el(
        'pre',
        { class: 'snip', tabindex: 0, role: 'group', 'aria-label': 'The secret' },
        el('code', null, secret),
      ),
      el(
        'p',
        null,
        pageLink(frame, { path: `/alert-channels/${id}` }, { class: 'btn primary' }, told(called)),
      ),
    ),
  };
}

/** The form that adds a rule. */
export function newRulePage({ kinds, channels }: NewRuleModel, frame: Frame): PageContent {
  const lines = channels.map(({ channel_id: id, name: called }) =>
    el(
      'label',
      { class: 'check' },
      el('input', { type: 'checkbox', name: 'channels[]', value: id }),
      ' ',
      told(called),
    ),
  );
  const choices = kinds.map((kind) => ({ value: kind, name: ruleKindWords[kind].sentence(null) }));
  return {
    title: 'Add a rule',
    crumbs: [channelsCrumb, rulesCrumb],
    main: askingPart(
      frame,
      {
        id: 'd-rule',
        path: '/alert-channels/rules/new',
        title: 'Add a rule',
        why: 'It holds for all projects until it has conditions, which the next page has.',
        act: '/alert-channels/rules',
        fields: [
          field({ id: 'name', label: 'Name' }, { name: 'name', required: true, maxlength: 100 }),
          choiceField({ id: 'on', label: 'When' }, choices),
          el('fieldset', { class: 'choose' }, el('legend', null, 'Tell'), ...lines),
        ],
        verb: 'Add the rule',
      },
      { from: '/alert-channels/rules' },
    ),
  };
}
