import type { IncidentEffect, IncidentRecord } from '../store/incidents/incident-records.ts';
import type { MonitorRecord, MonitorTransition } from '../store/monitors/monitor-records.ts';
import { applyCondition, firstUpdate } from './states.ts';

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
