import { z } from 'zod';
import {
  alertRuleRequest,
  type RuleName,
  ruleNameList,
  storedRuleKind,
} from '../../../schemas/alert-channels.ts';
import { parseRuleLimit, ruleKindTexts } from '../../../src/core/alerts/messages/rule-kinds.ts';
import {
  createRule,
  type RuleInput,
  ruleAuditEntry,
  testRule,
  updateRule,
} from '../../../src/core/alerts/rules.ts';
import { runAudited } from '../../../src/core/audit/audit.ts';
import { createInvalidParamError } from '../../../src/core/errors.ts';
import { newRuleOfKindModel } from '../../../src/core/page-models/monitoring/channel-forms.ts';
import { ruleModel } from '../../../src/core/page-models/monitoring/rules.ts';
import { pageNotFound, pathId, type RequestContext } from '../../../src/core/page-models/request-context.ts';
import { minuteMs } from '../../../src/core/parsing/durations.ts';
import { type ActionResult, action, showPage } from '../../../src/http/pages/declarations.ts';
import {
  enteredRuleState,
  newRuleOfKindPage,
  type RuleFormState,
} from '../../../src/web/alerts/rule-form.ts';
import { rulePage } from '../../../src/web/alerts/rules.ts';
import type { FormEntry } from '../../../src/web/components/form.ts';
import type { PageContext } from '../../../src/web/page-context.ts';

const ruleLabel = 'A rule with this number';
const filtersMax = 20;
const word = z.string().optional();
/** The form fields of a condition, with its index appended. */
const ofCondition = Array.from({ length: filtersMax }, (_, at) =>
  ['field', 'tag', 'is', 'value'].map((name) => [`${name}_${at}`, word] as const),
).flat();
/** What they may be is checked by the schema of the API, so that each error stands beside its field. */
const ruleForm = z.object({
  ...Object.fromEntries(ofCondition),
  name: word,
  count: word,
  minutes: word,
  group: word,
  incident: word,
  channels: z.array(z.coerce.number('Choose a channel.').int()).optional(),
  add: word,
  do: z.string(),
});
type RuleForm = z.infer<typeof ruleForm>;

const changedForm = ruleForm.extend({ on: z.enum(ruleNameList, 'Choose what it is about.'), limit_of: word });

const newRulePath = '/alert-channels/rules/new/{on}';

export const createRuleAction = action(newRulePath, 'admin', ruleForm, create, {
  onInvalid: {
    model: newRuleOfKindModel,
    view: (model, pageContext, entry) =>
      newRuleOfKindPage(model, pageContext, enteredRuleState(model.on, entry)),
  },
});

export const changeRuleAction = action('/alert-channels/rules/{rule_id}', 'admin', changedForm, change, {
  onInvalid: {
    model: ruleModel,
    view(model, pageContext, entry) {
      const on = ruleNameList.find((each) => each === entry.values['on']) ?? model.on;
      return rulePage(model, pageContext, enteredRuleState(on, entry));
    },
  },
});

async function create(context: RequestContext, form: RuleForm) {
  const model = await newRuleOfKindModel(context);
  const view = (pageContext: PageContext, state: RuleFormState) =>
    newRuleOfKindPage(model, pageContext, state);
  const edited = editedConditions(model.on, form, view);
  if (edited !== null) return edited;
  const input = readRule(model.on, form);
  const rule = await runAudited(context.deps, context.by, async (txDeps) => {
    const result = await createRule(txDeps, input);
    return { result, auditEvent: ruleAuditEntry(result, 'channel.rule_created') };
  });
  return { to: `/alert-channels/rules/${rule.id}` };
}

async function change(context: RequestContext, form: z.infer<typeof changedForm>) {
  const id = pathId(context, 'rule_id', ruleLabel);
  if (form.do === 'delete') return remove(context, id);
  if (form.do === 'test') return test(context, id);
  const model = await ruleModel(context);
  const view = (pageContext: PageContext, state: RuleFormState) => rulePage(model, pageContext, state);
  const edited = editedConditions(form.on, form, view);
  if (edited !== null) return edited;
  // A threshold belongs to its kind of rule: another one has its usual threshold.
  const input = readRule(form.on, form, form.limit_of === form.on);
  await runAudited(context.deps, context.by, async (txDeps) => {
    const result = await updateRule(txDeps, id, input);
    if (result === null) throw pageNotFound(ruleLabel);
    return { result, auditEvent: ruleAuditEntry(result, 'channel.rule_changed') };
  });
  return { to: `/alert-channels/rules/${id}` };
}

