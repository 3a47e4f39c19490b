// API representations; addresses and secrets are left out.
import type { AlertChannelView } from '../../../schemas/alert-channels.ts';
import { momentText } from '../reading/moments.ts';
import { minuteMs } from '../reading/spans.ts';
import type { KeptChannel } from '../store/alerting.ts';
import type { RuleTerms } from '../store/alerts.ts';
import { kindOf } from './terms.ts';

function viewLimit({ count, unit, withinMs }: NonNullable<RuleTerms['limit']>) {
  return { count, unit, ...(withinMs === null ? {} : { minutes: withinMs / minuteMs }) };
}

export function viewChannel(channel: KeptChannel): AlertChannelView {
  return {
    alert_channel_id: channel.id,
    name: channel.name,
    type: channel.type,
    target: channel.target,
    state: channel.state,
    state_since: momentText(channel.stateSinceMs),
    paused_until: momentText(channel.pausedUntilMs),
    quiet_hours: channel.quietHours,
    last_fault: channel.lastFault,
    rules: channel.rules.map(({ id, name, sentence, terms }) => ({
      rule_id: id,
      name,
      on: kindOf(terms),
      sentence,
      ...(terms.limit === null ? {} : { limit: viewLimit(terms.limit) }),
      filters: terms.filters.map((each) => ({ ...each })),
      fold_over: terms.foldOver,
      ...(terms.opensIncident === undefined ? {} : { opens_incident: terms.opensIncident }),
    })),
    created_at: momentText(channel.createdAtMs),
    created_by: channel.createdBy,
  };
}
