// What pages say of an incident alike: its head, its lengths, what it hits, and where its links lead.
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
  /** When planned work ends. */
  readonly planned_end_at: string | null;
  /** Up to now while it goes on; nothing before planned work begins. */
  readonly lasted_ms: number;
  readonly is_over: boolean;
  readonly cause: string;
  /** The names of what it hits. */
  readonly affects: readonly string[];
  /** The kinds of what it is linked to, each once. */
  readonly linked: readonly LinkKind[];
  readonly has_post_mortem: boolean;
}

/** A thing that an incident has to do with. */
export interface LinkView {
  readonly kind: LinkKind;
  readonly id: number;
  readonly name: string;
  readonly why: string;
  readonly before_ms: number | null;
  readonly linked_by: string | null;
  /** The page of it, below the base; null where it has none. */
  readonly path: string | null;
  /** Of an issue that is there: what it is called. */
  readonly title?: string;
  /** Of what belongs to one project of several, where the incident belongs to none: its name. */
  readonly project?: string;
}

/** What the addresses of links are made of. */
export interface Places {
  readonly monitors: readonly Monitor[];
  readonly pages: readonly StatusPage[];
}

/** An incident as lists show it. */
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

/** The names of what an incident hits. */
export function affectedBy({ affects }: IncidentHead): readonly string[] {
  return [...new Set(affects.map(({ name }) => name))];
}

/** How long it lasted, or lasts up to now. */
export function lastedMs({ startedAtMs, resolvedAtMs }: IncidentHead, nowMs: number): number {
  return Math.max(0, (resolvedAtMs ?? nowMs) - startedAtMs);
}

/** Its links of one kind: linked by somebody, only proposed, or set aside. */
export function linksOf(
  { links }: Pick<IncidentHead, 'links'>,
  which: 'linked' | 'proposed' | 'dismissed',
): IncidentLink[] {
  return links.filter(({ linkedBy, isDismissed }) =>
    which === 'dismissed' ? isDismissed : !isDismissed && (linkedBy !== null) === (which === 'linked'),
  );
}

/** A link with the address of what it means. */
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

/** Whether an incident hits a monitor or a component. */
export function hits(incident: IncidentHead, kind: 'monitor' | 'component', ids: readonly number[]): boolean {
  return incident.affects.some((each) => each.kind === kind && ids.includes(each.id));
}

/** Whether an incident is planned work, which is no trouble. */
export function isPlanned({ severity }: Pick<IncidentHead, 'severity'>): boolean {
  return severity === 'planned';
}