/** The form with a condition more or less; null if it is to be saved. */
function editedConditions(
  on: RuleName,
  form: RuleForm,
  view: (pageContext: PageContext, state: RuleFormState) => ReturnType<typeof rulePage>,
): ActionResult | null {
  const state = enteredRuleState(on, { values: valuesOf(form), errors: {} });
  const dropped = /^drop-(\d{1,2})$/.exec(form.do)?.[1];
  if (form.do !== 'add' && dropped === undefined) return null;
  const field = alertRuleRequest.shape.filters.unwrap().unwrap().element.shape.field.safeParse(form.add);
  const added =
    field.success && state.filters.length < filtersMax
      ? [{ field: field.data, name: '', is: 'is' as const, value: '' }]
      : [];
  const filters =
    dropped === undefined ? [...state.filters, ...added] : state.filters.toSpliced(Number(dropped), 1);
  return showPage((pageContext) => view(pageContext, { ...state, filters }));
}

function valuesOf(form: object): FormEntry['values'] {
  const filled = Object.entries(form).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    filled.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );
}

/** Throws all errors at once, by the names of the fields. */
function readRule(on: RuleName, form: RuleForm, hasLimit = true): RuleInput {
  const kind = storedRuleKind(on);
  const { filters, incident } = enteredRuleState(on, { values: valuesOf(form), errors: {} });
  const limit = readLimit(on, hasLimit ? form : null);
  const input = {
    on,
    name: form.name ?? '',
    filters: filters.map((each) => ({ ...each, name: each.name === '' ? null : each.name })),
    group_threshold: Number(form.group),
    opens_incident: incident === 'none' ? null : incident,
  };
  const parsed = alertRuleRequest.safeParse(input);
  const errors: Record<string, string> = {};
  if (input.name === '') errors['name'] = 'Enter a name.';
  if ('errors' in limit) Object.assign(errors, limit.errors);
  for (const { path } of parsed.error?.issues ?? []) {
    const [name, sentence] = wrongField(path);
    errors[name] ??= sentence;
  }
  for (const [at, { field, name, value }] of filters.entries()) {
    if (field === 'tag' && name === '') errors[`tag_${at}`] ??= 'Enter the name of the tag.';
    if (value === '') errors[`value_${at}`] ??= 'Enter or choose a value.';
  }
  const channelIds = form.channels ?? [];
  if (channelIds.length === 0) errors['channels'] = 'Choose at least one channel.';
  if (Object.keys(errors).length > 0 || !parsed.success || !('limit' in limit)) {
    throw createInvalidParamError(errors);
  }
  const { name, group_threshold: groupThreshold, opens_incident: opensIncident = null } = parsed.data;
  return {
    ...{ kind, name: name ?? '', limit: limit.limit, filters, channelIds, opensIncident },
    groupThreshold: groupThreshold ?? 1,
  };
}

function readLimit(
  on: RuleName,
  form: Pick<RuleForm, 'count' | 'minutes'> | null,
): { readonly limit: RuleInput['limit'] } | { readonly errors: Record<string, string> } {
  const kind = storedRuleKind(on);
  const usual = ruleKindTexts[kind].limit;
  const unit = on === 'users.above' ? 'users' : usual?.unit;
  if (usual === null || unit === undefined) return { limit: null };
  if (form === null) return { limit: { ...usual, unit } };
  const within = usual.withinMs === null ? {} : { withinMs: Number(form.minutes) * minuteMs };
  const read = parseRuleLimit(kind, { count: Number(form.count), unit, ...within });
  if (typeof read !== 'string') return { limit: read };
  return { errors: { [read.startsWith('Enter the time') ? 'minutes' : 'count']: read } };
}

function wrongField(path: readonly PropertyKey[]): readonly [name: string, sentence: string] {
  const [first, at, part] = path.map(String);
  if (first === 'filters') {
    const name = part === 'name' ? `tag_${at}` : `value_${at}`;
    return [at === undefined ? 'filters' : name, 'Use at most 200 characters.'];
  }
  if (first === 'group_threshold') return ['group', 'Enter a whole number from 1 to 100.'];
  if (first === 'opens_incident') return ['incident', 'Choose which incident it opens.'];
  return [first ?? 'name', 'Use at most 100 characters.'];
}

async function test(context: RequestContext, id: number) {
  const testing = runAudited(context.deps, context.by, async (txDeps) => {
    const result = await testRule(txDeps, id, context.pagesUrl);
    if (result === null) throw pageNotFound(ruleLabel);
    return { result, auditEvent: ruleAuditEntry(result, 'channel.rule_tested') };
  });
  await testing;
  return { to: `/alert-channels/rules/${id}`, notice: 'rule-tested' };
}

async function remove(context: RequestContext, id: number) {
  await runAudited(context.deps, context.by, async ({ store }) => {
    const result = await store.deleteRule(id);
    if (result === null) throw pageNotFound(ruleLabel);
    return { result, auditEvent: ruleAuditEntry(result, 'channel.rule_deleted') };
  });
  return { to: '/alert-channels/rules' };
}
