// Rows of bug reports, and what they are to the rules.
import type { FeedbackSource, FeedbackState, StoredFeedback } from '../../src/core/store/feedback.ts';
import { numberOrNull } from '../columns.ts';
import type { Query } from '../db.ts';

export interface FeedbackRow {
  readonly id: number;
  readonly project_id: number;
  readonly created_at_ms: number;
  readonly message: string;
  readonly truncated: number;
  readonly name: string | null;
  readonly email: string | null;
  readonly url: string | null;
  readonly domain: string;
  readonly event_id: string | null;
  readonly category: string | null;
  readonly severity: string | null;
  readonly release: string | null;
  readonly environment: string | null;
  readonly user_agent: string | null;
  readonly locale: string | null;
  readonly tags: string;
  readonly details: string;
  readonly source: string;
  readonly spam: number;
  readonly resolved: number;
  readonly state_at_ms: number | null;
  readonly state_by: string | null;
  readonly screenshot_count: number;
  readonly issue_id: number | null;
}

/** The column takes no null: what came in nobody's name has the empty text, by which it can be listed too. */
export const noDomain = '';

/**
 * The error a report is about may come after it, and its issue may be merged: both are looked up when it is
 * read.
 */
export const withIssue = `(SELECT COALESCE(issues.merged_into, issues.id) FROM events
  JOIN issues ON issues.id = events.issue_id
  WHERE events.project_id = feedback.project_id AND events.event_id = feedback.event_id)`;

/** A report of a project, with the issue it is about. */
export function findRow(
  query: Pick<Query, 'get'>,
  projectId: number,
  id: number,
): Promise<FeedbackRow | undefined> {
  return query.get<FeedbackRow>(
    `SELECT feedback.*, ${withIssue} AS issue_id FROM feedback WHERE project_id = $1 AND id = $2`,
    [projectId, id],
  );
}

/** A report as the rules know it, from its row. */
export function feedbackOf(row: FeedbackRow): StoredFeedback {
  return {
    id: Number(row.id),
    projectId: Number(row.project_id),
    createdAtMs: Number(row.created_at_ms),
    message: row.message,
    truncated: Number(row.truncated) === 1,
    name: row.name,
    email: row.email,
    url: row.url,
    domain: row.domain === noDomain ? null : row.domain,
    eventId: row.event_id,
    issueId: numberOrNull(row.issue_id),
    category: row.category,
    severity: row.severity,
    release: row.release,
    environment: row.environment,
    userAgent: row.user_agent,
    locale: row.locale,
    tags: JSON.parse(row.tags) as Record<string, string>,
    source: row.source as FeedbackSource,
    spam: Number(row.spam) === 1,
    state: stateOf(row),
    stateAtMs: numberOrNull(row.state_at_ms),
    stateBy: row.state_by,
    screenshotCount: Number(row.screenshot_count),
  };
}

function stateOf(row: Pick<FeedbackRow, 'spam' | 'resolved'>): FeedbackState {
  if (Number(row.spam) === 1) return 'spam';
  return Number(row.resolved) === 1 ? 'resolved' : 'open';
}
