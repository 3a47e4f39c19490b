// What a row of the live tail says, and the figures above it: the page and the stream say the same.
import { titleParts } from '../../core/workspace/issues/titles.ts';
import type { LiveCounts, LiveRow } from '../../core/workspace/live.ts';
import { count, counted } from '../words/numbers.ts';

/** The cells of a row, by the names that the page's template has for them. */
export interface LiveCells {
  readonly level: string;
  readonly at: string;
  readonly type: string;
  readonly message: string;
  readonly project: string;
  readonly event: string;
  readonly path: string;
}

/** Said where more came than is told. */
export const missedWords = 'More events arrived than can be shown here. All of them are in Issues.';

const shownIdCharacters = 8;

/** The cells of a row; `address` makes an address of a path of ours. */
export function cellsOf(row: LiveRow, address: (path: string) => string): LiveCells {
  const { type, message } = titleParts(row.title);
  return {
    level: row.level,
    at: row.received_at,
    type: type ?? '',
    message,
    project: row.project,
    event: row.event_id.slice(0, shownIdCharacters),
    path: address(eventPath(row)),
  };
}

/** The page of an event. */
function eventPath({ issue_id: issueId, event_id: eventId }: LiveRow): string {
  return `/issues/${issueId}/events/${eventId}`;
}

/** What the figures of this hour say, by their names in the page. */
export function figuresOf(counts: LiveCounts): Record<'kept' | 'refused' | 'reasons', string> {
  const [first, ...others] = counts.reasons;
  const more = others.length === 0 ? '' : `, ${counted(others.length, 'other reason')}`;
  return {
    kept: count(counts.kept),
    refused: count(counts.refused),
    reasons: first === undefined ? 'nothing discarded' : `${first.reason}${more}`,
  };
}
