// Which incidents a status page shows, and by which names.
import type { Incident, IncidentWithoutUpdates } from '../store/incidents/incidents.ts';
import type { StatusPage } from '../store/status-pages/status-pages.ts';
import type { StatusTexts } from './languages/status-texts.ts';
import { fillIn } from './languages/texts.ts';

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

export function affectedComponentNames(
  { components }: StatusPage,
  incident: IncidentWithoutUpdates,
): string[] {
  const hit = components.filter(
    ({ id, monitorIds }) =>
      incidentAffects(incident, 'component', [id]) || incidentAffects(incident, 'monitor', monitorIds),
  );
  return [...new Set(hit.map(({ name }) => name))];
}

/** Titles from monitors and rules contain internal names and are replaced. */
export function publicIncidentTitle(page: StatusPage, incident: Incident, texts: StatusTexts): string {
  if (incident.isNamedByProgram !== true) return incident.title;
  const components = affectedComponentNames(page, incident).join(texts.separator);
  return fillIn(texts.problems, { components });
}
