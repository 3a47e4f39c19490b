// Re-exports for pages, which must not import the store.
export { storedRuleKind } from '../../../../schemas/alert-channels.ts';
export { levels } from '../../../../schemas/event.ts';
export {
  canOpenIncidents as mayOpenIncidents,
  isIssueRule,
  ruleKindTexts as ruleKindWords,
  usualRuleLimit as ruleLimitOf,
} from '../../alerts/messages/rule-kinds.ts';
export { filterOperatorText as relationWords } from '../../alerts/rule-definitions.ts';
export type {
  Delivery,
  RuleFilter,
} from '../../store/alerts.ts';
export { type IncidentState, type Severity, severities } from '../../store/incidents.ts';
export {
  type MonitorState,
  type MonitorType,
  monitorStates,
  passiveMonitorTypes as calledTypes,
} from '../../store/monitors.ts';
export type { ComponentState } from '../../store/status-pages.ts';
