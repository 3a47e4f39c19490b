import type { z } from 'zod';
import {
  type ChannelFieldName,
  type ChannelFields,
  channelFieldNames,
} from '../../../schemas/alert-channel-fields.ts';
import type { AlertChannelChangeRequest } from '../../../schemas/alert-channels.ts';
import {
  createChannel,
  deleteChannel,
  getChannel,
  missingField,
  parseChannelFields,
  retryChannel,
  storedFields,
  testChannel,
  unsubscribe,
  updateChannel,
} from '../../../src/core/alerts/channels.ts';
import { removeSubscription, subscribeBrowser } from '../../../src/core/alerts/push-subscriptions.ts';
import { parseQuietHours } from '../../../src/core/alerts/quiet-hours.ts';
import { type ChannelTrial, tryChannel } from '../../../src/core/alerts/try-channel.ts';
import { createInvalidParamError } from '../../../src/core/errors.ts';
import { channelModel } from '../../../src/core/page-models/monitoring/channel.ts';
import {
  channelSettingsModel,
  findOwnMember,
  newChannelModel,
  newChannelOfTypeModel,
  newRuleModel,
  newRuleOfKindModel,
  unsubscribeModel,
} from '../../../src/core/page-models/monitoring/channel-forms.ts';
import { channelsModel } from '../../../src/core/page-models/monitoring/channels.ts';
import { ruleModel, rulesModel } from '../../../src/core/page-models/monitoring/rules.ts';
import { pathId, type RequestContext } from '../../../src/core/page-models/request-context.ts';
import { findThisBrowser, signedInMember } from '../../../src/core/page-models/sign-in-settings.ts';
import {
  type ActionResult,
  action,
  confirmationForm,
  noForm,
  page,
  showPage,
} from '../../../src/http/pages/declarations.ts';
import { browserSchema } from '../../../src/web/alerts/browsers.ts';
import {
  channelCreatedPage,
  channelPage,
  deleteChannelPage,
  unsubscribePage,
} from '../../../src/web/alerts/channel.ts';
import {
  addTry,
  type ChannelForm,
  type ChannelFormState,
  channelForm,
  editChannelPage,
  enteredChannelState,
  labelOf,
  newChannelOfTypePage,
  newChannelPage,
} from '../../../src/web/alerts/channel-form.ts';
import { channelsPage } from '../../../src/web/alerts/channels.ts';
import { newRuleOfKindPage, newRulePage } from '../../../src/web/alerts/rule-form.ts';
import { rulePage, rulesPage } from '../../../src/web/alerts/rules.ts';
import type { PageContent, PageContext } from '../../../src/web/page-context.ts';
import { pauseForm, toPauseChange } from '../uptime/pause.ts';
import { changeRuleAction, createRuleAction } from './rules.ts';

const one = '/alert-channels/{channel_id}';
const rules = '/alert-channels/rules';

export function alertPages() {
  return [
    page('/alert-channels', 'viewer', channelsModel, channelsPage),
    page('/alert-channels/new', 'admin', newChannelModel, newChannelPage),
    page('/alert-channels/new/{type}', 'admin', newChannelOfTypeModel, newChannelOfTypePage),
    createChannelAction,
    page(rules, 'viewer', rulesModel, rulesPage),
    page(`${rules}/new`, 'admin', newRuleModel, newRulePage),
    page(`${rules}/new/{on}`, 'admin', newRuleOfKindModel, newRuleOfKindPage),
    createRuleAction,
    page(`${rules}/{rule_id}`, 'viewer', ruleModel, rulePage),
    changeRuleAction,
    page(one, 'viewer', channelModel, channelPage),
    action(`${one}/browsers`, 'viewer', browserSchema, subscribe, {
      onInvalid: {
        model: channelModel,
        view: (model, pageContext, { errors }) => channelPage(model, pageContext, errors['subscription']),
      },
    }),
    action(`${one}/browsers/{subscription_id}/remove`, 'viewer', noForm, removeBrowser),
    page(`${one}/settings`, 'admin', channelSettingsModel, editChannelPage),
    changeChannelAction,
    page(`${one}/delete`, 'admin', channelSettingsModel, deleteChannelPage),
    action(`${one}/delete`, 'admin', confirmationForm, remove),
    page(`${one}/unsubscribe`, 'viewer', unsubscribeModel, unsubscribePage),
    action(`${one}/unsubscribe`, 'viewer', confirmationForm, leave),
    action(`${one}/test`, 'admin', noForm, test),
    action(`${one}/retry`, 'admin', noForm, retry),
    action(`${one}/pause`, 'admin', pauseForm, (context, form) =>
      changed(context, toPauseChange(context, form)),
    ),
    action(`${one}/resume`, 'admin', noForm, (context) => changed(context, { paused: false })),
  ];
}

