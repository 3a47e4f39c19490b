import { z } from 'zod';
import { filterFields, filterRelations, ruleKinds } from '../../../schemas/alert-channels.ts';
import { incidentSeverities } from '../../../schemas/incidents.ts';
import { parseRuleLimit } from '../../../src/core/alerts/messages/rule-kinds.ts';
import { createRuleDefinition } from '../../../src/core/alerts/rule-definitions.ts';
import {
  createRule,
  type RuleInput,
  ruleAuditEntry,
  testRule,
  updateRule,
} from '../../../src/core/alerts/rules.ts';
import { requestSource, runAudited } from '../../../src/core/audit/audit.ts';
import { type RuleFilter, ruleKindWords } from '../../../src/core/page-models/monitoring/kinds.ts';
import { type RuleModel, ruleModel } from '../../../src/core/page-models/monitoring/rules.ts';
import {
  invalidPageInput,
  pageNotFound,
  pathId,
  type RequestContext,
  withPageErrors,
} from '../../../src/core/page-models/request-context.ts';
import { type ActionResult, action } from '../../../src/http/pages/declarations.ts';
import type { newRuleForm } from '../../../src/web/alerts/forms.ts';
import type { FormValues } from '../../../src/web/components/form.ts';
import { rulePage } from '../../../src/web/uptime/rule.ts';

const what = 'A rule with this number';
const ids = z.array(z.coerce.number().int()).optional();
const filtersMax = 20;
const usual = { limit: null, filters: [], foldOver: 1, opensIncident: null } as const;
const word = z.string().optional();
/** The form fields of a condition, with its index appended. */
const ofCondition = Array.from({ length: filtersMax }, (_, at) =>
  ['field', 'tag', 'is', 'value'].map((name) => [`${name}_${at}`, word] as const),
).flat();
const changed = z.object({
  ...Object.fromEntries(ofCondition),
  name: z.string('Enter a name.').max(100, 'The name must have at most 100 characters.'),
  subject: z.string(),
  event: z.string(),
  limit_of: word,
  count: word,
  unit: word,
  within: word,
  incident: z.enum(['none', ...incidentSeverities], 'Choose which incident it opens.').optional(),
  fold: z.coerce.number('Enter a number from 1 to 100.').int().min(1, 'At least 1.').max(100, 'At most 100.'),
  channels: ids,
  do: z.string(),
});

export const changeRuleAction = action({
  path: '/alert-channels/rules/{rule_id}',
  needs: 'admin',
  form: changed,
  act: change,
});

export async function createRuleAction(
  visit: RequestContext,
  { name, on, channels = [] }: FormValues<typeof newRuleForm>,
): Promise<ActionResult> {
  const making = runAudited(visit.deps, requestSource(visit), async (parts) => {
    const asked = { kind: on, name, ...usual, channelIds: channels };
    const result = await createRule(parts, asked);
    return { result, told: ruleAuditEntry(result, 'channel.rule_created') };
  });
  const rule = await withPageErrors(making);
  return { to: `/alert-channels/rules/${rule.id}` };
}

async function change(visit: RequestContext, form: z.infer<typeof changed>): Promise<ActionResult> {
  const id = pathId(visit, 'rule_id', what);
  const filters = filtersOf(form);
  if (form.do === 'delete') return remove(visit, id);
  if (form.do === 'test') return test(visit, id);
  if (form.do === 'more' && filters.length < filtersMax) {
    return shown(visit, form, [...filters, { field: 'environment', name: '', is: 'is', value: '' }]);
  }
  const dropped = /^drop-(\d{1,2})$/.exec(form.do)?.[1];
  if (dropped !== undefined) return shown(visit, form, filters.toSpliced(Number(dropped), 1));
  const asked: RuleInput = {
    kind: kindOf(form),
    name: form.name,
    limit: limitOf(form),
    filters,
    foldOver: form.fold,
    opensIncident: openingOf(form),
    channelIds: form.channels ?? [],
  };
  const saving = runAudited(visit.deps, requestSource(visit), async (parts) => {
    const result = await updateRule(parts, id, asked);
    if (result === null) throw pageNotFound(what);
    return { result, told: ruleAuditEntry(result, 'channel.rule_changed') };
  });
  await withPageErrors(saving);
  return { to: `/alert-channels/rules/${id}` };
}

