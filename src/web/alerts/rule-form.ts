// New and existing alert rules: what it is about first, then only its fields.
import { filterFields, type RuleName } from '../../../schemas/alert-channels.ts';
import { channelTypeOf } from '../../core/alerts/messages/channel-types.ts';
import type { NewRuleModel, NewRuleOfKindModel } from '../../core/page-models/monitoring/channel-forms.ts';
import {
  isIssueRule,
  levels,
  mayOpenIncidents,
  type RuleFilter,
  relationWords,
  ruleKindWords,
  ruleLimitOf,
  storedRuleKind,
} from '../../core/page-models/monitoring/kinds.ts';
import type { RuleModel } from '../../core/page-models/monitoring/rules.ts';
import { minuteMs } from '../../core/parsing/durations.ts';
import {
  actionForm,
  type Choice,
  enterSavesButton,
  field,
  fieldBox,
  optionsOf,
  submitButton,
} from '../components/controls.ts';
import { errorSummary, type FormEntry, fieldErrorText, optionLabel } from '../components/form.ts';
import { capitalize, statusMark } from '../components/icons.ts';
import { type Attributes, type Content, el, html, pageLink, type VNode } from '../el.ts';
import { shortUntrustedName, shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { typeChoicePage } from './channel-form.ts';
import { channelMark } from './channels.ts';

const path = '/alert-channels/rules';
const ruleBreadcrumbs = [
  { name: 'Alert channels', path: '/alert-channels' },
  { name: 'Rules', path },
];

const groups: ReadonlyArray<readonly [title: string, names: readonly RuleName[]]> = [
  [
    'Issues',
    [
      'issue.created',
      'issue.regressed',
      'issue.first_of_release',
      'events.above',
      'users.above',
      'issue.reopened',
    ],
  ],
  [
    'Triage and feedback',
    ['feedback.created', 'issue.assigned', 'issue.mentioned', 'issue.commented', 'issue.resolved'],
  ],
  [
    'Uptime',
    [
      'monitor.down',
      'monitor.up',
      'monitor.slow',
      'maintenance.scheduled',
      'maintenance.started',
      'maintenance.ended',
    ],
  ],
  ['Releases', ['crash_free_rate.below', 'deploy.failed', 'test_run.failed']],
  ['Project', ['expires_within', 'discard_rate.above']],
];

function ruleNameText(on: RuleName): string {
  return on === 'users.above' ? 'Many users' : ruleKindWords[storedRuleKind(on)].name;
}

/** With the usual threshold. */
function sentenceOf(on: RuleName): string {
  return capitalize(ruleKindWords[storedRuleKind(on)].sentence(ruleLimitOf(on)));
}

function ruleKindPath(on: RuleName): string {
  return `${path}/new/${on.replaceAll(/[._]/g, '-')}`;
}

export function newRulePage(_model: NewRuleModel, context: PageContext): PageContent {
  const choiceOf = (on: RuleName) => ({
    path: ruleKindPath(on),
    name: ruleNameText(on),
    text: sentenceOf(on),
  });
  return typeChoicePage(context, {
    title: 'New alert rule',
    breadcrumbs: ruleBreadcrumbs,
    question: 'What should it notify about?',
    groups: groups.map(([title, names]) => [title, names.map(choiceOf)]),
  });
}

export type RuleFormState = ReturnType<typeof newRuleState>;

function newRuleState(on: RuleName) {
  const limit = ruleLimitOf(on);
  return {
    on,
    name: ruleNameText(on),
    count: String(limit?.count ?? ''),
    minutes: limit?.withinMs == null ? '' : String(limit.withinMs / minuteMs),
    filters: [] as readonly RuleFilter[],
    channelIds: [] as readonly number[],
    group: '1',
    incident: 'none' as string,
    errors: {} as FormEntry['errors'],
  };
}

export function ruleStateOf({
  on,
  name,
  limit,
  filters,
  group_threshold: group,
  ...rule
}: RuleModel): RuleFormState {
  return {
    on,
    name,
    count: String(limit?.count ?? ''),
    minutes: String(limit?.minutes ?? ''),
    filters,
    channelIds: rule.channels
      .filter(({ is_notified: isNotified }) => isNotified)
      .map(({ alert_channel_id: id }) => id),
    group: String(group),
    incident: rule.opens_incident ?? 'none',
    errors: {},
  };
}

const filtersMax = 20;

export function enteredRuleState(on: RuleName, { values, errors }: FormEntry): RuleFormState {
  const word = (name: string): string => String(values[name] ?? '');
  const filters: RuleFilter[] = [];
  for (let at = 0; at < filtersMax; at += 1) {
    const name = filterFields.find((each) => each === word(`field_${at}`));
    if (name === undefined) break;
    const is = (Object.keys(relationWords) as RuleFilter['is'][]).find((each) => each === word(`is_${at}`));
    const tag = name === 'tag' ? word(`tag_${at}`) : '';
    filters.push({ field: name, name: tag, is: is ?? 'is', value: word(`value_${at}`) });
  }
  return {
    ...{ on, filters, errors },
    name: word('name'),
    count: word('count'),
    minutes: word('minutes'),
    channelIds: [values['channels'] ?? []].flat().map(Number),
    group: word('group'),
    incident: word('incident') === '' ? 'none' : word('incident'),
  };
}

export function newRuleOfKindPage(
  model: NewRuleOfKindModel,
  context: PageContext,
  state: RuleFormState = newRuleState(model.on),
): PageContent {
  const change = pageLink(context, `${path}/new`, { class: 'small' }, 'Change type');
  const title = `New rule: ${ruleNameText(model.on)}`;
  return {
    title,
    breadcrumbs: [...ruleBreadcrumbs, { name: 'New rule', path: `${path}/new` }],
    main: [
      el('div', { class: 'top' }, el('div', { class: 'h1line' }, el('h1', null, title), change)),
      el('p', { class: 'soft' }, `${sentenceOf(model.on)}.`),
      actionForm(
        context,
        ruleKindPath(model.on),
        { class: 'form space', novalidate: true },
        ...ruleFields(model, context, state, false),
        html`<p class="acts saveline">
          ${submitButton('Create rule', { class: 'btn primary', name: 'do', value: 'save' })}
          ${pageLink(context, path, { class: 'btn' }, 'Cancel')}
        </p>`,
      ),
    ],
  };
}

type RuleFormModel = Pick<RuleModel, 'people'> & {
  readonly channels: ReadonlyArray<Omit<NewRuleOfKindModel['channels'][number], 'rules'>>;
};

/** The fields of a new rule, and of one that is changed: that has a select of what it is about. */
export function ruleFields(
  model: RuleFormModel,
  context: PageContext,
  state: RuleFormState,
  isLocked: boolean,
  isEdit = false,
): Content[] {
  return [
    errorSummary(state.errors, (name) => fieldLabels[name.replace(/_\d+$/, '')] ?? name),
    isLocked ? null : enterSavesButton(),
    html`<fieldset disabled=${isLocked}>
      <legend class="vh">Rule</legend>
      ${inputOf(state, 'name', { hint: 'Shown in notifications, for example Checkout is down.' }, { maxlength: 100, required: true })}
      ${isEdit ? whenField(state.on) : null}${thresholdFields(state)}
    </fieldset>`,
    html`<fieldset disabled=${isLocked}>
      <legend>Conditions</legend>${conditionFields(model, context, state, isLocked)}
    </fieldset>`,
    notifyFields(model, context, state, isLocked),
    moreFields(state, isLocked),
  ];
}

const fieldLabels: Readonly<Record<string, string>> & Record<'name' | 'count' | 'minutes' | 'group', string> =
  {
    name: 'Name',
    count: 'Threshold',
    minutes: 'Within',
    tag: 'Tag',
    value: 'Value',
    channels: 'Notify',
    group: 'Group notifications above',
    filters: 'Conditions',
  };

function inputOf(
  { errors, ...state }: RuleFormState,
  name: 'name' | 'count' | 'minutes' | 'group',
  text: { readonly hint?: string; readonly unit?: string },
  attributes: Attributes,
): VNode {
  const isFirst = Object.keys(errors)[0] === name;
  const shown = { name, value: state[name], autocomplete: 'off', autofocus: isFirst, ...attributes };
  return field({ id: name, label: fieldLabels[name], ...text, error: errors[name] }, shown);
}

function whenField(on: RuleName): VNode {
  const choices = groups.flatMap(([, names]) =>
    names.map((each) => ({ value: each, name: `${ruleNameText(each)}: ${sentenceOf(each).toLowerCase()}` })),
  );
  return el(
    'div',
    { class: 'field' },
    el('label', { for: 'on' }, 'When'),
    el('select', { id: 'on', name: 'on', 'aria-describedby': 'on-hint' }, ...optionsOf(choices, on)),
    html`<p class="hint" id="on-hint">If you choose another event, the threshold returns to its default.</p>`,
    // A threshold belongs to its kind of rule, and is not taken over by another.
    el('input', { type: 'hidden', name: 'limit_of', value: on }),
  );
}

function thresholdFields(state: RuleFormState): Content[] {
  const limit = ruleLimitOf(state.on);
  if (limit === null) return [];
  const number = { type: 'number', required: true };
  const range = limit.unit === 'percent' ? { min: 0, step: 'any' } : { min: 1, step: 1 };
  const count = inputOf(state, 'count', { unit: limit.unit }, { ...number, ...range });
  if (limit.withinMs === null) return [count];
  const step = storedRuleKind(state.on) === 'losses.more_than' ? 60 : 5;
  const hint = `In steps of ${step}, up to 1,440.`;
  const within = inputOf(
    state,
    'minutes',
    { unit: 'minutes', hint },
    { ...number, min: step, max: 1_440, step },
  );
  return [el('div', { class: 'fields' }, count, within)];
}

const conditionWords: Readonly<Record<RuleFilter['field'], readonly [label: string, hint: string]>> = {
  project: ['Project', ''],
  environment: ['Environment', 'For example production.'],
  level: ['Level', ''],
  release: ['Release', 'For example shop@2.31.0.'],
  tag: ['Tag', 'For example checkout for the tag area.'],
  assignee: ['Assignee', 'Nobody is none.'],
  mentioned: ['Mentioned member', ''],
};

function conditionsOf(on: RuleName): Array<RuleFilter['field']> {
  const kind = storedRuleKind(on);
  const [subject] = kind.split('.');
  if (subject === 'monitor' || subject === 'maintenance' || subject === 'expiry' || subject === 'losses') {
    return ['project'];
  }
  if (subject === 'release') return ['project', 'release'];
  if (subject === 'deploy' || subject === 'test_run') return ['project', 'environment', 'release'];
  return filterFields.filter((each) =>
    each === 'mentioned' ? kind === 'issue.mentioned' : each !== 'assignee' || isIssueRule(kind),
  );
}

function conditionFields(
  model: RuleFormModel,
  context: PageContext,
  state: RuleFormState,
  isLocked: boolean,
): Content[] {
  const rows = state.filters.map((filter, at) =>
    conditionRow(model, context, state, { filter, at, isLocked }),
  );
  const offered = conditionsOf(state.on).map((each) => ({ value: each, name: conditionWords[each][0] }));
  const error = state.errors['filters'];
  const appliesToAll = 'Applies to all projects.';
  return [
    el('p', { class: 'says' }, state.filters.length === 0 ? appliesToAll : 'All conditions must hold.'),
    error === undefined ? null : el('p', { class: 'wrong' }, statusMark('failed', error)),
    ...rows,
    isLocked || state.filters.length >= filtersMax
      ? null
      : html`<div class="unit">
        <label class="vh" for="add">Condition to add</label>
        <select id="add" name="add">${optionsOf(offered, null)}</select>
        ${submitButton('Add condition', { class: 'btn small', name: 'do', value: 'add' })}
      </div>`,
  ];
}

function conditionRow(
  { people }: RuleFormModel,
  context: PageContext,
  { errors }: RuleFormState,
  { filter, at, isLocked }: { readonly filter: RuleFilter; readonly at: number; readonly isLocked: boolean },
): VNode {
  const [label, hint] = conditionWords[filter.field];
  const relations = Object.entries(relationWords)
    .filter(([is]) => is !== 'at_least' || filter.field === 'level')
    .map(([value, name]) => ({ value, name }));
  const known = knownValues(filter.field, context, people);
  const options = { id: `value_${at}`, label: 'Value', error: errors[`value_${at}`] ?? null };
  const shown = hint === '' ? options : { ...options, hint };
  const value =
    known === null
      ? field(shown, { name: `value_${at}`, value: filter.value, maxlength: 200, autocomplete: 'off' })
      : fieldBox(
          shown,
          (described) =>
            html`<select id="value_${at}" name="value_${at}" ...${described}>
              ${optionsOf(choicesWith(known, filter.value), filter.value)}
            </select>`,
        );
  const tag = field(
    { id: `tag_${at}`, label: 'Tag', error: errors[`tag_${at}`] ?? null },
    { name: `tag_${at}`, value: filter.name, maxlength: 200, autocomplete: 'off' },
  );
  const remove = submitButton('Remove', {
    ...{ class: 'btn small', name: 'do', value: `drop-${at}` },
    'aria-label': `Remove the condition on ${label.toLowerCase()}`,
  });
  return html`<div class="fields condition">
    <input type="hidden" name="field_${at}" value=${filter.field} />${filter.field === 'tag' ? tag : null}
    ${fieldBox({ id: `is_${at}`, label: filter.field === 'tag' ? 'Comparison' : label }, (described) =>
      el('select', { id: `is_${at}`, name: `is_${at}`, ...described }, ...optionsOf(relations, filter.is)),
    )}
    ${value}${isLocked ? null : remove}
  </div>`;
}

function knownValues(
  name: RuleFilter['field'],
  context: PageContext,
  people: readonly string[],
): string[] | null {
  if (name === 'project') return context.projects.map((each) => each.name);
  if (name === 'assignee') return [...people, 'none'];
  if (name === 'mentioned') return people.filter((each) => !each.startsWith('#'));
  return name === 'level' ? [...levels] : null;
}

/** A value that is gone is listed first, so that it stays visible. */
function choicesWith(known: readonly string[], value: string): Choice[] {
  const choices = known.map((each) => ({ value: each, name: shortUntrustedName(each) }));
  if (value === '') return [{ value: '', name: 'Choose' }, ...choices];
  return known.includes(value) ? choices : [{ value, name: shortUntrustedName(value) }, ...choices];
}

function notifyFields(
  { channels }: RuleFormModel,
  context: PageContext,
  { channelIds, errors }: RuleFormState,
  isLocked: boolean,
): VNode {
  const lines = channels.map(({ alert_channel_id: id, name, type, state, quiet_hours: quietHours }) =>
    optionLabel(
      { type: 'checkbox', name: 'channels[]', value: id, checked: channelIds.includes(id) },
      [shortUntrustedText(name), state === 'on' ? null : [' ', channelMark(state, state)]],
      [channelTypeOf(type).name, quietHours === '' ? null : [', quiet ', shortUntrustedText(quietHours)]],
    ),
  );
  const error = errors['channels'];
  return el(
    'fieldset',
    {
      class: 'choose',
      disabled: isLocked,
      'aria-describedby': error === undefined ? null : 'channels-wrong',
    },
    el('legend', null, 'Notify'),
    fieldErrorText('channels', error),
    lines.length === 0 ? el('p', { class: 'soft' }, 'No alert channels yet.') : el('div', null, ...lines),
    isLocked ? null : pageLink(context, '/alert-channels/new', { class: 'small' }, 'New alert channel'),
  );
}

const incidentChoices: readonly Choice[] = [
  { value: 'none', name: 'No incident' },
  { value: 'minor', name: 'A minor incident' },
  { value: 'critical', name: 'A critical incident' },
];

/** An incident is not offered for kinds that open none, or their own. */
function moreFields(state: RuleFormState, disabled: boolean): VNode {
  const group = inputOf(
    state,
    'group',
    { unit: 'notifications per minute', hint: 'More notifications than this become one message.' },
    { type: 'number', min: 1, max: 100, required: true },
  );
  const fieldset = (legend: string, fields: Content): VNode =>
    el('fieldset', { disabled }, el('legend', null, legend), fields);
  if (!mayOpenIncidents(storedRuleKind(state.on))) return fieldset('Frequency', group);
  const opening = fieldBox(
    { id: 'incident', label: 'Incident', error: state.errors['incident'] ?? null },
    (described) =>
      html`<select id="incident" name="incident" ...${described}>
        ${optionsOf(incidentChoices, state.incident)}
      </select>`,
  );
  return fieldset('Frequency and incidents', el('div', { class: 'fields' }, group, opening));
}
