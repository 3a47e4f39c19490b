// How the parts of a status page stand: states and days from the monitors that feed them, what is said about
// them, and the sentence of the whole page.
import type { Incident } from '../../store/uptime/incidents.ts';
import type { MonitorSlice } from '../../store/uptime/monitors.ts';
import type { Component, ComponentState, StatusPage } from '../../store/uptime/status-pages.ts';
import { worstDays } from './figures.ts';
import { isOn } from './incident.ts';

/** From well to worst. */
const componentOrder: readonly ComponentState[] = ['working', 'planned_work', 'slow', 'not_working'];

/** How the worst of some parts is; `working` where there are none. */
export function worstOf(components: readonly Component[]): ComponentState {
  const worst = Math.max(0, ...components.map(({ state }) => componentOrder.indexOf(state)));
  return componentOrder[worst] ?? 'working';
}

/** The groups of a page in the order in which their first parts stand. */
export function groupsOf(components: readonly Component[]): ReadonlyArray<readonly [string, Component[]]> {
  return [...Map.groupBy(components, ({ group }) => group)];
}

/** The days of a part: of each the worst of the monitors that feed it. */
export function daysOfComponent(
  { monitorIds }: Pick<Component, 'monitorIds'>,
  days: ReadonlyMap<number, readonly MonitorSlice[]>,
): MonitorSlice[] {
  return worstDays(monitorIds.map((id) => days.get(id) ?? []));
}

/** All monitors that feed some pages. */
export function feedingIds(pages: readonly StatusPage[]): number[] {
  return [...new Set(pages.flatMap(({ components }) => components.flatMap(({ monitorIds }) => monitorIds)))];
}

/** What of the incidents a page may say: those that hit it and of which something was said to everybody. */
export function saidOn(page: StatusPage, incidents: readonly Incident[]): Incident[] {
  return incidents.filter((each) => isOn(each, page) && each.updates.some(({ isPublic }) => isPublic));
}

/** The page in a sentence: what is said of open incidents, else what its parts are. */
export function headlineOf({ components }: StatusPage, open: readonly Incident[]): string {
  const unplanned = open.filter(
    ({ severity, resolvedAtMs }) => severity !== 'planned' && resolvedAtMs === null,
  );
  if (unplanned.length > 0) {
    const worst = unplanned.toSorted((one, other) => rank(one) - rank(other));
    return worst.map(({ title }) => title).join('. ');
  }
  const named = (state: ComponentState): string =>
    components
      .filter((each) => each.state === state)
      .map(({ name }) => name)
      .join(', ');
  const parts = [
    ['Not working', named('not_working')],
    ['Slow', named('slow')],
    ['Planned work', named('planned_work')],
  ].filter(([, names]) => names !== '');
  return parts.length === 0
    ? 'All systems operational'
    : parts.map(([word, names]) => `${word}: ${names}`).join('. ');
}

function rank({ severity }: Incident): number {
  return severity === 'critical' ? 0 : 1;
}
