// What an incident has to do with, asked from the other end: of a thing, its incidents. Pure.
import type { IncidentHead, IncidentTie } from '../../../src/core/store/incidents/incidents.ts';

/** Whether an incident hits one of these things, or is linked to one, proposed and set aside too. */
export function isTied(
  { affects, links }: Pick<IncidentHead, 'affects' | 'links'>,
  { side, kind, ids }: IncidentTie,
): boolean {
  const own = side === 'affects' ? affects : links;
  return own.some((each) => each.kind === kind && ids.includes(each.id));
}
