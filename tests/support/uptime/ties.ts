import type { IncidentHead, IncidentTie } from '../../../src/core/store/incidents/incidents.ts';

/** Whether an incident affects or is linked to one of these. */
export function isTied(
  { affects, links }: Pick<IncidentHead, 'affects' | 'links'>,
  { side, kind, ids }: IncidentTie,
): boolean {
  const own = side === 'affects' ? affects : links;
  return own.some((each) => each.kind === kind && ids.includes(each.id));
}
