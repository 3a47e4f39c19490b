// docs/personal-data.md
import { z } from 'zod';
import { eventSummaryView } from './event.ts';
import { feedbackView } from './feedback.ts';
import { collectionArguments } from './fields.ts';
import { issueView } from './issues.ts';

const { page, per_page } = collectionArguments(['last_seen']);

export const userQueryCharactersMax = 300;

export const userExportQuery = z.looseObject({
  before: z
    .string()
    .max(40)
    .describe('Value of next in an earlier export, for the events after it.')
    .optional(),
});

export const usersQuery = z.looseObject({
  page,
  per_page,
  query: z
    .string()
    .trim()
    .min(1)
    .max(userQueryCharactersMax)
    .describe('The whole id, e-mail address, user name or IP address of a user.'),
});

export const userView = z.object({
  user_hash: z.string(),
  id: z.string().nullable(),
  email: z.string().nullable(),
  username: z.string().nullable(),
  name: z.string().nullable(),
  ip_address: z.string().nullable(),
  events: z.number().int(),
  events_capped: z.boolean(),
  first_seen: z.string().nullable(),
  last_seen: z.string().nullable(),
});
export type UserView = z.infer<typeof userView>;

export const issueUsersQuery = z.looseObject({ page, per_page });

export const issueUserView = userView
  .omit({ events_capped: true, first_seen: true })
  .extend({ events: z.number().int().describe('Of the newest 10,000 events of the issue.') });
export type IssueUserView = z.infer<typeof issueUserView>;

const counted = z.array(z.object({ value: z.string(), events: z.number().int() }));

export const userDetails = userView.extend({
  issues: z.array(issueView.extend({ user_events: z.number().int(), user_last_seen: z.string().nullable() })),
  issues_total: z.number().int(),
  latest_events: z.array(eventSummaryView),
  feedback: z.array(feedbackView),
  days: z.array(z.object({ from: z.string(), events: z.number().int() })),
  seen_with: z.object({
    of_events: z.number().int(),
    browser: counted,
    os: counted,
    release: counted,
    environment: counted,
  }),
});

export const userExport = z.object({
  exported_at: z.string(),
  user: userView,
  events: z.array(z.looseObject({ issue_id: z.number().int(), received: z.string() })),
  feedback: z.array(feedbackView),
  status_page_subscriptions: z.array(
    z.object({ status_page_id: z.number().int(), address: z.string(), subscribed_at: z.string().nullable() }),
  ),
  next: z.string().nullable(),
});
