// What the history is told of acts on alert channels: where they lead only as it may be shown.
import type { KeptChannel, KeptRule } from '../store/alerting.ts';
import type { AuditAction } from './actions.ts';
import type { AuditedAct } from './audit.ts';

/** Something that was done with a channel. */
export function toldOfChannel(
  { id, projectId, name, type, target, state, rules }: KeptChannel,
  action: `channel.${'created' | 'changed' | 'tested' | 'retried' | 'deleted'}`,
): AuditedAct {
  const count = `${rules.length} rule${rules.length === 1 ? '' : 's'}`;
  const isState = action === 'channel.created' || action === 'channel.changed';
  return {
    action,
    object: { kind: 'alert_channel', id, name },
    projectId,
    summary: isState ? `${type} to ${target}, ${count}${state === 'paused' ? ', paused' : ''}` : '',
  };
}

/** Something that was done with a rule. */
export function toldOfRule(
  { id, projectId, name, sentence, terms: { opensIncident: opens }, channelIds }: KeptRule,
  action: Extract<AuditAction, `channel.rule_${string}`>,
): AuditedAct {
  const tells = `tells ${channelIds.length} channel${channelIds.length === 1 ? '' : 's'}`;
  const summary = `${sentence}; ${tells}${opens === undefined ? '' : `, opens a ${opens} incident`}`;
  return { action, object: { kind: 'alert_rule', id, name }, projectId, summary };
}
