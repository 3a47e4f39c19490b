import type { Incident, IncidentWithoutUpdates } from '../store/incidents.ts';
import type { StatusPage } from '../store/status-pages.ts';
import type { StatusTexts } from './languages/en.ts';
import { fillIn } from './languages/texts.ts';
import { worstState } from './states.ts';

export function incidentAffects(
  incident: IncidentWithoutUpdates,
  kind: 'monitor' | 'component',
  ids: readonly number[],
): boolean {
  return incident.affects.some((each) => each.kind === kind && ids.includes(each.id));
}

export function incidentAffectsPage(incident: IncidentWithoutUpdates, page: StatusPage): boolean {
  return affectedComponentNames(page, incident).length > 0;
}

/** Incidents of the page with at least one public update. */
export function publicIncidentsOf(page: StatusPage, incidents: readonly Incident[]): Incident[] {
  return incidents.filter(
    (each) => incidentAffectsPage(each, page) && each.updates.some(({ isPublic }) => isPublic),
  );
}

/** The page with each component at least as bad as the incidents that the page shows about it. */
export function withIncidentStates<Page extends StatusPage>(
  page: Page,
  incidents: readonly Incident[],
  nowMs: number,
): Page {
  if (!page.shows.includes('incidents')) return page;
  const open = publicIncidentsOf(page, incidents).flatMap((incident) => {
    const state = stateFromIncident(incident, nowMs);
    return state === null ? [] : [{ incident, state }];
  });
  const components = page.components.map((component) => {
    const affecting = open.filter(({ incident }) => isAffected(component, incident));
    return { ...component, state: worstState([component.state, ...affecting.map(({ state }) => state)]) };
  });
  return { ...page, components };
}

/** Maintenance that ended before it began. */
export function isCanceled({
  severity,
  startedAtMs,
  resolvedAtMs,
}: Pick<Incident, 'severity' | 'startedAtMs' | 'resolvedAtMs'>): boolean {
  return severity === 'planned' && resolvedAtMs !== null && resolvedAtMs < startedAtMs;
}

/** Null where it is over or not begun, or where a fix is monitored: then the monitors say what works. */
function stateFromIncident({ severity, state, startedAtMs, resolvedAtMs }: Incident, nowMs: number) {
  if (resolvedAtMs !== null || state === 'monitoring' || startedAtMs > nowMs) return null;
  return ({ critical: 'not_working', minor: 'slow', planned: 'planned_work' } as const)[severity];
}

function isAffected({ id, monitorIds }: StatusPage['components'][number], incident: IncidentWithoutUpdates) {
  return incidentAffects(incident, 'component', [id]) || incidentAffects(incident, 'monitor', monitorIds);
}

export function affectedComponentNames(
  { components }: StatusPage,
  incident: IncidentWithoutUpdates,
): string[] {
  const hit = components.filter((component) => isAffected(component, incident));
  return [...new Set(hit.map(({ name }) => name))];
}

/** Titles from monitors and rules contain internal names and are replaced. */
export function publicIncidentTitle(page: StatusPage, incident: Incident, texts: StatusTexts): string {
  if (incident.isNamedByProgram !== true) return incident.title;
  const components = affectedComponentNames(page, incident).join(texts.separator);
  return fillIn(texts.problems, { components });
}
