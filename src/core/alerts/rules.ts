import type { AuditAction } from '../audit/actions.ts';
import type { AuditedAct } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { badRequest, invalidParam } from '../errors.ts';
import type { KeptRule, SignalKind } from '../store/alerting.ts';
import type { RuleFilter, RuleTerms } from '../store/alerts.ts';
import type { OpenedSeverity } from '../store/incidents/incidents.ts';
import { deliveryOf } from './bodies.ts';
import { mayOpenIncidents } from './messages/kinds.ts';
import { testMessage } from './messages/message.ts';
import { usualRule } from './terms.ts';

type Parts = Pick<Deps, 'store'>;

export interface AskedRule {
  readonly kind: SignalKind;
  readonly name: string;
  readonly limit: RuleTerms['limit'];
  readonly filters: readonly RuleFilter[];
  readonly foldOver: number;
  /** Null for none; ignored for kinds that open incidents of their own. */
  readonly opensIncident: OpenedSeverity | null;
  readonly channelIds: readonly number[];
}

const rulesMax = 200;

/** A rule over all projects. Throws 400 without a channel and beyond 200 rules. */
export async function createRule(deps: Parts, asked: AskedRule): Promise<KeptRule> {
  const standings = await deps.store.listStandings();
  // Rules made with project keys are limited by their channels.
  const own = standings.filter(({ rule }) => rule.projectId === null);
  if (new Set(own.map(({ rule }) => rule.id)).size >= rulesMax) {
    throw badRequest('notifier_too_many_alert_rules', `There may be at most ${rulesMax} rules.`);
  }
  return deps.store.addRule({ ...wordsOf(asked), projectId: null }, await toldOf(deps, asked));
}

export function ruleEntry(
  { id, projectId, name, sentence, terms: { opensIncident: opens }, channelIds }: KeptRule,
  action: Extract<AuditAction, `channel.rule_${string}`>,
): AuditedAct {
  const tells = `notifies ${channelIds.length} channel${channelIds.length === 1 ? '' : 's'}`;
  const summary = `${sentence}; ${tells}${opens === undefined ? '' : `, opens a ${opens} incident`}`;
  return { action, object: { kind: 'alert_rule', id, name }, projectId, summary };
}

export async function changeRule(deps: Parts, id: number, asked: AskedRule): Promise<KeptRule | null> {
  return deps.store.changeRule(id, wordsOf(asked), await toldOf(deps, asked));
}

/** Queues a test at each channel of the rule; null for an unknown id. Throws 400 if all are paused. */
export async function testRule(
  deps: Pick<Deps, 'store' | 'now' | 'randomBytes'>,
  id: number,
  pagesUrl: string | null,
): Promise<KeptRule | null> {
  const rule = await deps.store.findKeptRule(id);
  if (rule === null) return null;
  const channels = (await deps.store.listChannels()).filter(({ id: each }) => rule.channelIds.includes(each));
  const hearing = channels.filter(({ state }) => state !== 'paused');
  if (hearing.length === 0) {
    throw badRequest(
      'notifier_alert_channel_paused',
      'All channels of the rule are paused, so nothing is sent.',
    );
  }
  for (const channel of hearing) {
    const message = testMessage({ deps, pagesUrl }, channel, rule);
    await deps.store.addDelivery(deliveryOf(channel, message, rule.projectId));
  }
  return rule;
}

function wordsOf({
  kind,
  name,
  limit,
  filters,
  foldOver,
  opensIncident,
}: AskedRule): ReturnType<typeof usualRule> {
  const isUnfinished = filters.some(
    ({ field, name: tag, value }) => value === '' || (field === 'tag' && tag === ''),
  );
  if (isUnfinished) {
    throw invalidParam({ filters: 'A condition needs a value, and a tag condition the name of the tag.' });
  }
  return usualRule(kind, {
    name,
    ...(limit === null ? {} : { limit }),
    filters,
    foldOver,
    opensIncident: mayOpenIncidents(kind) ? opensIncident : null,
  });
}

async function toldOf({ store }: Parts, { channelIds }: AskedRule): Promise<number[]> {
  const there = new Set((await store.listChannels()).map(({ id }) => id));
  const told = [...new Set(channelIds)].filter((id) => there.has(id));
  if (told.length === 0) throw invalidParam({ channels: 'A rule needs a channel to notify.' });
  return told;
}
