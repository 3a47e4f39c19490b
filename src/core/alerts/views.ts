// API representations; addresses and secrets are left out.
import { type AlertRuleView, ruleNameOf } from '../../../schemas/alert-channels.ts';
import { minuteMs } from '../parsing/durations.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { AlertChannel, AlertRule, RuleConditions } from '../store/alerts.ts';
import type { AlertChannelView } from './channel-schemas.ts';
import { ruleKindOf } from './rule-definitions.ts';

function viewLimit({ count, unit, withinMs }: NonNullable<RuleConditions['limit']>) {
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
    last_error: channel.lastError,
    rules: channel.rules.map(viewRule),
    created_at: formatTime(channel.createdAtMs),
    created_by: channel.createdBy,
  };
}

export function viewRule({ id, name, sentence, conditions }: AlertRule): AlertRuleView {
  return {
    rule_id: id,
    name,
    on: ruleNameOf(ruleKindOf(conditions), conditions.limit?.unit),
    sentence,
    ...(conditions.limit === null ? {} : { limit: viewLimit(conditions.limit) }),
    filters: conditions.filters.map((each) => ({ ...each })),
    group_threshold: conditions.groupThreshold,
    ...(conditions.opensIncident === undefined ? {} : { opens_incident: conditions.opensIncident }),
  };
}
