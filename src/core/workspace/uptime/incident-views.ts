import { momentText } from '../../reading/moments.ts';
import type {
  IncidentHead,
  IncidentLink,
  IncidentState,
  LinkKind,
  Severity,
} from '../../store/incidents/incidents.ts';
import type { Monitor } from '../../store/monitors/monitors.ts';
import type { StatusPage } from '../../store/status-pages/status-pages.ts';
import type { ProjectName } from '../delivery/lists.ts';
import type { Visit } from '../visit.ts';
import { projectName } from './monitors.ts';

export interface IncidentView {
  readonly incident_id: number;
  readonly title: string;
  readonly severity: Severity;
  readonly state: IncidentState;
  readonly project: ProjectName | null;
  readonly started_at: string;
  readonly resolved_at: string | null;
  /** Of maintenance. */
  readonly planned_end_at: string | null;
  /** Until now if open; 0 before maintenance starts. */
  readonly lasted_ms: number;
  readonly is_over: boolean;
  readonly cause: string;
  readonly affects: readonly string[];
  readonly linked: readonly LinkKind[];
  readonly has_post_mortem: boolean;
}

export interface LinkView {
  readonly kind: LinkKind;
  readonly id: number;
  readonly name: string;
  readonly why: string;
  readonly before_ms: number | null;
  readonly linked_by: string | null;
  /** Relative to the base URL; null if it has no page. */
  readonly path: string | null;
  /** Of an issue that still exists. */
  readonly title?: string;
  /** Set if the incident belongs to no project but the object does. */
  readonly project?: string;
}

export interface Places {
  readonly monitors: readonly Monitor[];
  readonly pages: readonly StatusPage[];
}

export function incidentView(visit: Pick<Visit, 'projects' | 'nowMs'>, incident: IncidentHead): IncidentView {
  return {
    incident_id: incident.id,
    title: incident.title,
    severity: incident.severity,
    state: incident.state,
    project: projectName(visit, incident.projectId),
    started_at: momentText(incident.startedAtMs),
    resolved_at: momentText(incident.resolvedAtMs),
    planned_end_at: momentText(incident.plannedEndAtMs),
    lasted_ms: lastedMs(incident, visit.nowMs),
    is_over: incident.resolvedAtMs !== null,
    cause: incident.cause,
    affects: affectedBy(incident),
    linked: [...new Set(linksOf(incident, 'linked').map(({ kind }) => kind))],
    has_post_mortem: incident.postMortem !== null,
  };
}

export function affectedBy({ affects }: IncidentHead): readonly string[] {
  return [...new Set(affects.map(({ name }) => name))];
}

export function lastedMs({ startedAtMs, resolvedAtMs }: IncidentHead, nowMs: number): number {
  return Math.max(0, (resolvedAtMs ?? nowMs) - startedAtMs);
}

/** `proposed` links were suggested and not confirmed. */
export function linksOf(
  { links }: Pick<IncidentHead, 'links'>,
  which: 'linked' | 'proposed' | 'dismissed',
): IncidentLink[] {
  return links.filter(({ linkedBy, isDismissed }) =>
    which === 'dismissed' ? isDismissed : !isDismissed && (linkedBy !== null) === (which === 'linked'),
  );
}

export function linkView(link: IncidentLink, places: Places): LinkView {
  const { kind, id, name, why, beforeMs, linkedBy } = link;
  return { kind, id, name, why, before_ms: beforeMs, linked_by: linkedBy, path: pathOf(link, places) };
}

function pathOf({ kind, id }: IncidentLink, { monitors, pages }: Places): string | null {
  switch (kind) {
    case 'issue':
      return `/issues/${id}`;
    case 'release':
      return `/releases/${id}`;
    case 'deploy':
      return '/deploys';
    case 'test_run':
      return `/test-runs/${id}`;
    case 'monitor': {
      const monitor = monitors.find((each) => each.id === id);
      return monitor === undefined ? null : `/monitors/${monitor.slug}`;
    }
    case 'component': {
      const page = pages.find(({ components }) => components.some((each) => each.id === id));
      return page === undefined ? null : `/status/${page.slug}`;
    }
  }
}

export function hits(incident: IncidentHead, kind: 'monitor' | 'component', ids: readonly number[]): boolean {
  return incident.affects.some((each) => each.kind === kind && ids.includes(each.id));
}

/** Maintenance is stored as an incident. */
export function isPlanned({ severity }: Pick<IncidentHead, 'severity'>): boolean {
  return severity === 'planned';
}
