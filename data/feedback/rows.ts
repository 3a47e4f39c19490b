import type {
  FeedbackDetails,
  FeedbackSource,
  FeedbackState,
  Screenshot,
  StoredFeedback,
} from '../../src/core/store/feedback.ts';
import type { Query } from '../db.ts';
import { absentAs, bytes, defaulted, flag, integer, json, nullable, oneOf, tableOf, text } from '../table.ts';

/** Stored for reports without a domain, so that they can be filtered by it. */
export const noDomain = '';

export const feedback = tableOf('feedback', {
  id: defaulted(integer),
  projectId: integer,
  reportId: nullable(text),
  createdAtMs: integer,
  message: text,
  truncated: flag,
  name: nullable(text),
  email: nullable(text),
  url: nullable(text),
  domain: absentAs(noDomain, text),
  eventId: nullable(text),
  category: nullable(text),
  severity: nullable(text),
  release: nullable(text),
  environment: nullable(text),
  userAgent: nullable(text),
  locale: nullable(text),
  tags: json<Readonly<Record<string, string>>>(),
  details: json<FeedbackDetails>(),
  source: oneOf<FeedbackSource>(),
  spam: flag,
  screenshotCount: integer,
  searchText: nullable(text),
  resolved: defaulted(flag),
  stateAtMs: defaulted(nullable(integer)),
  stateBy: defaulted(nullable(text)),
});
const listed = feedback.without('reportId', 'searchText', 'details');

export const screenshots = tableOf('feedback_screenshots', {
  feedbackId: integer,
  position: integer,
  contentType: oneOf<Screenshot['contentType']>(),
  width: integer,
  height: integer,
  name: nullable(text),
  size: integer,
  bytes,
});

/** The event may arrive after the report, and its issue may be merged: both are looked up when reading. */
const issueId = `(SELECT COALESCE(issues.merged_into, issues.id) FROM events
  JOIN issues ON issues.id = events.issue_id
  WHERE events.project_id = feedback.project_id AND events.event_id = feedback.event_id)`;

/** Columns for SELECT on `feedback`; `ofIssue` is a subquery that can be filtered by `issue_id`. */
export const reportColumns = `${listed.columns()}, ${issueId} AS "issueId"`;
export const ofIssue = {
  from: `SELECT feedback.*, ${issueId} AS issue_id FROM feedback`,
  columns: `${listed.columns()}, issue_id AS "issueId"`,
};

interface WithIssue {
  readonly issueId: number | null;
}

export function findRow(query: Pick<Query, 'get'>, projectId: number, id: number): Promise<unknown> {
  return query.get(`SELECT ${reportColumns} FROM feedback WHERE project_id = $1 AND id = $2`, [
    projectId,
    id,
  ]);
}

export function feedbackOf(found: unknown): StoredFeedback {
  const { resolved, ...row } = listed.rowOf(found as WithIssue);
  return { ...row, state: stateOf(row.spam, resolved) };
}

export function stateOf(spam: boolean, resolved: boolean): FeedbackState {
  return spam ? 'spam' : resolved ? 'resolved' : 'open';
}
