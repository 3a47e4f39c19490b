// API representations; addresses and secrets are left out.
import { type AlertRuleView, ruleNameOf } from '../../../schemas/alert-channels.ts';
import { minuteMs } from '../parsing/durations.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { AlertChannel, AlertRule, RuleTerms } from '../store/alerts.ts';
import type { AlertChannelView } from './channel-schemas.ts';
import { ruleKindOf } from './rule-definitions.ts';

function viewLimit({ count, unit, withinMs }: NonNullable<RuleTerms['limit']>) {
  return { count, unit, ...(withinMs === null ? {} : { minutes: withinMs / minuteMs }) };
}

export function viewChannel(channel: AlertChannel): AlertChannelView {
  return {
    alert_channel_id: channel.id,
    name: channel.name,
    type: channel.type,
    target: channel.target,
    state: channel.state,
    state_since: formatTime(channel.stateSinceMs),
    paused_until: formatTime(channel.pausedUntilMs),
    quiet_hours: channel.quietHours,
    last_fault: channel.lastFault,
    rules: channel.rules.map(viewRule),
    created_at: formatTime(channel.createdAtMs),
    created_by: channel.createdBy,
  };
}

export function viewRule({ id, name, sentence, terms }: AlertRule): AlertRuleView {
  return {
    rule_id: id,
    name,
    on: ruleNameOf(ruleKindOf(terms), terms.limit?.unit),
    sentence,
    ...(terms.limit === null ? {} : { limit: viewLimit(terms.limit) }),
    filters: terms.filters.map((each) => ({ ...each })),
    group_threshold: terms.foldOver,
    ...(terms.opensIncident === undefined ? {} : { opens_incident: terms.opensIncident }),
  };
}
