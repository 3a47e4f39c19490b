// Acts on rules: /alert-channels/rules. What a rule may say is the rules' to know (src/core/alerts/rules.ts).
import { z } from 'zod';
import { filterFields, filterRelations, ruleKinds } from '../../../schemas/alert-channels.ts';
import { type AskedRule, changeRule, createRule } from '../../../src/core/alerts/rules.ts';
import { actAudited, byVisit } from '../../../src/core/audit/audit.ts';
import { toldOfRule } from '../../../src/core/audit/told-alerts.ts';
import type { RuleFilter } from '../../../src/core/workspace/uptime/kinds.ts';
import { type RuleModel, ruleModel } from '../../../src/core/workspace/uptime/rules.ts';
import { inWords, notHere, pathNumber, type Visit, wrongInput } from '../../../src/core/workspace/visit.ts';
import { type ActAnswer, act, type Declaration } from '../../../src/http/pages/declare.ts';
import { rulePage } from '../../../src/pages/uptime/rule.ts';

const what = 'A rule of this number';
const ids = z.array(z.coerce.number().int()).optional();
const made = z.object({
  name: z.string('A rule needs a name.').max(100, 'A name has at most 100 characters.'),
  on: z.enum(ruleKinds, 'Choose what has to happen.'),
  channels: ids,
});
const filtersMax = 20;
/** The words of the sentence: those of the conditions have their number behind them. */
const changed = z
  .object({
    name: z.string('A rule needs a name.').max(100, 'A name has at most 100 characters.'),
    subject: z.string(),
    event: z.string(),
    fold: z.coerce.number('Say a number from 1 to 100.').int().min(1, 'At least 1.').max(100, 'At most 100.'),
    channels: ids,
    do: z.string(),
  })
  .catchall(z.union([z.string(), z.array(z.string())]));

/** Makes, changes and deletes rules. */
export function ruleActs(): Declaration[] {
  return [
    act({ path: '/alert-channels/rules', needs: 'admin', form: made, act: make }),
    act({ path: '/alert-channels/rules/{rule_id}', needs: 'admin', form: changed, act: change }),
  ];
}

async function make(visit: Visit, { name, on, channels = [] }: z.infer<typeof made>): Promise<ActAnswer> {
  const making = actAudited(visit.deps, byVisit(visit), async (parts) => {
    const asked = { kind: on, name, filters: [], foldOver: 1, channelIds: channels };
    const result = await createRule(parts, asked);
    return { result, told: toldOfRule(result, 'channel.rule_created') };
  });
  const rule = await inWords(making);
  return { to: `/alert-channels/rules/${rule.id}` };
}

/** Saves what is filled in, shows it with a condition more or less, or deletes the rule. */
async function change(visit: Visit, form: z.infer<typeof changed>): Promise<ActAnswer> {
  const id = pathNumber(visit, 'rule_id', what);
  const filters = filtersOf(form);
  if (form.do === 'delete') return remove(visit, id);
  if (form.do === 'more' && filters.length < filtersMax) {
    return shown(visit, form, [...filters, { field: 'environment', name: '', is: 'is', value: '' }]);
  }
  const dropped = /^drop-(\d{1,2})$/.exec(form.do)?.[1];
  if (dropped !== undefined) return shown(visit, form, filters.toSpliced(Number(dropped), 1));
  const asked: AskedRule = {
    kind: kindOf(form),
    name: form.name,
    filters,
    foldOver: form.fold,
    channelIds: form.channels ?? [],
  };
  const saving = actAudited(visit.deps, byVisit(visit), async (parts) => {
    const result = await changeRule(parts, id, asked);
    if (result === null) throw notHere(what);
    return { result, told: toldOfRule(result, 'channel.rule_changed') };
  });
  await inWords(saving);
  return { to: `/alert-channels/rules/${id}` };
}

function kindOf({ subject, event }: z.infer<typeof changed>): AskedRule['kind'] {
  const kind = ruleKinds.find((each) => each === `${subject}.${event}`);
  if (kind === undefined) throw wrongInput('Nothing tells of that yet: choose what happens to an issue.');
  return kind;
}

function filtersOf(form: z.infer<typeof changed>): RuleFilter[] {
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

/** The page with what is filled in, not saved. */
async function shown(
  visit: Visit,
  { name, subject, event, fold, channels = [] }: z.infer<typeof changed>,
  filters: readonly RuleFilter[],
): Promise<ActAnswer> {
  const saved = await ruleModel(visit);
  const kind = { subject, event } as Pick<RuleModel, 'subject' | 'event'>;
  const model: RuleModel = {
    ...saved,
    ...(ruleKinds.some((each) => each === `${subject}.${event}`) ? kind : {}),
    name,
    filters,
    fold_over: fold,
    channels: saved.channels.map((each) => ({ ...each, is_told: channels.includes(each.channel_id) })),
  };
  return { status: 200, view: (frame) => rulePage(model, frame) };
}

async function remove(visit: Visit, id: number): Promise<ActAnswer> {
  await actAudited(visit.deps, byVisit(visit), async ({ store }) => {
    const result = await store.deleteRule(id);
    if (result === null) throw notHere(what);
    return { result, told: toldOfRule(result, 'channel.rule_deleted') };
  });
  return { to: '/alert-channels/rules' };
}
