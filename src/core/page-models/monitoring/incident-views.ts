import { formatTime } from '../../parsing/timestamps.ts';
import { isCanceled } from '../../status-pages/affected.ts';
import type { IncidentLink, IncidentWithoutUpdates, LinkKind } from '../../store/incidents.ts';
import type { Monitor } from '../../store/monitors.ts';
import type { StatusPage } from '../../store/status-pages.ts';
import type { RequestContext } from '../request-context.ts';
import { findProjectRef } from './monitors.ts';

export type IncidentView = ReturnType<typeof viewIncidentRow>;

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

export interface LinkTargets {
  readonly monitors: readonly Monitor[];
  readonly pages: readonly StatusPage[];
}

export function viewIncidentRow(
  context: Pick<RequestContext, 'projects' | 'nowMs'>,
  incident: IncidentWithoutUpdates,
) {
  return {
    incident_id: incident.id,
    title: incident.title,
    severity: incident.severity,
    state: incident.state,
    project: findProjectRef(context, incident.projectId),
    started_at: formatTime(incident.startedAtMs),
    resolved_at: formatTime(incident.resolvedAtMs),
    planned_end_at: formatTime(incident.plannedEndAtMs),
    /** Until now if open; 0 before maintenance starts. */
    lasted_ms: durationMs(incident, context.nowMs),
    is_over: incident.resolvedAtMs !== null,
    is_canceled: isCanceled(incident),
    cause: incident.cause,
    affects: affectedNames(incident),
    linked: [...new Set(filterLinks(incident, 'linked').map(({ kind }) => kind))],
    has_post_mortem: incident.postMortem !== null,
  };
}

export function affectedNames({ affects }: IncidentWithoutUpdates): readonly string[] {
  return [...new Set(affects.map(({ name }) => name))];
}

export function durationMs({ startedAtMs, resolvedAtMs }: IncidentWithoutUpdates, nowMs: number): number {
  return Math.max(0, (resolvedAtMs ?? nowMs) - startedAtMs);
}

/** `proposed` links were suggested and not confirmed. */
export function filterLinks(
  { links }: Pick<IncidentWithoutUpdates, 'links'>,
  which: 'linked' | 'proposed' | 'dismissed',
): IncidentLink[] {
  return links.filter(({ linkedBy, isDismissed }) =>
    which === 'dismissed' ? isDismissed : !isDismissed && (linkedBy !== null) === (which === 'linked'),
  );
}

export function viewLink(link: IncidentLink, targets: LinkTargets): LinkView {
  const { kind, id, name, why, beforeMs, linkedBy } = link;
  return { kind, id, name, why, before_ms: beforeMs, linked_by: linkedBy, path: pathOf(link, targets) };
}

function pathOf({ kind, id }: IncidentLink, { monitors, pages }: LinkTargets): string | null {
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

export function isMaintenance({ severity }: Pick<IncidentWithoutUpdates, 'severity'>): boolean {
  return severity === 'planned';
}
