import type { IncidentView } from '../../../schemas/incidents.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { Incident, IncidentLink } from '../store/incidents.ts';

export function viewIncident(incident: Incident): IncidentView {
  const { startedAtMs, acknowledgedAtMs, identifiedAtMs, mitigatedAtMs, resolvedAtMs } = incident;
  const after = (atMs: number | null): number | null =>
    atMs === null ? null : Math.max(0, atMs - startedAtMs) / 1000;
  return {
    incident_id: incident.id,
    title: incident.title,
    severity: incident.severity,
    state: incident.state,
    cause: incident.cause,
    lead: incident.lead,
    opened_by: incident.openedBy,
    started_at: formatTime(startedAtMs),
    acknowledged_at: formatTime(acknowledgedAtMs),
    identified_at: formatTime(identifiedAtMs),
    mitigated_at: formatTime(mitigatedAtMs),
    resolved_at: formatTime(resolvedAtMs),
    acknowledged_after: after(acknowledgedAtMs),
    resolved_after: after(resolvedAtMs),
    affects: incident.affects.map(named),
    causes: incident.links.map((link) => ({
      ...named(link),
      state: link.isDismissed ? 'dismissed' : link.linkedBy === null ? 'proposed' : 'linked',
      why: link.why,
      linked_by: link.linkedBy,
    })),
    post_mortem: viewPostMortem(incident),
    updates: incident.updates.map(({ atMs, author, isPublic, body, from, to }) => ({
      at: formatTime(atMs),
      author,
      public: isPublic,
      message: body,
      from,
      to,
    })),
  };
}

function viewPostMortem({ postMortem }: Incident): IncidentView['post_mortem'] {
  if (postMortem === null) return null;
  const { author, writtenAtMs, isPublic, markdown } = postMortem;
  return { author, written_at: formatTime(writtenAtMs), public: isPublic, markdown: markdown ?? '' };
}

function named({ kind, id, name }: IncidentLink): Pick<IncidentLink, 'kind' | 'id' | 'name'> {
  return { kind, id, name };
}
