// A column for each level but `error`, which is the rest.
import type { Level } from '../../../schemas/event.ts';

const columns = ['fatal', 'warning', 'info', 'debug'] as const;

/** In the order of the columns. */
export function levelCounts(events: ReadonlyArray<{ readonly level: Level }>, sign: 1 | -1 = 1): number[] {
  return columns.map((column) => sign * events.filter((event) => event.level === column).length);
}

/** For ON CONFLICT DO UPDATE SET. */
export const moreOfLevels = columns
  .map((column) => `, ${column} = issue_hours.${column} + excluded.${column}`)
  .join('');
