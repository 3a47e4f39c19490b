import type {
  IncidentEffect,
  IncidentLink,
  IncidentRecord,
  NewIncident,
  RuleMatch,
} from '../store/incidents.ts';
import type { MonitorRecord, MonitorTransition } from '../store/monitors.ts';
import { applyCondition, firstUpdate } from './states.ts';

const openIncidentsPerRuleMax = 10;

/** `open` is the rule's open incident on the same object. Null if nothing changes. */
export function updateIncidentOfRule(
  finding: RuleMatch,
  open: IncidentRecord | null,
  openOfRule: number,
): IncidentEffect | null {
  const { rule, title, atMs } = finding;
  if (open !== null) {
    return applyCondition(open, {
      author: rule.name,
      isBad: true,
      sinceMs: atMs,
      atMs,
      body: `Again: ${title}`,
    });
  }
  return openOfRule >= openIncidentsPerRuleMax
    ? null
    : { does: 'open', incident: openIncidentOfRule(finding) };
}

export function endIncidentOfRule(
  open: IncidentRecord | null,
  body: string,
  atMs: number,
): IncidentEffect | null {
  if (open === null) return null;
  return applyCondition(open, { author: open.openedBy, isBad: false, sinceMs: atMs, atMs, body });
}

function openIncidentOfRule({
  rule,
  projectId,
  object,
  title,
  description,
  atMs,
  linkedObject,
}: RuleMatch): NewIncident {
  const isHit = linkedObject?.kind === 'monitor';
  const reason = isHit ? '' : 'the rule matched';
  const link = { projectId, why: reason, beforeMs: null, linkedBy: rule.name, isDismissed: false };
  const links: IncidentLink[] = linkedObject === null ? [] : [{ ...link, ...linkedObject }];
  return {
    projectId,
    monitorId: null,
    title,
    severity: rule.severity,
    openedBy: rule.name,
    lead: null,
    cause: '',
    startedAtMs: atMs,
    acknowledgedAtMs: null,
    isHandled: false,
    affects: isHit ? links : [],
    causes: isHit ? [] : links,
    update: firstUpdate(rule.name, description, atMs),
    ofRule: { ruleId: rule.id, object },
  };
}

type IncidentMonitor = Pick<MonitorRecord, 'id' | 'projectId' | 'name' | 'settings'>;

/** `open` is the monitor's open incident. Null if nothing changes. */
export function updateIncidentOfMonitor(
  monitor: IncidentMonitor,
  turn: MonitorTransition,
  open: IncidentRecord | null,
  atMs: number,
): IncidentEffect | null {
  if (turn.kind === 'monitor.slow') return null;
  const isDown = turn.kind === 'monitor.down';
  if (open === null)
    return isDown && monitor.settings.opensIncidents ? openIncidentOfMonitor(monitor, turn, atMs) : null;
  const body = `${isDown ? 'Down again' : 'Up again'}: ${turn.summary.detail}`;
  return applyCondition(open, { author: monitor.name, isBad: isDown, sinceMs: turn.sinceMs, atMs, body });
}

function openIncidentOfMonitor(
  { id, projectId, name }: IncidentMonitor,
  { sinceMs, summary: { detail } }: MonitorTransition,
  atMs: number,
): IncidentEffect {
  const link = { projectId, why: '', beforeMs: null, linkedBy: name, isDismissed: false };
  return {
    does: 'open',
    incident: {
      projectId,
      monitorId: id,
      title: `${name} is down`,
      severity: 'critical',
      openedBy: name,
      lead: null,
      cause: '',
      startedAtMs: sinceMs,
      acknowledgedAtMs: null,
      isHandled: false,
      affects: [{ ...link, kind: 'monitor', id, name }],
      update: firstUpdate(name, `Down: ${detail}`, atMs),
    },
  };
}
