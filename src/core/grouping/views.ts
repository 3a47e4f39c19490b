import type { Grouping } from '../store/events.ts';

export function viewGrouping({ algorithm, source, parts, notes }: Grouping) {
  return { algorithm, source, parts: [...parts], notes: [...notes] };
}
