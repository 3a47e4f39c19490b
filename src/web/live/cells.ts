import { splitTitle } from '../../core/page-models/issues/list.ts';
import type { LiveCounts, LiveRow } from '../../core/page-models/live.ts';
import { count, counted } from '../formatters.ts';

export type LiveCells = ReturnType<typeof toLiveCells>;

export const missedText = 'More events arrived than can be shown here. All of them are in Issues.';

const shownIdCharacters = 8;

export function toLiveCells(row: LiveRow) {
  const { type, message } = splitTitle(row.title);
  return {
    level: row.level,
    at: row.received_at,
    type: type ?? '',
    message,
    project: row.project,
    event: row.event_id.slice(0, shownIdCharacters),
    path: `/issues/${row.issue_id}/events/${row.event_id}`,
  };
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
