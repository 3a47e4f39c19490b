import type { AuditAction } from '../audit/actions.ts';
import type { AuditEvent } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError, createInvalidParamError } from '../errors.ts';
import type { RuleRecord, SignalKind } from '../store/alert-records.ts';
import type { RuleConditions, RuleFilter } from '../store/alerts.ts';
import type { AutomaticSeverity } from '../store/incidents.ts';
import { hasTestRecipient, refuseWithoutRecipient } from './channels.ts';
import { buildDelivery } from './message-bodies.ts';
import { buildTestMessage } from './messages/message.ts';
import { canOpenIncidents } from './messages/rule-kinds.ts';
import { addDeliveries, requireDelivery } from './push-subscriptions.ts';
import { createRuleDefinition, findFilterError } from './rule-definitions.ts';

type ServiceDeps = Pick<Deps, 'store'>;

export interface RuleInput {
  readonly kind: SignalKind;
  readonly name: string;
  readonly limit: RuleConditions['limit'];
  readonly filters: readonly RuleFilter[];
  readonly groupThreshold: number;
  readonly opensIncident: AutomaticSeverity | null;
  readonly channelIds: readonly number[];
}

const rulesMax = 200;

/** A rule over all projects. Throws 400 without a channel and beyond 200 rules. */
export async function createRule(deps: ServiceDeps, input: RuleInput): Promise<RuleRecord> {
  const deliveryStates = await deps.store.listRuleDeliveryStates();
  // Rules made with project keys are limited by their channels.
  const workspaceStates = deliveryStates.filter(({ rule }) => rule.projectId === null);
  if (new Set(workspaceStates.map(({ rule }) => rule.id)).size >= rulesMax) {
    throw createBadRequestError('notifier_too_many_alert_rules', `There may be at most ${rulesMax} rules.`);
  }
  return deps.store.addRule(
    { ...toRuleDefinition(input), projectId: null },
    await requireChannels(deps, input),
  );
}

export function ruleAuditEntry(
  { id, projectId, name, sentence, conditions: { opensIncident: opens }, channelIds }: RuleRecord,
  action: Extract<AuditAction, `channel.rule_${string}`>,
): AuditEvent {
  const channelsText = `notifies ${channelIds.length} channel${channelIds.length === 1 ? '' : 's'}`;
  const summary = `${sentence}; ${channelsText}${opens === undefined ? '' : `, opens a ${opens} incident`}`;
  return { action, object: { kind: 'alert_rule', id, name }, projectId, summary };
}

export async function updateRule(
  deps: ServiceDeps,
  id: number,
  input: RuleInput,
): Promise<RuleRecord | null> {
  return deps.store.changeRule(id, toRuleDefinition(input), await requireChannels(deps, input));
}

/** Queues a test at each channel of the rule; null for an unknown id. Throws 400 if all are paused. */
export async function testRule(
  deps: Pick<Deps, 'store' | 'now' | 'randomBytes'>,
  id: number,
  pagesUrl: string | null,
): Promise<RuleRecord | null> {
  const rule = await deps.store.findRuleRecord(id);
  if (rule === null) return null;
  const channels = (await deps.store.listChannels()).filter(({ id: each }) => rule.channelIds.includes(each));
  const active = channels.filter(({ state }) => state !== 'paused');
  if (active.length === 0) {
    throw createBadRequestError(
      'notifier_alert_channel_paused',
      'All channels of the rule are paused, so nothing is sent.',
    );
  }
  const records = (
    await Promise.all(active.map(({ id: each }) => deps.store.findChannelRecord(each)))
  ).filter((channel) => channel !== null);
  const [first] = records;
  if (records.length === 1 && first !== undefined) refuseWithoutRecipient(first);
  for (const channel of records) {
    if (!hasTestRecipient(channel)) continue;
    const message = buildTestMessage({ deps, pagesUrl }, channel, rule);
    const added = await addDeliveries(deps, channel, buildDelivery(channel, message, rule.projectId));
    if (records.length === 1) requireDelivery(added);
  }
  return rule;
}

function toRuleDefinition({ kind, name, limit, filters, groupThreshold, opensIncident }: RuleInput) {
  const isUnfinished = filters.some(
    ({ field, name: tag, value }) => value === '' || (field === 'tag' && tag === ''),
  );
  if (isUnfinished) {
    throw createInvalidParamError({
      filters: 'A condition needs a value, and a tag condition the name of the tag.',
    });
  }
  const filterError = findFilterError(kind, filters);
  if (filterError !== null) throw createInvalidParamError({ filters: filterError });
  return createRuleDefinition(kind, {
    name,
    ...(limit === null ? {} : { limit }),
    filters,
    groupThreshold,
    opensIncident: canOpenIncidents(kind) ? opensIncident : null,
  });
}

async function requireChannels({ store }: ServiceDeps, { channelIds }: RuleInput): Promise<number[]> {
  const knownIds = new Set((await store.listChannels()).map(({ id }) => id));
  const existing = [...new Set(channelIds)].filter((id) => knownIds.has(id));
  if (existing.length === 0) throw createInvalidParamError({ channels: 'A rule needs a channel to notify.' });
  return existing;
}
