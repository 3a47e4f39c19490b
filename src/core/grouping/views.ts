// Why an event belongs to its issue, as the API and the command line show it.
import type { Grouping } from '../store/events.ts';

/** How a fingerprint was made: by which rules, of which parts. */
export function viewGrouping({ algorithm, source, parts, notes }: Grouping) {
  return { algorithm, source, parts: [...parts], notes: [...notes] };
}
