// Updates the incident of a monitor, in the transaction that stores the monitor's state.
import type { Following, KeptIncident } from '../store/incidents/keeping.ts';
import type { KeptMonitor, MonitorTurn } from '../store/monitors/monitoring.ts';
import { firstUpdate, followed } from './states.ts';

type Opener = Pick<KeptMonitor, 'id' | 'projectId' | 'name' | 'terms'>;

/** `open` is the monitor's open incident. Null if nothing changes. */
export function followingOf(
  monitor: Opener,
  turn: MonitorTurn,
  open: KeptIncident | null,
  atMs: number,
): Following | null {
  if (turn.kind === 'monitor.slow') return null;
  const isDown = turn.kind === 'monitor.down';
  if (open === null) return isDown && monitor.terms.opensIncidents ? opened(monitor, turn, atMs) : null;
  const body = `${isDown ? 'Down again' : 'Up again'}: ${turn.said.detail}`;
  return followed(open, { author: monitor.name, isBad: isDown, sinceMs: turn.sinceMs, atMs, body });
}

function opened(
  { id, projectId, name }: Opener,
  { sinceMs, said: { detail } }: MonitorTurn,
  atMs: number,
): Following {
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
      isTouched: false,
      affects: [{ ...link, kind: 'monitor', id, name }],
      update: firstUpdate(name, `Down: ${detail}`, atMs),
    },
  };
}
