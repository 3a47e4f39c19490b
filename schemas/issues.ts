import { z } from 'zod';
import { groupingView, levels } from './event.ts';
import { collectionArguments, intBetween } from './fields.ts';

const issueStatuses = ['unresolved', 'resolved', 'ignored'] as const;
const issueSubstatuses = ['new', 'ongoing', 'regressed'] as const;
const issueOrders = ['last_seen', 'first_seen', 'events', 'users', 'id'] as const;

/** Sentry's syntax (docs/search.md). */
const searchQuery = z.string().max(2_000);

export const issuesQuery = z.looseObject({
  ...collectionArguments(issueOrders),
  query: searchQuery.describe('Limit results to issues that match this search.').optional(),
  status: z.enum(issueStatuses).describe('Limit results to issues with this status.').optional(),
  substatus: z
    .enum(issueSubstatuses)
    .describe('Limit results to unresolved issues with this substatus.')
    .optional(),
  level: z.enum(levels).describe('Limit results to issues of this level.').optional(),
  platform: z.string().max(64).describe('Limit results to issues of this platform.').optional(),
  release: z.string().max(200).describe('Limit results to issues seen in this release.').optional(),
  environment: z.string().max(64).describe('Limit results to issues seen in this environment.').optional(),
  first_release: z
    .string()
    .max(200)
    .describe('Limit results to issues first seen in this release.')
    .optional(),
});

export type IssuesQuery = z.infer<typeof issuesQuery>;

const eventOrders = ['received'] as const;

export const eventsQuery = z.looseObject({
  ...collectionArguments(eventOrders),
  query: searchQuery.describe('Limit results to events that match this search.').optional(),
  release: z.string().max(200).describe('Limit results to events of this release.').optional(),
  environment: z.string().max(64).describe('Limit results to events of this environment.').optional(),
});

export const issueChangeRequest = z.looseObject({
  status: z.enum(issueStatuses).describe('The new status of the issue.').optional(),
  in: z
    .enum(['now', 'next_release', 'release'])
    .default('now')
    .describe('For resolved: now, in the next release, or in a given release.'),
  release: z.string().min(1).max(200).describe('For resolved in a release: its version.').optional(),
  until: z
    .enum(['forever', 'date', 'count', 'users'])
    .default('forever')
    .describe('For ignored: what the issue is ignored until.'),
  date: z.string().max(40).describe('For ignored until a date: the date in RFC 3339.').optional(),
  count: intBetween(1, 1e9).describe('For ignored until a number of further events.').optional(),
  window: intBetween(60, 31_536_000)
    .describe('For ignored until a count: the time window in seconds.')
    .optional(),
  users: intBetween(1, 10_000).describe('For ignored until a number of further users.').optional(),
  merge: z
    .array(z.int().min(1))
    .min(1)
    .max(100)
    .describe('IDs of the issues to merge into this one.')
    .optional(),
  undo_merge: z.int().min(1).describe('ID of the merge to undo.').optional(),
  assigned_to: z
    .union([z.int().min(1), z.string().min(1).max(254)])
    .nullish()
    .describe('ID or e-mail address of a member, a team such as #payments, or null for nobody.'),
  link: z.string().min(1).max(2048).describe('URL of an issue of another tracker to link to.').optional(),
  unlink: z.int().min(1).describe('ID of the link to remove.').optional(),
});

const {
  status,
  in: when,
  release,
  until,
  date,
  count,
  window,
  users,
  assigned_to,
} = issueChangeRequest.shape;

/** The same change for several issues: those of `ids`, or those that match `query`. */
export const issueBulkRequest = z.looseObject({
  ids: z.array(z.int().min(1)).min(1).max(1_000).describe('IDs of the issues to change.').optional(),
  query: searchQuery
    .min(1)
    .describe('Change the issues that match this search: at most 1,000, the ones seen last.')
    .optional(),
  ...{ status, in: when, release, until, date, count, window, users, assigned_to },
  merge: z.boolean().describe('Merge the issues, at most 100, into the one that was seen first.').optional(),
});

export type IssueBulkRequest = z.infer<typeof issueBulkRequest>;

export const issueBulkView = z.object({
  /** Issues that the query matches, or different ids that were given. */
  matched: z.number().int(),
  changed: z.array(z.number().int()).readonly(),
  /** They had this state or assignee already. */
  unchanged: z.array(z.number().int()).readonly(),
  not_found: z.array(z.number().int()).readonly(),
  merged_into: z.number().int().nullable(),
  /** For `/issues/bulk/{id}/undo`, for a minute; null without a personal token, and where nothing changed. */
  undo_id: z.number().int().nullable(),
});
export type IssueBulkView = z.infer<typeof issueBulkView>;

export const issueUndoView = z.object({
  action: z.string(),
  restored: z.number().int(),
  /** Issues that somebody changed since then. */
  unchanged: z.number().int(),
});

/** The length is checked by the service, for pages too. */
export const issueCommentRequest = z.looseObject({
  text: z.string().describe('The comment, up to 10,000 characters. @Name notifies a member by e-mail.'),
});

export const issueCommentsQuery = z.looseObject({
  page: z.int().min(1).default(1).describe('Current page of the collection.'),
  per_page: intBetween(1, 100).default(10).describe('Maximum number of items to be returned in result set.'),
});

export type IssueChangeRequest = z.infer<typeof issueChangeRequest>;

