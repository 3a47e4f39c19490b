import type { IncidentView } from '../../../schemas/incidents.ts';
import { momentText } from '../reading/moments.ts';
import type { Incident, IncidentLink } from '../store/incidents/incidents.ts';

export function viewIncident(incident: Incident): IncidentView {
  const { startedAtMs, acknowledgedAtMs, identifiedAtMs, mendedAtMs, resolvedAtMs } = incident;
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
    started_at: momentText(startedAtMs),
    acknowledged_at: momentText(acknowledgedAtMs),
    identified_at: momentText(identifiedAtMs),
    mended_at: momentText(mendedAtMs),
    resolved_at: momentText(resolvedAtMs),
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
      at: momentText(atMs),
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
  return { author, written_at: momentText(writtenAtMs), public: isPublic, markdown: markdown ?? '' };
}

function named({ kind, id, name }: IncidentLink): Pick<IncidentLink, 'kind' | 'id' | 'name'> {
  return { kind, id, name };
}
