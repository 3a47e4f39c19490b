// Events of an hour by level: a column for each level but `error`, which is what remains.
import type { Level } from '../../../schemas/event.ts';

const columns = ['fatal', 'warning', 'info', 'debug'] as const;

/** How many of the events are of each level that has a column, in the order of the columns. */
export function levelCounts(events: ReadonlyArray<{ readonly level: Level }>, sign: 1 | -1 = 1): number[] {
  return columns.map((column) => sign * events.filter((event) => event.level === column).length);
}

/** Adds to the columns what a row that was to be inserted holds, in `ON CONFLICT DO UPDATE SET`. */
export const moreOfLevels = columns
  .map((column) => `, ${column} = issue_hours.${column} + excluded.${column}`)
  .join('');
