// How an incident goes from one state to another, and what moments that sets. Pure.
import type { IncidentState, IncidentUpdate } from '../store/incidents/incidents.ts';
import type { Following, IncidentChange, KeptIncident } from '../store/incidents/keeping.ts';

/** More than so many updates are not written: a monitor may fall and rise for months. */
const updatesMax = 1_000;

/** What of an incident a change writes, as it is. */
export function asItIs(incident: KeptIncident): IncidentChange {
  const { title, severity, state, lead, cause, isTouched, postMortem } = incident;
  const { acknowledgedAtMs, identifiedAtMs, mendedAtMs, resolvedAtMs } = incident;
  const moments = { acknowledgedAtMs, identifiedAtMs, mendedAtMs, resolvedAtMs };
  return { title, severity, state, lead, cause, isTouched, postMortem, ...moments };
}

/** An incident in another state since `atMs`. */
export function inState(change: IncidentChange, state: IncidentState, atMs: number): IncidentChange {
  const { identifiedAtMs, mendedAtMs } = change;
  const isMended = state === 'monitoring' || state === 'resolved';
  return {
    ...change,
    state,
    identifiedAtMs: state === 'identified' ? (identifiedAtMs ?? atMs) : identifiedAtMs,
    mendedAtMs: isMended ? (mendedAtMs ?? (state === 'monitoring' ? atMs : null)) : null,
    resolvedAtMs: state === 'resolved' ? atMs : null,
  };
}

/** An incident that a person sees to: from then on it is not over by itself. */
export function seenTo(change: IncidentChange, atMs: number): IncidentChange {
  return { ...change, acknowledgedAtMs: change.acknowledgedAtMs ?? atMs, isTouched: true };
}

/** What whoever watches says when it opens an incident: for the team alone. */
export function firstUpdate(author: string, body: string, atMs: number): IncidentUpdate {
  return { atMs, author, isPublic: false, body, from: null, to: 'investigating' };
}

/**
 * What becomes of an incident when what it is about is bad again, or good. What nobody touched is over then;
 * what somebody sees to is watched, and ended by a person.
 */
export function followed(
  open: KeptIncident,
  said: {
    readonly author: string;
    readonly isBad: boolean;
    /** When it was so first; it may have been said later. */
    readonly sinceMs: number;
    readonly atMs: number;
    readonly body: string;
  },
): Following {
  const { author, isBad, sinceMs, atMs, body } = said;
  const to = nextState(open, isBad);
  const change = to === null ? asItIs(open) : inState(asItIs(open), to, sinceMs);
  const mended = to === 'resolved' ? { mendedAtMs: change.mendedAtMs ?? sinceMs } : {};
  const from = to === null ? null : open.state;
  return {
    does: 'change',
    change: { ...change, ...mended },
    update: open.updates.length < updatesMax ? { atMs, author, isPublic: false, body, from, to } : null,
  };
}

/** Null where it stays as it is. */
function nextState({ state, isTouched }: KeptIncident, isBad: boolean): IncidentState | null {
  if (isBad) return state === 'monitoring' ? 'investigating' : null;
  if (!isTouched) return 'resolved';
  return state === 'monitoring' ? null : 'monitoring';
}
