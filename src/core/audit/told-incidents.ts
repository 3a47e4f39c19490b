// What the history is told of acts on incidents: what was said of one stands among its updates.
import type { KeptIncident } from '../store/incidents/keeping.ts';
import type { AuditAction } from './actions.ts';
import type { AuditedAct } from './audit.ts';

/** What was asked of an incident, as far as it says what was done. */
interface AskedOfIncident {
  readonly state?: string | null | undefined;
  readonly acknowledged?: boolean | null | undefined;
  readonly message?: string | null | undefined;
  readonly post_mortem?: string | null | undefined;
}

/** Something that was done with an incident. */
export function toldOfIncident(
  { id, projectId, title, severity, state }: KeptIncident,
  action: Extract<AuditAction, `incident.${string}`>,
): AuditedAct {
  return {
    action,
    object: { kind: 'incident', id, name: title },
    projectId,
    summary: action === 'incident.deleted' ? '' : `${severity}, ${state}`,
  };
}

/** The name of a change by what was asked. */
export function actionOf({
  state,
  acknowledged,
  message,
  post_mortem: learnt,
}: AskedOfIncident): Extract<AuditAction, `incident.${string}`> {
  if (state === 'resolved') return 'incident.resolved';
  if (acknowledged === true) return 'incident.acknowledged';
  if (learnt != null) return 'incident.post_mortem';
  return message == null ? 'incident.changed' : 'incident.updated';
}
