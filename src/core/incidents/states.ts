import type {
  IncidentChange,
  IncidentEffect,
  IncidentRecord,
  IncidentState,
  IncidentUpdate,
} from '../store/incidents.ts';

/** Further updates are dropped: a monitor may go down and up for months. */
const updatesMax = 1_000;

export function unchangedIncident(incident: IncidentRecord): IncidentChange {
  const { title, severity, state, lead, cause, isHandled, postMortem } = incident;
  const { acknowledgedAtMs, identifiedAtMs, mitigatedAtMs, resolvedAtMs } = incident;
  const moments = { acknowledgedAtMs, identifiedAtMs, mitigatedAtMs, resolvedAtMs };
  return { title, severity, state, lead, cause, isHandled, postMortem, ...moments };
}

export function withState(change: IncidentChange, state: IncidentState, atMs: number): IncidentChange {
  const { identifiedAtMs, mitigatedAtMs } = change;
  const isMitigated = state === 'monitoring' || state === 'resolved';
  return {
    ...change,
    state,
    identifiedAtMs: state === 'identified' ? (identifiedAtMs ?? atMs) : identifiedAtMs,
    mitigatedAtMs: isMitigated ? (mitigatedAtMs ?? (state === 'monitoring' ? atMs : null)) : null,
    resolvedAtMs: state === 'resolved' ? atMs : null,
  };
}

/** An incident that a person worked on is not resolved automatically. */
export function withAcknowledgement(change: IncidentChange, atMs: number): IncidentChange {
  return { ...change, acknowledgedAtMs: change.acknowledgedAtMs ?? atMs, isHandled: true };
}

export function firstUpdate(author: string, body: string, atMs: number): IncidentUpdate {
  return { atMs, author, isPublic: false, body, from: null, to: 'investigating' };
}

/** When the condition is over: resolved, or monitoring if a person has worked on the incident. */
export function applyCondition(
  open: IncidentRecord,
  condition: {
    readonly author: string;
    readonly isBad: boolean;
    /** When the condition began; may be earlier than `atMs`. */
    readonly sinceMs: number;
    readonly atMs: number;
    readonly body: string;
  },
): IncidentEffect {
  const { author, isBad, sinceMs, atMs, body } = condition;
  const to = nextState(open, isBad);
  const change = to === null ? unchangedIncident(open) : withState(unchangedIncident(open), to, sinceMs);
  const mitigated = to === 'resolved' ? { mitigatedAtMs: change.mitigatedAtMs ?? sinceMs } : {};
  const from = to === null ? null : open.state;
  return {
    does: 'change',
    change: { ...change, ...mitigated },
    update: open.updates.length < updatesMax ? { atMs, author, isPublic: false, body, from, to } : null,
  };
}

function nextState({ state, isHandled }: IncidentRecord, isBad: boolean): IncidentState | null {
  if (isBad) return state === 'monitoring' ? 'investigating' : null;
  if (!isHandled) return 'resolved';
  return state === 'monitoring' ? null : 'monitoring';
}
