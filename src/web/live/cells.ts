import { splitTitle } from '../../core/page-models/issues/list.ts';
import type { LiveCounts, LiveRow } from '../../core/page-models/live.ts';
import { count, counted } from '../formatters.ts';

export interface LiveCells {
  readonly level: string;
  readonly at: string;
  readonly type: string;
  readonly message: string;
  readonly project: string;
  readonly event: string;
  readonly path: string;
}

export const missedText = 'More events arrived than can be shown here. All of them are in Issues.';

const shownIdCharacters = 8;

export function toLiveCells(row: LiveRow, address: (path: string) => string): LiveCells {
  const { type, message } = splitTitle(row.title);
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

function eventPath({ issue_id: issueId, event_id: eventId }: LiveRow): string {
  return `/issues/${issueId}/events/${eventId}`;
}

export function hourFigures(counts: LiveCounts): Record<'accepted' | 'refused' | 'reasons', string> {
  const [first, ...others] = counts.reasons;
  const more = others.length === 0 ? '' : `, ${counted(others.length, 'other reason')}`;
  return {
    accepted: count(counts.accepted),
    refused: count(counts.refused),
    reasons: first === undefined ? 'nothing discarded' : `${first.reason}${more}`,
  };
}