/** When the subject was changed, the first kind of the new subject. */
function kindOf({ subject, event }: z.infer<typeof changed>): RuleInput['kind'] {
  const ofSubject = ruleKinds.filter((each) => each.startsWith(`${subject}.`));
  const kind = ofSubject.find((each) => each === `${subject}.${event}`) ?? ofSubject[0];
  if (kind === undefined) throw invalidPageInput('This event is not supported yet. Choose another one.');
  return kind;
}

/** Null if the form has no limit, or one of another kind. */
function limitOf(form: z.infer<typeof changed>): RuleInput['limit'] {
  const { count, unit, within } = form;
  const kind = kindOf(form);
  if (count === undefined || ruleKindWords[kind].limit === null || form.limit_of !== kind) return null;
  const read = parseRuleLimit(kind, {
    count: Number(count),
    unit: String(unit),
    ...(within === undefined ? {} : { withinMs: Number(within) }),
  });
  if (typeof read === 'string') throw invalidPageInput(read);
  return read;
}

/** Null for none, or if the kind opens no incidents. */
function openingOf({ incident }: z.infer<typeof changed>): RuleInput['opensIncident'] {
  return incident === undefined || incident === 'none' ? null : incident;
}

function filtersOf(form: Readonly<Record<string, unknown>>): RuleFilter[] {
  const found: RuleFilter[] = [];
  for (let at = 0; at < filtersMax; at += 1) {
    const field = filterFields.find((each) => each === form[`field_${at}`]);
    if (field === undefined) break;
    const is = filterRelations.find((each) => each === form[`is_${at}`]) ?? 'is';
    const word = (name: string): string => String(form[`${name}_${at}`] ?? '').slice(0, 200);
    found.push({ field, name: field === 'tag' ? word('tag') : '', is, value: word('value') });
  }
  return found;
}

async function shown(
  visit: RequestContext,
  form: z.infer<typeof changed>,
  filters: readonly RuleFilter[],
): Promise<ActionResult> {
  const { name, fold, channels = [] } = form;
  const saved = await ruleModel(visit);
  const { subject, event, limit } = createRuleDefinition(kindOf(form), { limit: limitOf(form) }).terms;
  const model: RuleModel = {
    ...saved,
    subject,
    event,
    limit: limit === null ? null : { count: limit.count, unit: limit.unit, within_ms: limit.withinMs },
    name,
    filters,
    fold_over: fold,
    opens_incident: openingOf(form),
    channels: saved.channels.map((each) => ({ ...each, is_told: channels.includes(each.channel_id) })),
  };
  return { status: 200, view: (frame) => rulePage(model, frame) };
}

/** Uses the saved rule. */
async function test(visit: RequestContext, id: number): Promise<ActionResult> {
  const testing = runAudited(visit.deps, requestSource(visit), async (parts) => {
    const result = await testRule(parts, id, visit.pagesUrl);
    if (result === null) throw pageNotFound(what);
    return { result, told: ruleAuditEntry(result, 'channel.rule_tested') };
  });
  await withPageErrors(testing);
  return { to: `/alert-channels/rules/${id}`, notice: 'rule-tested' };
}

async function remove(visit: RequestContext, id: number): Promise<ActionResult> {
  await runAudited(visit.deps, requestSource(visit), async ({ store }) => {
    const result = await store.deleteRule(id);
    if (result === null) throw pageNotFound(what);
    return { result, told: ruleAuditEntry(result, 'channel.rule_deleted') };
  });
  return { to: '/alert-channels/rules' };
}
