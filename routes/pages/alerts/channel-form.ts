import type { ChannelFieldName, ChannelFields } from '../../../schemas/alert-channel-fields.ts';
import { channelFieldNames } from '../../../schemas/alert-channel-fields.ts';
import type { AlertChannelChangeRequest } from '../../../schemas/alert-channels.ts';
import {
  createChannel,
  getChannel,
  missingField,
  parseChannelFields,
  storedFields,
  updateChannel,
} from '../../../src/core/alerts/channels.ts';
import { parseQuietHours } from '../../../src/core/alerts/quiet-hours.ts';
import { type ChannelTrial, tryChannel } from '../../../src/core/alerts/try-channel.ts';
import { requestSource } from '../../../src/core/audit/audit.ts';
import { createInvalidParamError } from '../../../src/core/errors.ts';
import {
  channelSettingsModel,
  newChannelOfTypeModel,
} from '../../../src/core/page-models/monitoring/channel-forms.ts';
import { pathId, type RequestContext } from '../../../src/core/page-models/request-context.ts';
import { type ActionResult, action } from '../../../src/http/pages/declarations.ts';
import {
  addTry,
  type ChannelForm,
  type ChannelFormState,
  channelForm,
  editChannelPage,
  enteredChannelState,
  labelOf,
  newChannelOfTypePage,
} from '../../../src/web/alerts/channel-form.ts';
import { channelCreatedPage } from '../../../src/web/alerts/forms.ts';
import type { PageContent, PageContext } from '../../../src/web/page-context.ts';

const nameCharactersMax = 100;

export const createChannelAction = action({
  path: '/alert-channels/new/{type}',
  needs: 'admin',
  form: channelForm,
  act: create,
  again: {
    model: newChannelOfTypeModel,
    view: (model, frame, entry) => newChannelOfTypePage(model, frame, enteredChannelState(entry)),
  },
});

export const changeChannelAction = action({
  path: '/alert-channels/{channel_id}/settings',
  needs: 'admin',
  form: channelForm,
  act: change,
  again: {
    model: channelSettingsModel,
    view: (model, frame, entry) => editChannelPage(model, frame, enteredChannelState(entry)),
  },
});

async function create(context: RequestContext, form: ChannelForm): Promise<ActionResult> {
  const model = await newChannelOfTypeModel(context);
  const { type } = model;
  const view = (frame: PageContext, state: ChannelFormState) => newChannelOfTypePage(model, frame, state);
  const shown = await checkOrTry(context, form, { type, before: {}, view });
  if (shown !== null) return shown;
  const input = { ...requestOf(form), name: form.name ?? '', type };
  const { channel, madeSecret } = await createChannel(context.deps, null, input, requestSource(context));
  if (madeSecret === null) return { to: `/alert-channels/${channel.id}` };
  const made = { alert_channel_id: channel.id, name: channel.name, secret: madeSecret };
  return { status: 200, view: (frame) => channelCreatedPage(made, frame) };
}

async function change(context: RequestContext, form: ChannelForm): Promise<ActionResult> {
  const model = await channelSettingsModel(context);
  const id = pathId(context, 'channel_id', 'An alert channel with this number');
  const before = storedFields(await getChannel(context.deps, null, id));
  const view = (frame: PageContext, state: ChannelFormState) => editChannelPage(model, frame, state);
  const shown = await checkOrTry(context, form, { type: model.type, before, view });
  if (shown !== null) return shown;
  await updateChannel(context.deps, null, id, requestOf(form), requestSource(context));
  return { to: `/alert-channels/${id}` };
}

interface CheckedForm {
  readonly type: string;
  readonly before: ChannelFields;
  view(frame: PageContext, state: ChannelFormState): PageContent;
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
  const state = enteredChannelState({ values: form, wrong: {} });
  const result = await tried(context, { type, before, fields, name: state.name });
  return { status: 200, view: (frame) => view(frame, { ...state, tries: addTry(state.tries, result) }) };
}

function tried(
  context: RequestContext,
  { fields: given, ...channel }: { type: string; before: ChannelFields; fields: ChannelFields; name: string },
): Promise<ChannelTrial> {
  const trial = { ...channel, given, projectId: null };
  return tryChannel(context.deps, trial, context.pagesUrl, requestSource(context));
}

/** Forms are read without their empty fields; empty recipients count, where they are optional. */
function fieldsOf(form: ChannelForm): ChannelFields {
  const given = channelFieldNames.map((name) => [name, form[name]] as const);
  return { to: '', ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
}

function quietOf({ quiet_from: from = '', quiet_to: to = '', quiet_zone: zone = '' }: ChannelForm) {
  return { from, to, zone };
}

function quietTextOf(form: ChannelForm): string {
  const { from, to, zone } = quietOf(form);
  return from === '' && to === '' ? '' : `${from} to ${to}${zone === '' ? '' : ` ${zone}`}`;
}

function requestOf(form: ChannelForm): AlertChannelChangeRequest {
  return { ...fieldsOf(form), name: form.name, quiet_hours: quietTextOf(form) };
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
  const quiet = quietTextOf(form);
  if (quiet !== '' && parseQuietHours(quiet) === null) {
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
