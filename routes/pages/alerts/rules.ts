// Form actions on alert rules. Rules are validated in src/core/alerts/rules.ts.
import { z } from 'zod';
import { filterFields, filterRelations, ruleKinds } from '../../../schemas/alert-channels.ts';
import { incidentSeverities } from '../../../schemas/incidents.ts';
import { readLimit } from '../../../src/core/alerts/messages/kinds.ts';
import {
  type AskedRule,
  changeRule,
  createRule,
  ruleEntry,
  testRule,
} from '../../../src/core/alerts/rules.ts';
import { usualRule } from '../../../src/core/alerts/terms.ts';
import { actAudited, byVisit } from '../../../src/core/audit/audit.ts';
import { type RuleFilter, ruleKindWords } from '../../../src/core/workspace/uptime/kinds.ts';
import { type RuleModel, ruleModel } from '../../../src/core/workspace/uptime/rules.ts';
import { inWords, notHere, pathNumber, type Visit, wrongInput } from '../../../src/core/workspace/visit.ts';
import { type ActAnswer, act } from '../../../src/http/pages/declare.ts';
import type { newRuleForm } from '../../../src/pages/alerts/forms.ts';
import type { Posted } from '../../../src/pages/parts/form.ts';
import { rulePage } from '../../../src/pages/uptime/rule.ts';

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

export const changeRuleAct = act({
  path: '/alert-channels/rules/{rule_id}',
  needs: 'admin',
  form: changed,
  act: change,
});

export async function makeRule(
  visit: Visit,
  { name, on, channels = [] }: Posted<typeof newRuleForm>,
): Promise<ActAnswer> {
  const making = actAudited(visit.deps, byVisit(visit), async (parts) => {
    const asked = { kind: on, name, ...usual, channelIds: channels };
    const result = await createRule(parts, asked);
    return { result, told: ruleEntry(result, 'channel.rule_created') };
  });
  const rule = await inWords(making);
  return { to: `/alert-channels/rules/${rule.id}` };
}

async function change(visit: Visit, form: z.infer<typeof changed>): Promise<ActAnswer> {
  const id = pathNumber(visit, 'rule_id', what);
  const filters = filtersOf(form);
  if (form.do === 'delete') return remove(visit, id);
  if (form.do === 'test') return test(visit, id);
  if (form.do === 'more' && filters.length < filtersMax) {
    return shown(visit, form, [...filters, { field: 'environment', name: '', is: 'is', value: '' }]);
  }
  const dropped = /^drop-(\d{1,2})$/.exec(form.do)?.[1];
  if (dropped !== undefined) return shown(visit, form, filters.toSpliced(Number(dropped), 1));
  const asked: AskedRule = {
    kind: kindOf(form),
    name: form.name,
    limit: limitOf(form),
    filters,
    foldOver: form.fold,
    opensIncident: openingOf(form),
    channelIds: form.channels ?? [],
  };
  const saving = actAudited(visit.deps, byVisit(visit), async (parts) => {
    const result = await changeRule(parts, id, asked);
    if (result === null) throw notHere(what);
    return { result, told: ruleEntry(result, 'channel.rule_changed') };
  });
  await inWords(saving);
  return { to: `/alert-channels/rules/${id}` };
}

/** When the subject was changed, the first kind of the new subject. */
function kindOf({ subject, event }: z.infer<typeof changed>): AskedRule['kind'] {
  const ofSubject = ruleKinds.filter((each) => each.startsWith(`${subject}.`));
  const kind = ofSubject.find((each) => each === `${subject}.${event}`) ?? ofSubject[0];
  if (kind === undefined) throw wrongInput('This event is not supported yet. Choose another one.');
  return kind;
}

/** Null if the form has no limit, or one of another kind. */
function limitOf(form: z.infer<typeof changed>): AskedRule['limit'] {
  const { count, unit, within } = form;
  const kind = kindOf(form);
  if (count === undefined || ruleKindWords[kind].limit === null || form.limit_of !== kind) return null;
  const read = readLimit(kind, {
    count: Number(count),
    unit: String(unit),
    ...(within === undefined ? {} : { withinMs: Number(within) }),
  });
  if (typeof read === 'string') throw wrongInput(read);
  return read;
}

/** Null for none, or if the kind opens no incidents. */
function openingOf({ incident }: z.infer<typeof changed>): AskedRule['opensIncident'] {
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
  visit: Visit,
  form: z.infer<typeof changed>,
  filters: readonly RuleFilter[],
): Promise<ActAnswer> {
  const { name, fold, channels = [] } = form;
  const saved = await ruleModel(visit);
  const { subject, event, limit } = usualRule(kindOf(form), { limit: limitOf(form) }).terms;
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
async function test(visit: Visit, id: number): Promise<ActAnswer> {
  const testing = actAudited(visit.deps, byVisit(visit), async (parts) => {
    const result = await testRule(parts, id, visit.pagesUrl);
    if (result === null) throw notHere(what);
    return { result, told: ruleEntry(result, 'channel.rule_tested') };
  });
  await inWords(testing);
  return { to: `/alert-channels/rules/${id}`, notice: 'rule-tested' };
}

async function remove(visit: Visit, id: number): Promise<ActAnswer> {
  await actAudited(visit.deps, byVisit(visit), async ({ store }) => {
    const result = await store.deleteRule(id);
    if (result === null) throw notHere(what);
    return { result, told: ruleEntry(result, 'channel.rule_deleted') };
  });
  return { to: '/alert-channels/rules' };
}
