import { z } from 'zod';
import { collectionArguments } from './collection.ts';
import { incidentSeverities } from './incidents.ts';
import { text } from './limits.ts';

/** Display names; src/core/alerts/messages/ has what each sends. */
export const channelTypeNames = {
  email: 'e-mail',
  webhook: 'webhook',
  slack: 'Slack',
  mattermost: 'Mattermost',
  discord: 'Discord',
  teams: 'Teams',
  ntfy: 'ntfy',
} as const;
export type ChannelType = keyof typeof channelTypeNames;
export const channelTypes = Object.keys(channelTypeNames) as readonly ChannelType[];
/** Events for which rules exist. */
export const ruleKinds = [
  'issue.is_new',
  'issue.came_back',
  'issue.reopened',
  'issue.first_of_release',
  'issue.seen_more_than',
  'deploy.failed',
  'test_run.failed',
  'expiry.ends_within',
  'losses.more_than',
  'release.crash_free_under',
  'monitor.down',
  'monitor.up',
  'monitor.slow',
] as const;
const limitUnits = ['events', 'users', 'percent', 'days'] as const;

export const filterFields = ['project', 'environment', 'level', 'release', 'tag'] as const;
export const filterRelations = ['is', 'is_not', 'contains', 'at_least'] as const;

const filter = z.strictObject({
  field: z.enum(filterFields).describe('What is looked at.'),
  name: text(200).nullish().describe('Of a tag, its name.'),
  is: z.enum(filterRelations).nullish().describe('How it is compared.'),
  value: text(200).describe('With what.'),
});

const limit = z.strictObject({
  count: z.number().positive().max(100_000).describe('So many.'),
  unit: z.enum(limitUnits).nullish().describe('Of what; what is usual where nothing is said.'),
  minutes: z.int().min(5).max(1_440).multipleOf(5).nullish().describe('Within so many minutes.'),
});

const rule = z.strictObject({
  on: z.enum(ruleKinds).describe('What has to happen.'),
  limit: limit.nullish().describe('How much it takes, for what is counted.'),
  name: text(100).nullish().describe('What the rule is called.'),
  filters: z.array(filter).max(20).nullish().describe('All of them have to hold.'),
  fold_over: z.int().min(1).max(100).nullish().describe('More messages than so many in a minute become one.'),
  opens_incident: z
    .enum(incidentSeverities)
    .nullish()
    .describe('How bad the incident is that it opens; none unless said.'),
});

const settings = {
  name: text(100).nullish().describe('What the channel is called.'),
  url: text(2_000).nullish().describe('Where it leads: an address of the web, for all types but email.'),
  to: text(2_000).nullish().describe('Mailboxes with commas between them, for email.'),
  secret: text(200)
    .nullish()
    .describe('By which webhooks are signed: 24 to 64 bytes in base64; made where none is given.'),
  quiet_hours: z
    .string()
    .max(80)
    .nullish()
    .describe('Such as 22:00 to 07:00 Europe/Berlin; UTC without a zone.'),
  rules: z
    .array(rule)
    .max(20)
    .nullish()
    .describe('Of what it is told; without them: an issue is new, an issue came back.'),
};

export const alertChannelRequest = z.looseObject({
  type: z.enum(channelTypes).describe('What kind of channel it is.'),
  ...settings,
  name: text(100).describe('What the channel is called.'),
});
export type AlertChannelRequest = z.infer<typeof alertChannelRequest>;

export const alertChannelChangeRequest = z.looseObject({
  ...settings,
  paused: z.boolean().nullish().describe('Whether nothing leaves by it.'),
  paused_until: z.string().max(40).nullish().describe('When a pause ends by itself.'),
});
export type AlertChannelChangeRequest = z.infer<typeof alertChannelChangeRequest>;

export const alertChannelsQuery = z.looseObject({
  ...collectionArguments(['id', 'name']),
  order: z.enum(['asc', 'desc']).default('asc').describe('Order sort attribute ascending or descending.'),
});

const alertRuleView = z.object({
  rule_id: z.number().int(),
  name: z.string(),
  on: z.enum(ruleKinds),
  sentence: z.string(),
  limit: z.object({ count: z.number(), unit: z.string(), minutes: z.number().int().optional() }).optional(),
  filters: z.array(z.object({ field: z.string(), name: z.string(), is: z.string(), value: z.string() })),
  fold_over: z.number().int(),
  opens_incident: z.enum(incidentSeverities).optional(),
});

const alertChannelView = z.object({
  alert_channel_id: z.number().int(),
  name: z.string(),
  type: z.enum(channelTypes),
  target: z.string(),
  state: z.enum(['on', 'failing', 'paused']),
  state_since: z.string(),
  paused_until: z.string().nullable(),
  quiet_hours: z.string(),
  last_fault: z.string(),
  rules: z.array(alertRuleView),
  created_at: z.string(),
  created_by: z.string(),
});
export type AlertChannelView = z.infer<typeof alertChannelView>;
