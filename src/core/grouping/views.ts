import type { Grouping } from '../store/events.ts';

/** The API's JSON for a grouping. */
export function viewGrouping({ algorithm, source, parts, notes }: Grouping) {
  return { algorithm, source, parts: [...parts], notes: [...notes] };
}
