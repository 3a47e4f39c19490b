// New and existing alert channels: the type first, then its own fields.
import { z } from 'zod';
import {
  type ChannelFieldDefinition,
  type ChannelFieldName,
  channelFieldNames,
} from '../../../schemas/alert-channel-fields.ts';
import { channelGroups } from '../../core/alerts/messages/channel-type.ts';
import { channelTypeOf } from '../../core/alerts/messages/channel-types.ts';
import type {
  ChannelPreview,
  ChannelSettingsModel,
  ChannelTrial,
  NewChannelModel,
  NewChannelOfTypeModel,
} from '../../core/page-models/monitoring/channel-forms.ts';
import { actionForm, enterSavesButton, field, fieldBox, submitButton } from '../components/controls.ts';
import { pageHead, section } from '../components/elements.ts';
import { errorSummary, type FormEntry } from '../components/form.ts';
import { statusMark } from '../components/icons.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { shortTime } from '../formatters.ts';
import { shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { slackPreview } from './slack-preview.ts';

export const channelsBreadcrumb = { name: 'Alert channels', path: '/alert-channels' };
const triesMax = 5;

const text = (max: number) => z.string().max(max, `Use at most ${max} characters.`).optional();
const fieldShape = Object.fromEntries(channelFieldNames.map((name) => [name, text(10_000)])) as {
  [Name in ChannelFieldName]: ReturnType<typeof text>;
};

/** Fields are checked by the schema of the API, so that each error stands beside its field. */
export const channelForm = z.object({
  name: text(1_000),
  ...fieldShape,
  quiet_from: text(20),
  quiet_to: text(20),
  quiet_zone: text(64),
  /** Earlier tests, newest first. */
  tried: text(4_000),
  do: z.enum(['save', 'test'], 'Choose save or test.'),
});
export type ChannelForm = z.infer<typeof channelForm>;

const channelTries = z
  .array(
    z.object({
      delivered: z.boolean(),
      atMs: z.number().min(0).max(8e15),
      durationMs: z.number().min(0).max(1e6),
      status: z.number().nullable(),
      answer: z.string().max(500),
    }),
  )
  .max(triesMax);

/** Those that the form carries; none where they cannot be read. */
function parseTries(text: string): readonly ChannelTrial[] {
  try {
    return channelTries.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

export function addTry(tries: readonly ChannelTrial[], next: ChannelTrial): readonly ChannelTrial[] {
  return [next, ...tries].slice(0, triesMax);
}

export type ChannelFormState = ReturnType<typeof enteredChannelState>;

export function enteredChannelState({
  values,
  errors,
}: {
  readonly values: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly errors: FormEntry['errors'];
}) {
  const textOf = (name: string): string => String(values[name] ?? '');
  return {
    name: textOf('name'),
    fields: Object.fromEntries(channelFieldNames.map((name) => [name, textOf(name)])),
    quietHours: { from: textOf('quiet_from'), to: textOf('quiet_to'), zone: textOf('quiet_zone') },
    errors,
    tries: parseTries(textOf('tried')),
  };
}

const emptyChannelForm: ChannelFormState = {
  name: '',
  fields: {},
  quietHours: { from: '', to: '', zone: '' },
  errors: {},
  tries: [],
};

function formStateOf({ name, quiet_hours: quietHours, fields }: ChannelSettingsModel): ChannelFormState {
  const [, from = '', to = '', zone = ''] = /^(\S+) to (\S+)(?: (\S+))?$/.exec(quietHours) ?? [];
  return { ...emptyChannelForm, name, fields, quietHours: { from, to, zone } };
}

export function newChannelPage({ types }: NewChannelModel, context: PageContext): PageContent {
  const ofGroup = (group: string): TypeChoice[] =>
    types
      .filter(({ type }) => channelTypeOf(type).group === group)
      .map(({ type, unavailable }) => {
        const { name, needs } = channelTypeOf(type);
        return { path: `/alert-channels/new/${type.replaceAll('_', '-')}`, name, text: unavailable ?? needs };
      });
  return typeChoicePage(context, {
    title: 'New alert channel',
    breadcrumbs: [channelsBreadcrumb],
    question: 'Where should notifications go?',
    groups: channelGroups.map((group) => [group, ofGroup(group)]),
  });
}

interface TypeChoice {
  readonly path: string;
  readonly name: string;
  readonly text: string;
}

/** Of a new channel or rule: its type first, then a form. */
export function typeChoicePage(
  context: PageContext,
  {
    title,
    breadcrumbs,
    question,
    groups,
  }: Required<Pick<PageContent, 'title' | 'breadcrumbs'>> & {
    readonly question: string;
    readonly groups: ReadonlyArray<readonly [title: string, choices: readonly TypeChoice[]]>;
  },
): PageContent {
  const choice = ({ path, name, text }: TypeChoice): VNode =>
    el('li', null, pageLink(context, path, null, el('strong', null, name), el('span', null, text)));
  const sections = groups.map(([name, choices], at) =>
    section(
      { id: `g${at}`, title: name, class: 'typegroup' },
      html`<ul class="types tight">${choices.map(choice)}</ul>`,
    ),
  );
  return {
    ...{ title, breadcrumbs },
    main: [
      pageHead({ title }),
      html`<p class="soft">${question}</p>`,
      html`<div class="space">${sections}</div>`,
    ],
  };
}

export function newChannelOfTypePage(
  { type, unavailable, preview }: NewChannelOfTypeModel,
  context: PageContext,
  state: ChannelFormState = emptyChannelForm,
): PageContent {
  const title = `New ${channelTypeOf(type).name} channel`;
  const change = pageLink(context, '/alert-channels/new', { class: 'small' }, 'Change type');
  const note = 'Applies to all projects: new and regressed issues. Add conditions in the next step.';
  const action = `/alert-channels/new/${type.replaceAll('_', '-')}`;
  const main =
    unavailable === null
      ? formOf(context, state, {
          type,
          action,
          from: '/alert-channels',
          verb: 'Create channel',
          note,
          preview,
        })
      : el(
          'p',
          null,
          `${channelTypeOf(type).name} cannot be used: ${unavailable}. Set it and restart Notifier.`,
        );
  return {
    title,
    breadcrumbs: [channelsBreadcrumb, { name: 'New channel', path: '/alert-channels/new' }],
    main: [el('div', { class: 'top' }, el('div', { class: 'h1line' }, el('h1', null, title), change)), main],
  };
}

export function editChannelPage(
  model: ChannelSettingsModel,
  context: PageContext,
  state: ChannelFormState = formStateOf(model),
): PageContent {
  const { alert_channel_id: id, name, type, target, preview } = model;
  const from = `/alert-channels/${id}`;
  const note = [
    'Sends to ',
    el('code', null, shortUntrustedText(target)),
    '. Empty keys and URLs keep the current ones.',
  ];
  return {
    title: 'Edit alert channel',
    breadcrumbs: [channelsBreadcrumb, { name, path: from }],
    main: [
      pageHead({ title: 'Edit alert channel' }),
      formOf(context, state, { type, action: `${from}/settings`, from, verb: 'Save', note, preview }),
    ],
  };
}

interface FormOptions {
  readonly type: string;
  readonly action: string;
  /** Where *Cancel* leads. */
  readonly from: string;
  readonly verb: string;
  readonly note: Content;
  readonly preview: ChannelPreview | null;
}

function formOf(context: PageContext, state: ChannelFormState, options: FormOptions): Content {
  const { type, action, from, verb, note, preview } = options;
  const { name, fields, errors, tries } = state;
  const { fields: ofType, oneOf } = channelTypeOf(type);
  const definitions = Object.entries<ChannelFieldDefinition>(ofType);
  const isEdit = verb === 'Save';
  const first = ['name', ...definitions.map(([each]) => each), 'quiet_from'].find((each) => errors[each]);
  const inputs = definitions.map(([each, definition]) => {
    const name = each as ChannelFieldName;
    const shown = channelField(name, definition, {
      value: fields[name],
      error: errors[each],
      isEdit,
      autofocus: each === first,
      isChoice: oneOf?.groups.some((group) => group.includes(name)) === true,
    });
    return channelTypeOf(type).instructions?.field === each ? el('div', null, shown, stepsOf(type)) : shown;
  });
  const nameField = field(
    {
      id: 'name',
      label: 'Name',
      hint: 'Shown in notifications, for example On call.',
      error: errors['name'] ?? null,
    },
    {
      ...{ name: 'name', value: name, maxlength: 100, required: true },
      ...{ autocomplete: 'off', autofocus: first === 'name' },
    },
  );
  const tried = el('input', { type: 'hidden', name: 'tried', value: JSON.stringify(tries) });
  const test = submitButton('Send test', { class: 'btn small', name: 'do', value: 'test' });
  const form = [
    actionForm(
      context,
      action,
      { class: 'form', novalidate: true },
      errorSummary(errors, (each) => labelOf(type, each)),
      el('p', { class: 'soft' }, note),
      enterSavesButton(verb),
      tries.length === 0 ? null : tried,
      html`<fieldset>
        <legend class="vh">Channel</legend>${nameField}${inputs}${quietFields(state, first)}
      </fieldset>`,
      html`<section aria-labelledby="test-h">
        <div class="top"><h2 id="test-h">Test notification</h2>${test}</div>
        <div role="status">${testResultList(tries, type, context)}</div>
      </section>`,
      html`<p class="acts saveline">
        ${submitButton(verb, { class: 'btn primary', name: 'do', value: 'save' })}
        ${pageLink(context, from, { class: 'btn' }, 'Cancel')}
      </p>`,
    ),
  ];
  return preview === null ? form : html`<div class="sided"><div>${form}</div>${slackPreview(preview)}</div>`;
}

function stepsOf(type: string): VNode {
  const steps = channelTypeOf(type).instructions?.steps ?? [];
  return html`<details class="steps">
    <summary>Show me how</summary><ol>${steps.map((step) => el('li', null, step))}</ol>
  </details>`;
}

export function labelOf(type: string, name: string): string {
  if (name === 'name') return 'Name';
  if (name.startsWith('quiet_')) return 'Quiet hours';
  return channelTypeOf(type).fields[name as ChannelFieldName]?.label ?? name;
}

interface FieldState {
  readonly value: string | undefined;
  readonly error: string | undefined;
  readonly isEdit: boolean;
  readonly autofocus: boolean;
  /** One of several groups of fields is filled in. */
  readonly isChoice: boolean;
}

function channelField(
  name: ChannelFieldName,
  { label, hint, example, optional, secret, rows }: ChannelFieldDefinition,
  { value = '', error, isEdit, autofocus, isChoice }: FieldState,
): VNode {
  const mayBeEmpty = optional === true || (isEdit && secret === true);
  const shown = mayBeEmpty && !isChoice ? [label, ' ', el('span', { class: 'opt-l' }, 'optional')] : label;
  const isSaid = example === undefined || hint?.includes(example) === true;
  const hints = [hint, isSaid ? undefined : `For example ${example}`].filter((each) => each !== undefined);
  const attributes = {
    name,
    value,
    placeholder: null,
    autocomplete: 'off',
    spellcheck: 'false',
    required: !mayBeEmpty,
    autofocus,
  };
  const options = {
    id: name,
    label: shown,
    ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
    error: error ?? null,
  };
  if (rows === undefined) return field(options, attributes);
  return fieldBox(options, (described) =>
    el(
      'textarea',
      { id: name, name, rows, spellcheck: 'false', autocomplete: 'off', autofocus, ...described },
      value,
    ),
  );
}

function quietFields({ quietHours, errors }: ChannelFormState, first: string | undefined): VNode {
  const fields = [
    ['quiet_from', 'From', quietHours.from, '22:00'],
    ['quiet_to', 'To', quietHours.to, '07:00'],
    ['quiet_zone', 'Time zone', quietHours.zone, 'Europe/Berlin'],
  ] as const;
  const isOpen =
    quietHours.from !== '' || quietHours.to !== '' || fields.some(([name]) => errors[name] !== undefined);
  const hint =
    quietHours.to === ''
      ? 'Notifications wait, and one summary is sent at the end.'
      : `One summary is sent at ${quietHours.to}.`;
  return html`<details open=${isOpen}>
    <summary>Quiet hours</summary>
    <div class="fields">
      ${fields.map(([name, label, value, placeholder]) =>
        field(
          { id: name, label, error: errors[name] },
          { name, value, placeholder, autofocus: name === 'quiet_from' && first === name },
        ),
      )}
    </div>
    <p class="says">${hint} UTC without a time zone.</p>
  </details>`;
}

function testResultList(tries: readonly ChannelTrial[], type: string, { nowMs }: PageContext): Content {
  if (tries.length === 0) {
    return el('p', { class: 'says' }, 'Nothing is saved until you save the form.');
  }
  const items = tries.map(({ delivered, atMs, durationMs, status, answer }) => {
    const mark = delivered ? statusMark('passed', 'Delivered') : statusMark('failed', 'Not delivered');
    const at = shortTime(new Date(atMs).toISOString(), nowMs);
    const channelType = channelTypeOf(type).name;
    const advice = delivered || status === null ? null : adviceFor(status);
    const result: Content =
      status === null
        ? answer === ''
          ? ` ${channelType} did not respond.`
          : ` ${channelType}: `
        : [` ${channelType} answered `, el('b', null, String(status)), answer === '' ? '.' : ':'];
    const line = el('span', { class: 'soft' }, at, `, in ${durationMs} ms.`, result);
    return html`<li>
      ${mark} ${line}${answer === '' ? null : el('pre', null, shortUntrustedText(answer, 300))}
      ${advice === null ? null : el('p', { class: 'small soft' }, advice)}
    </li>`;
  });
  return el('ol', { class: 'answer' }, ...items);
}

function adviceFor(status: number): string | null {
  if (status === 401 || status === 403) return 'The key or token was not accepted. Copy it again.';
  if (status === 404 || status === 410) {
    return 'It was removed or disabled, or copied only in part. Copy it again, or create a new one.';
  }
  if (status === 429) return 'Too many requests. Wait a minute, then send another test.';
  return status >= 500 ? 'The service has a problem. Send another test later.' : null;
}