function idOf(context: RequestContext): number {
  return pathId(context, 'channel_id', 'An alert channel with this number');
}

async function changed(context: RequestContext, changes: Parameters<typeof updateChannel>[3]) {
  const id = idOf(context);
  await updateChannel(context.deps, null, id, changes, context.by);
  return { to: `/alert-channels/${id}` };
}

async function test(context: RequestContext) {
  const id = idOf(context);
  await testChannel(context.deps, null, id, context.pagesUrl, context.by);
  return { to: `/alert-channels/${id}`, notice: 'channel-tested' };
}

async function subscribe(context: RequestContext, { subscription }: z.infer<typeof browserSchema>) {
  const id = idOf(context);
  const fields = { subscription, device: (await findThisBrowser(context)) ?? 'Browser' };
  await subscribeBrowser(context.deps, id, await signedInMember(context), fields, context.by);
  return { to: `/alert-channels/${id}` };
}

async function removeBrowser(context: RequestContext) {
  const channelId = idOf(context);
  const subscriptionId = pathId(context, 'subscription_id', 'One of your browsers with this number');
  const at = { channelId, subscriptionId };
  await removeSubscription(context.deps, at, context.currentUser, context.by);
  return { to: `/alert-channels/${channelId}` };
}

async function retry(context: RequestContext) {
  const id = idOf(context);
  await retryChannel(context.deps, null, id, context.by);
  return { to: `/alert-channels/${id}` };
}

async function leave(context: RequestContext) {
  const id = idOf(context);
  await unsubscribe(context.deps, id, await findOwnMember(context), context.by);
  return { to: '/alert-channels', notice: 'channel-left' };
}

async function remove(context: RequestContext) {
  await deleteChannel(context.deps, null, idOf(context), context.by);
  return { to: '/alert-channels' };
}

const nameCharactersMax = 100;

const createChannelAction = action('/alert-channels/new/{type}', 'admin', channelForm, create, {
  onInvalid: {
    model: newChannelOfTypeModel,
    view: (model, frame, entry) => newChannelOfTypePage(model, frame, enteredChannelState(entry)),
  },
});

const changeChannelAction = action('/alert-channels/{channel_id}/settings', 'admin', channelForm, change, {
  onInvalid: {
    model: channelSettingsModel,
    view: (model, frame, entry) => editChannelPage(model, frame, enteredChannelState(entry)),
  },
});

async function create(context: RequestContext, form: ChannelForm) {
  const model = await newChannelOfTypeModel(context);
  const { type } = model;
  const view = (pageContext: PageContext, state: ChannelFormState) =>
    newChannelOfTypePage(model, pageContext, state);
  const shown = await checkOrTry(context, form, { type, before: {}, view });
  if (shown !== null) return shown;
  const input = { ...requestOf(form), name: form.name ?? '', type };
  const { channel, madeSecret } = await createChannel(context.deps, null, input, context.by);
  if (madeSecret === null) return { to: `/alert-channels/${channel.id}` };
  const created = { alert_channel_id: channel.id, name: channel.name, secret: madeSecret };
  return showPage((pageContext) => channelCreatedPage(created, pageContext));
}

