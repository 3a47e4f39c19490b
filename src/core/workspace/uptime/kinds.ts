// The kinds and states of what is watched, for the pages: what the store knows is the store's.
export { ruleKinds } from '../../../../schemas/alert-channels.ts';
export { levels } from '../../../../schemas/event.ts';
export { kindSentences, relationWords } from '../../alerts/terms.ts';
export {
  type ChannelType,
  type Delivery,
  type RuleEvent,
  type RuleFilter,
  type RuleSubject,
  ruleEvents,
} from '../../store/alerts.ts';
export { type IncidentState, type Severity, severities } from '../../store/uptime/incidents.ts';
export { type MonitorState, monitorStates } from '../../store/uptime/monitors.ts';
export type { ComponentState } from '../../store/uptime/status-pages.ts';
