// Lists at a terminal: how many rows are shown, and that there are more.
import type { ListWindow } from '../core/store/page.ts';
import { type Output, type ParsedWords, UsageError } from './command.ts';

const listedMax = 100;
const listedUnlessSaid = 50;

/** The option of a command that lists. */
export const limitOption = {
  limit: {
    type: 'string',
    help: `how many at most, 1 to ${listedMax} (default ${listedUnlessSaid})`,
  },
} as const;

/** The first rows, as many as `--limit` says. Throws UsageError for what is no number of rows. */
export function firstRows(words: ParsedWords): ListWindow {
  const limit = Number(words.text('limit') ?? listedUnlessSaid);
  if (!Number.isInteger(limit) || limit < 1 || limit > listedMax) {
    throw new UsageError(`--limit is a whole number from 1 to ${listedMax}.`);
  }
  return { limit, offset: 0 };
}

/** Says on stderr that there are more rows than were shown; `what` is their plural. */
export function tellOfMore(output: Output, shown: number, total: number, what: string): void {
  if (total > shown) output.err(`${shown} of ${total} ${what}; see --limit and --search.\n`);
}
