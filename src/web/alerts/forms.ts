import { z } from 'zod';
import { ruleKinds } from '../../../schemas/alert-channels.ts';
import type { ChannelSettingsModel, NewRuleModel } from '../../core/page-models/monitoring/channel-forms.ts';
import { ruleKindWords } from '../../core/page-models/monitoring/kinds.ts';
import { confirmPage, formPage, secretShownOncePage } from '../components/dialog-forms.ts';
import {
  defineForm,
  formFields,
  parseOnlyField,
  requiredTextField,
  selectField,
} from '../components/form.ts';
import { el } from '../el.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { shortUntrustedText } from '../uptime/labels.ts';

const channelsCrumb = { name: 'Alert channels', path: '/alert-channels' };
const rulesCrumb = { name: 'Rules', path: '/alert-channels/rules' };
export const newRuleForm = defineForm({
  name: {
    ...requiredTextField('Name', 'Enter a name.', { attributes: { maxlength: 100 } }),
    schema: z.string('Enter a name.').max(100, 'Use at most 100 characters.'),
  },
  on: selectField('When', z.enum(ruleKinds, 'Choose a trigger.')),
  channels: parseOnlyField(z.array(z.coerce.number().int()).optional()),
});

export function deleteChannelPage(model: ChannelSettingsModel, frame: PageContext): PageContent {
  return confirmPage(frame, {
    title: 'Delete alert channel',
    crumbs: crumbsOf(model),
    heading: ['Delete ', shortUntrustedText(model.name)],
    why: 'Its delivery history is deleted and pending notifications are not sent. Rules no longer notify it. This cannot be undone.',
    act: `/alert-channels/${model.channel_id}/delete`,
    verb: 'Delete channel',
  });
}

function crumbsOf({ channel_id: id, name }: ChannelSettingsModel) {
  return [channelsCrumb, { name, path: `/alert-channels/${id}` }];
}

/** Shows the secret of a new webhook, which is never shown again. */
export function channelCreatedPage(
  made: { readonly channel_id: number; readonly name: string; readonly secret: string },
  frame: PageContext,
): PageContent {
  return secretShownOncePage(frame, {
    title: 'Channel created',
    crumbs: [channelsCrumb],
    why: 'Requests are signed with this secret. It is shown only once: copy it to the receiver now.',
    label: 'Signing secret',
    text: made.secret,
    path: `/alert-channels/${made.channel_id}`,
    name: shortUntrustedText(made.name),
  });
}

export function newRulePage({ kinds, channels }: NewRuleModel, frame: PageContext): PageContent {
  const boxes = channels.map(({ channel_id: id, name: called }) =>
    el(
      'label',
      { class: 'check' },
      el('input', { type: 'checkbox', name: 'channels[]', value: id }),
      ' ',
      shortUntrustedText(called),
    ),
  );
  const choices = kinds.map((kind) => ({ value: kind, name: ruleKindWords[kind].sentence(null) }));
  return formPage(frame, {
    title: 'New alert rule',
    crumbs: [channelsCrumb, rulesCrumb],
    why: 'Applies to all projects. Add conditions in the next step.',
    act: '/alert-channels/rules',
    fields: [
      ...formFields(newRuleForm, { looks: { on: { choices } } }),
      el('fieldset', { class: 'choose' }, el('legend', null, 'Notify'), ...boxes),
    ],
    verb: 'Create rule',
  });
}
