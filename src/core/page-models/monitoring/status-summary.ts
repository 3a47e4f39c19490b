import { worstState } from '../../status-pages/states.ts';
import type { Incident } from '../../store/incidents/incidents.ts';
import type { MonitorInterval } from '../../store/monitors/monitors.ts';
import type { Component, ComponentState, StatusPage } from '../../store/status-pages/status-pages.ts';
import { incidentAffectsPage } from './incident.ts';
import { incidentAffects } from './incident-views.ts';
import { mergeWorstDays } from './uptime.ts';

export function worstComponentState(components: readonly Component[]): ComponentState {
  return worstState(components.map(({ state }) => state));
}

/** In the order of their first components. */
export function groupComponents(
  components: readonly Component[],
): ReadonlyArray<readonly [string, Component[]]> {
  return [...Map.groupBy(components, ({ group }) => group)];
}

export function componentDays(
  { monitorIds }: Pick<Component, 'monitorIds'>,
  days: ReadonlyMap<number, readonly MonitorInterval[]>,
): MonitorInterval[] {
  return mergeWorstDays(monitorIds.map((id) => days.get(id) ?? []));
}

export function monitorIdsOfPages(pages: readonly StatusPage[]): number[] {
  return [...new Set(pages.flatMap(({ components }) => components.flatMap(({ monitorIds }) => monitorIds)))];
}

/** Incidents of the page with at least one public update. */
export function publicIncidentsOf(page: StatusPage, incidents: readonly Incident[]): Incident[] {
  return incidents.filter(
    (each) => incidentAffectsPage(each, page) && each.updates.some(({ isPublic }) => isPublic),
  );
}

export function affectedComponentNames({ components }: StatusPage, incident: Incident): string[] {
  const hit = components.filter(
    ({ id, monitorIds }) =>
      incidentAffects(incident, 'component', [id]) || incidentAffects(incident, 'monitor', monitorIds),
  );
  return [...new Set(hit.map(({ name }) => name))];
}

/** Titles from monitors and rules contain internal names and are replaced. */
export function publicIncidentTitle(page: StatusPage, incident: Incident): string {
  if (incident.isNamedByProgram !== true) return incident.title;
  return `Problems with ${affectedComponentNames(page, incident).join(', ')}`;
}

/** Open incidents, otherwise the states of the components. */
export function statusHeadline(page: StatusPage, said: readonly Incident[]): string {
  const { components } = page;
  const open = page.shows.includes('incidents') ? said : [];
  const unplanned = open.filter(
    ({ severity, resolvedAtMs }) => severity !== 'planned' && resolvedAtMs === null,
  );
  if (unplanned.length > 0) {
    const worst = unplanned.toSorted((one, other) => rank(one) - rank(other));
    return worst.map((each) => publicIncidentTitle(page, each)).join('. ');
  }
  const named = (state: ComponentState): string =>
    components
      .filter((each) => each.state === state)
      .map(({ name }) => name)
      .join(', ');
  const parts = [
    ['Down', named('not_working')],
    ['Degraded', named('slow')],
    ['Maintenance', named('planned_work')],
  ].filter(([, names]) => names !== '');
  return parts.length === 0
    ? 'All systems operational'
    : parts.map(([word, names]) => `${word}: ${names}`).join('. ');
}

function rank({ severity }: Incident): number {
  return severity === 'critical' ? 0 : 1;
}