async function change(context: RequestContext, form: ChannelForm) {
  const model = await channelSettingsModel(context);
  const id = pathId(context, 'channel_id', 'An alert channel with this number');
  const before = storedFields(await getChannel(context.deps, null, id));
  const view = (pageContext: PageContext, state: ChannelFormState) =>
    editChannelPage(model, pageContext, state);
  const shown = await checkOrTry(context, form, { type: model.type, before, view });
  if (shown !== null) return shown;
  await updateChannel(context.deps, null, id, requestOf(form), context.by);
  return { to: `/alert-channels/${id}` };
}

interface CheckedForm {
  readonly type: string;
  readonly before: ChannelFields;
  view(pageContext: PageContext, state: ChannelFormState): PageContent;
}

/** The form with the result of a test; null if it is to be saved. Throws all its errors at once. */
async function checkOrTry(
  context: RequestContext,
  form: ChannelForm,
  { type, before, view }: CheckedForm,
): Promise<ActionResult | null> {
  const fields = fieldsOf(form);
  const errors = errorsOf(context, form, { type, before, fields });
  if (Object.keys(errors).length > 0) throw createInvalidParamError(errors);
  if (form.do !== 'test') return null;
  const state = enteredChannelState({ values: form, errors: {} });
  const result = await sendTrials(context, { type, before, fields, name: state.name });
  return showPage((pageContext) => view(pageContext, { ...state, tries: addTry(state.tries, result) }));
}

function sendTrials(
  context: RequestContext,
  { fields, ...channel }: { type: string; before: ChannelFields; fields: ChannelFields; name: string },
): Promise<ChannelTrial> {
  const trial = { ...channel, given: fields, projectId: null };
  return tryChannel(context.deps, trial, context.pagesUrl, context.by);
}

/** Forms are read without their empty fields; empty recipients count, where they are optional. */
function fieldsOf(form: ChannelForm): ChannelFields {
  const entries = channelFieldNames.map((name) => [name, form[name]] as const);
  return { to: '', ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}

function quietOf({ quiet_from: from = '', quiet_to: to = '', quiet_zone: zone = '' }: ChannelForm) {
  return { from, to, zone };
}

function quietHoursText(form: ChannelForm): string {
  const { from, to, zone } = quietOf(form);
  return from === '' && to === '' ? '' : `${from} to ${to}${zone === '' ? '' : ` ${zone}`}`;
}

function requestOf(form: ChannelForm): AlertChannelChangeRequest {
  return { ...fieldsOf(form), name: form.name, quiet_hours: quietHoursText(form) };
}

function errorsOf(
  { deps }: RequestContext,
  form: ChannelForm,
  { type, before, fields }: { type: string; before: ChannelFields; fields: ChannelFields },
): Record<string, string> {
  const found: Record<string, string> = {};
  const name = form.name ?? '';
  if (name === '') found['name'] = 'Enter a name.';
  else if (name.length > nameCharactersMax) found['name'] = `Use at most ${nameCharactersMax} characters.`;
  for (const [field, sentence] of Object.entries(parseChannelFields(deps, type, before, fields).errors)) {
    found[field] = errorText(type, field as ChannelFieldName, sentence);
  }
  const quietHours = quietHoursText(form);
  if (quietHours !== '' && parseQuietHours(quietHours) === null) {
    found['quiet_from'] = 'Enter two times such as 22:00 and 07:00, and a time zone such as Europe/Berlin.';
  }
  return found;
}

/** The sentence of the API with the label in place of the field's name. */
function errorText(type: string, field: ChannelFieldName, sentence: string): string {
  const label = labelOf(type, field);
  if (sentence === missingField) {
    const isWord = /^[A-Z][a-z]/.test(label);
    return `Enter the ${isWord ? `${label.charAt(0).toLowerCase()}${label.slice(1)}` : label}.`;
  }
  return sentence.startsWith(`${field} `) ? `${label} ${sentence.slice(field.length + 1)}` : sentence;
}