const resolution = z.union([
  z.object({ in: z.literal('now') }),
  z.object({ in: z.literal('next_release'), after: z.string().nullable() }),
  z.object({ in: z.literal('release'), release: z.string() }),
]);

const ignoreView = z.union([
  z.object({ until: z.literal('forever') }),
  z.object({ until: z.literal('date'), date: z.string() }),
  z.object({
    until: z.literal('count'),
    count: z.number().int(),
    window: z.number().nullable(),
    events_before: z.number().int(),
  }),
  z.object({ until: z.literal('users'), users: z.number().int(), users_before: z.number().int() }),
]);
export type IgnoreView = z.infer<typeof ignoreView>;

export const issueView = z.object({
  issue_id: z.number().int(),
  title: z.string(),
  culprit: z.string(),
  level: z.enum(levels),
  platform: z.string(),
  status: z.enum(issueStatuses),
  substatus: z.enum(issueSubstatuses).nullable(),
  resolution: resolution.nullable(),
  ignore: ignoreView.nullable(),
  events: z.number().int(),
  users: z.number().int(),
  users_capped: z.boolean(),
  regressions: z.number().int(),
  first_seen: z.string(),
  last_seen: z.string(),
  first_release: z.string().nullable(),
  last_release: z.string().nullable(),
  merged_into: z.number().int().nullable(),
  overflow: z.boolean(),
});
export type IssueView = z.infer<typeof issueView>;

const assignee = z.object({
  member_id: z.number().int().nullable(),
  team_id: z.number().int().nullable(),
  name: z.string().nullable(),
});

export const listedIssueView = issueView.extend({ assigned_to: assignee.nullable() });

export const activityView = z.object({
  kind: z.string(),
  actor: z.string(),
  at: z.string(),
  from: z.string(),
  to: z.string(),
  event_id: z.string().nullable(),
  release: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
});

export const issueDetails = listedIssueView.extend({
  suspect_commit: z
    .object({
      commit_id: z.string(),
      message: z.string(),
      author: z.string().nullable(),
      author_email: z.string().nullable(),
      release: z.string(),
      path: z.string(),
      url: z.string().nullable(),
    })
    .nullable(),
  links: z.array(
    z.object({
      link_id: z.number().int(),
      url: z.string(),
      label: z.string(),
      service: z.string(),
      added: z.string(),
      added_by: z.string(),
    }),
  ),
  grouping: groupingView,
  hours: z.array(z.object({ hour: z.string(), events: z.number().int() })),
  activity: z.array(activityView),
  merges: z.array(
    z.object({
      merge_id: z.number().int(),
      issue_ids: z.array(z.number().int()),
      actor: z.string(),
      at: z.string(),
      undone_at: z.string().nullable(),
    }),
  ),
});
export type IssueDetails = z.infer<typeof issueDetails>;

export const commentView = z.object({
  comment_id: z.number().int(),
  issue_id: z.number().int(),
  author: z.string(),
  at: z.string(),
  text: z.string(),
});
export type CommentView = z.infer<typeof commentView>;

/** A fingerprint hash of the issue, or of one merged into it. Counts are of the newest stored events. */
export const issueTagView = z.object({
  tag: z.string(),
  events: z.number().int(),
  values: z.array(
    z.object({ value: z.string(), events: z.number().int(), first_seen: z.string(), last_seen: z.string() }),
  ),
});
export type IssueTagView = z.infer<typeof issueTagView>;

export const issueHashView = z.object({
  hash: z.string(),
  algorithm: z.string(),
  issue_id: z.number().int(),
  since: z.string(),
  title: z.string(),
  events: z.number().int(),
  newest_event_id: z.string().nullable(),
  last_seen: z.string().nullable(),
});
export type IssueHashView = z.infer<typeof issueHashView>;

export const issueSplitRequest = z.looseObject({
  hashes: z
    .array(z.string().regex(/^[0-9a-f]{64}$/))
    .min(1)
    .max(200)
    .describe('Hashes of the issue, from its list; their events become a new issue.'),
});

/** The form of the list of issues. `do` is `resolve`, `resolve next_release`, `resolve release 4.18.0`, `ignore 24-hours`,
 * `reopen`, `assign #payments`, `assign nobody` or `merge`. */
export const issueBulkForm = z.object({
  issue: z.array(z.coerce.number('Choose at least one issue.').int().min(1)).max(100).default([]),
  do: z.string('Choose an action.').max(220),
  /** All that match the filters below, instead of `issue`. */
  all: z.literal('yes').optional(),
  sure: z.literal('yes').optional(),
  view: z.string().max(20).optional(),
  query: z.string().max(2_000).optional(),
  range: z.string().max(100).optional(),
  environment: z.string().max(200).optional(),
  sort: z.string().max(20).optional(),
});
export type IssueBulkForm = z.infer<typeof issueBulkForm>;

const seen = { seen_status: z.string().max(20).optional(), seen_at: z.string().max(40).optional() };
const shortText = z.string().max(200, 'Use at most 200 characters.').optional();

export const issueReopenForm = z.object(seen);

export const issueResolveForm = z.object({
  ...seen,
  in: z.enum(['now', 'next_release']).optional(),
  release: shortText,
});
export type IssueResolveForm = z.infer<typeof issueResolveForm>;

export const issueIgnoreForm = z.object({
  ...seen,
  until: z.string('Choose how long to ignore it.').max(20),
  date: shortText,
  count: shortText,
  window: shortText,
  users: shortText,
});
export type IssueIgnoreForm = z.infer<typeof issueIgnoreForm>;
