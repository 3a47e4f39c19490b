import { publicIncidentTitle } from '../../status-pages/affected.ts';
import type { StatusTexts } from '../../status-pages/languages/status-texts.ts';
import { fillIn } from '../../status-pages/languages/texts.ts';
import { worstState } from '../../status-pages/states.ts';
import type { Incident } from '../../store/incidents.ts';
import type { MonitorInterval } from '../../store/monitors.ts';
import type { Component, ComponentState, StatusPage } from '../../store/status-pages.ts';
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

/** Open incidents, otherwise the states of the components: also where a fix is monitored, as those say what works. */
export function statusHeadline(
  page: StatusPage,
  publicIncidents: readonly Incident[],
  texts: StatusTexts,
): string {
  const { components } = page;
  const open = page.shows.includes('incidents') ? publicIncidents : [];
  const unplanned = open.filter(
    ({ severity, state, resolvedAtMs }) =>
      severity !== 'planned' && state !== 'monitoring' && resolvedAtMs === null,
  );
  if (unplanned.length > 0) {
    const worst = unplanned.toSorted((one, other) => rank(one) - rank(other));
    return worst.map((each) => publicIncidentTitle(page, each, texts)).join('. ');
  }
  if (components.length === 0) return texts.noComponents;
  const sentences = (
    [
      [texts.down, 'not_working'],
      [texts.degraded, 'slow'],
      [texts.maintenance, 'planned_work'],
    ] as const
  ).flatMap(([template, state]) => {
    const named = components.filter((each) => each.state === state).map(({ name }) => name);
    return named.length === 0 ? [] : [fillIn(template, { components: named.join(texts.separator) })];
  });
  return sentences.length === 0 ? texts.allOperational : sentences.join('. ');
}

function rank({ severity }: Incident): number {
  return severity === 'critical' ? 0 : 1;
}
