// Re-exports for pages, which must not import the store.
export { ruleKinds } from '../../../../schemas/alert-channels.ts';
export { levels } from '../../../../schemas/event.ts';
export { kinds as ruleKindWords, mayOpenIncidents } from '../../alerts/messages/kinds.ts';
export { relationWords } from '../../alerts/terms.ts';
export {
  type Delivery,
  type RuleEvent,
  type RuleFilter,
  type RuleSubject,
  ruleEvents,
} from '../../store/alerts.ts';
export { type IncidentState, type Severity, severities } from '../../store/incidents/incidents.ts';
export {
  calledTypes,
  type MonitorState,
  type MonitorType,
  monitorStates,
} from '../../store/monitors/monitors.ts';
export type { ComponentState } from '../../store/status-pages/status-pages.ts';
