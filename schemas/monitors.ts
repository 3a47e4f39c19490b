import { z } from 'zod';
import { collectionArguments } from './collection.ts';
import { text } from './limits.ts';

export const askedTypes = ['http', 'keyword', 'tcp', 'dns', 'tls', 'heartbeat', 'cron'] as const;

const recordKinds = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT'] as const;
export type RecordKind = (typeof recordKinds)[number];

const askingMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type AskingMethod = (typeof askingMethods)[number];
export const askingBodyBytesMax = 64 * 1024;

/** Limits as in `monitor_config` of Sentry check-ins. */
const minutes = z.int().min(1).max(40_320).nullish();
const runs = z.int().min(1).max(720).nullish();

const settings = {
  name: text(100).nullish().describe('What the monitor is called.'),
  url: text(2_000).nullish().describe('What is asked, for http and keyword: an address of the web.'),
  method: z.enum(askingMethods).nullish().describe('By which a page is asked; GET unless said.'),
  headers: z
    .union([z.string().max(16_384), z.record(z.string().max(100), z.string().max(4_096))])
    .nullish()
    .describe('Headers that a page is asked with: an object, or Name: value, one a line.'),
  body: z
    .string()
    .max(askingBodyBytesMax)
    .nullish()
    .describe('What is sent, for POST, PUT, PATCH and DELETE.'),
  host: text(260)
    .nullish()
    .describe('What is asked, for tcp and tls a name or an address, with or without a port; for dns a name.'),
  port: z.int().min(1).max(65_535).nullish().describe('Of a host, its port; for tls 443 unless said.'),
  record: z.enum(recordKinds).nullish().describe('Of a name, the kind of record; needed for dns.'),
  answers: text(2_000)
    .nullish()
    .describe('The records that a name must have, with commas between them, for TXT one a line.'),
  interval: z
    .int()
    .min(10)
    .max(86_400)
    .nullish()
    .describe('Seconds from one check to the next; 60 unless said.'),
  grace: z
    .int()
    .min(0)
    .max(86_400)
    .nullish()
    .describe('Seconds that a call may be late, for heartbeat; 300 unless said.'),
  schedule: text(100)
    .nullish()
    .describe('When a job is to run, for cron: a crontab such as 30 2 * * *, or such as 10 minutes.'),
  timezone: text(100).nullish().describe('By which clock, for cron; UTC unless said.'),
  checkin_margin: minutes.describe('Minutes that a run may begin late, for cron; 1 unless said.'),
  max_runtime: minutes.describe('Minutes that a run may take, for cron; 30 unless said.'),
  failure_issue_threshold: runs.describe('Bad runs one after the other that make it down; 1 unless said.'),
  recovery_threshold: runs.describe('Good runs one after the other that end that; 1 unless said.'),
  timeout: z.int().min(1).max(30).nullish().describe('Seconds that a check may take; 10 unless said.'),
  confirmations: z
    .int()
    .min(1)
    .max(10)
    .nullish()
    .describe('Checks one after the other that must say the same before the state changes; 2 unless said.'),
  slow_ms: z
    .int()
    .min(0)
    .max(30_000)
    .nullish()
    .describe('An answer that takes longer is degraded; 0 is no limit.'),
  status: text(200).nullish().describe('Statuses that are good, such as 200-299,401; 200-299 unless said.'),
  contains: text(500).nullish().describe('What the answer has to say; needed for keyword.'),
  lacks: text(500).nullish().describe('What the answer must not say.'),
  json_path: text(500).nullish().describe('A JSON pointer into the answer, such as /status.'),
  json_value: text(500).nullish().describe('What stands there, as text.'),
  redirect: text(2_000)
    .nullish()
    .describe('Where the answer has to redirect to; redirects are followed unless said.'),
  certificate_days: z
    .int()
    .min(0)
    .max(365)
    .nullish()
    .describe('A certificate that ends sooner is degraded; 14 unless said, 0 is no limit.'),
  opens_incidents: z.boolean().nullish().describe('Whether going down opens an incident; true unless said.'),
  group: text(50).nullish().describe('With what it is listed.'),
  tags: z.array(text(50)).max(20).nullish().describe('Words to find it by.'),
  goal: z
    .number()
    .min(0)
    .max(100)
    .nullish()
    .describe('Percent of the time that it is to be up; 99.9 unless said.'),
};

export const monitorRequest = z.looseObject({
  type: z.enum(askedTypes).describe('What kind of monitor it is.'),
  ...settings,
  name: text(100).describe('What the monitor is called.'),
  monitor_slug: text(50)
    .nullish()
    .describe('What the check-ins of a job call it, for cron; the name unless said.'),
  environment: text(64).nullish().describe('Where the job runs, for cron; production unless said.'),
});
export type MonitorRequest = z.infer<typeof monitorRequest>;

export const monitorChangeRequest = z.looseObject({
  ...settings,
  paused: z.boolean().nullish().describe('Whether nothing is asked.'),
  paused_until: z.string().max(40).nullish().describe('When a pause ends by itself.'),
  new_address: z.boolean().nullish().describe('Whether a heartbeat is called elsewhere from now on.'),
});
export type MonitorChangeRequest = z.infer<typeof monitorChangeRequest>;

export const monitorsQuery = z.looseObject({
  ...collectionArguments(['id', 'name']),
  order: z.enum(['asc', 'desc']).default('asc').describe('Order sort attribute ascending or descending.'),
});

const checkView = z.object({
  at: z.string(),
  result: z.enum(['up', 'degraded', 'down']),
  code: z.string(),
  duration_ms: z.number().int().nullable(),
  message: z.string(),
});

const monitorView = z.object({
  monitor_id: z.number().int(),
  slug: z.string(),
  name: z.string(),
  type: z.string(),
  target: z.string(),
  expects: z.string(),
  method: z.string().optional(),
  header_names: z.array(z.string()).optional(),
  body_bytes: z.number().int().optional(),
  interval: z.number(),
  timeout: z.number(),
  confirmations: z.number().int(),
  slow_ms: z.number().int(),
  certificate_days: z.number().int(),
  opens_incidents: z.boolean(),
  grace: z.number().optional(),
  monitor_slug: z.string().optional(),
  environment: z.string().optional(),
  schedule: z.string().optional(),
  timezone: z.string().optional(),
  checkin_margin: z.number().optional(),
  max_runtime: z.number().optional(),
  failure_issue_threshold: z.number().optional(),
  recovery_threshold: z.number().optional(),
  group: z.string(),
  tags: z.array(z.string()),
  goal: z.number(),
  state: z.enum(['pending', 'up', 'degraded', 'down', 'maintenance', 'paused']),
  state_since: z.string(),
  paused_until: z.string().nullable(),
  reason: z.string(),
  last_check: checkView.nullable(),
  next_check_at: z.string().nullable(),
  certificate_ends_at: z.string().nullable(),
  median_ms: z.number().int().nullable(),
  p95_ms: z.number().int().nullable(),
  created_at: z.string(),
  created_by: z.string(),
});
export type MonitorView = z.infer<typeof monitorView>;
