import { z } from 'zod';
import { collectionArguments, flag, intBetween, limitedText } from './fields.ts';

export const checkedMonitorTypes = ['http', 'keyword', 'tcp', 'dns', 'tls', 'heartbeat', 'cron'] as const;

const dnsRecordTypes = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT'] as const;
export type DnsRecordType = (typeof dnsRecordTypes)[number];

const requestMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type RequestMethod = (typeof requestMethods)[number];
export const requestBodyBytesMax = 64 * 1024;

/** Limits as in `monitor_config` of Sentry check-ins. */
const minutes = intBetween(1, 40_320).nullish();
const runs = intBetween(1, 720).nullish();

const settings = {
  name: limitedText(100).nullish().describe('Name of the monitor.'),
  url: limitedText(2_000).nullish().describe('URL to check, for http and keyword.'),
  method: z.enum(requestMethods).nullish().describe('Request method, for http and keyword; by default GET.'),
  headers: z
    .union([z.string().max(16_384), z.record(z.string().max(100), z.string().max(4_096))])
    .nullish()
    .describe('Request headers: an object, or Name: value, one per line.'),
  body: z
    .string()
    .max(requestBodyBytesMax)
    .nullish()
    .describe('Request body, for POST, PUT, PATCH and DELETE.'),
  host: limitedText(260)
    .nullish()
    .describe('Hostname or IP address with or without a port, for tcp and tls; hostname for dns.'),
  port: intBetween(1, 65_535).nullish().describe('Port of the host; by default 443 for tls.'),
  record: z.enum(dnsRecordTypes).nullish().describe('DNS record type; required for dns.'),
  answers: limitedText(2_000)
    .nullish()
    .describe('Expected DNS records separated by commas; for TXT one per line.'),
  interval: intBetween(10, 86_400).nullish().describe('Check interval in seconds; by default 60.'),
  grace: intBetween(0, 86_400)
    .nullish()
    .describe('Grace period for late calls in seconds, for heartbeat; by default 300.'),
  schedule: limitedText(100)
    .nullish()
    .describe(
      'Schedule of the job, for cron: a crontab, for example 30 2 * * *, or an interval, for example 10 minutes.',
    ),
  timezone: limitedText(100).nullish().describe('Time zone of the schedule, for cron; by default UTC.'),
  checkin_margin: minutes.describe('Check-in margin in minutes, for cron; by default 1.'),
  max_runtime: minutes.describe('Maximum runtime in minutes, for cron; by default 30.'),
  failure_issue_threshold: runs.describe(
    'Consecutive failed runs until the monitor is down, for cron; by default 1.',
  ),
  recovery_threshold: runs.describe(
    'Consecutive successful runs until it is up again, for cron; by default 1.',
  ),
  timeout: intBetween(1, 30).nullish().describe('Timeout of a check in seconds; by default 10.'),
  confirmations: intBetween(1, 10)
    .nullish()
    .describe('Consecutive checks with the same result until the state changes; by default 2.'),
  slow_ms: intBetween(0, 30_000)
    .nullish()
    .describe('Response time in milliseconds above which the monitor is degraded; 0 for no limit.'),
  status: limitedText(200)
    .nullish()
    .describe('Expected statuses, for example 200-299,401; by default 200-299.'),
  contains: limitedText(500).nullish().describe('Text that the response must contain; required for keyword.'),
  lacks: limitedText(500).nullish().describe('Text that the response must not contain.'),
  json_path: limitedText(500).nullish().describe('JSON pointer into the response, for example /status.'),
  json_value: limitedText(500).nullish().describe('Expected value at the JSON pointer, as text.'),
  redirect: limitedText(2_000)
    .nullish()
    .describe('Expected redirect target; by default redirects are followed.'),
  certificate_days: intBetween(0, 365)
    .nullish()
    .describe(
      'Days before the certificate expires from which the monitor is degraded; by default 14, 0 for no limit.',
    ),
  opens_incidents: flag.describe(
    'Whether an incident is opened when the monitor goes down; by default true.',
  ),
  group: limitedText(50).nullish().describe('Group of the monitor.'),
  tags: z.array(limitedText(50)).max(20).nullish().describe('Tags of the monitor.'),
  goal: z.number().min(0).max(100).nullish().describe('SLO target: uptime in percent; by default 99.9.'),
};

export const monitorRequest = z.looseObject({
  type: z.enum(checkedMonitorTypes).describe('Type of the monitor.'),
  ...settings,
  name: limitedText(100).describe('Name of the monitor.'),
  monitor_slug: limitedText(50)
    .nullish()
    .describe('Monitor slug in check-ins, for cron; by default made from the name.'),
  environment: limitedText(64).nullish().describe('Environment of the job, for cron; by default production.'),
});
export type MonitorRequest = z.infer<typeof monitorRequest>;

export const monitorChangeRequest = z.looseObject({
  ...settings,
  paused: flag.describe('Whether the monitor is paused.'),
  paused_until: z.string().max(40).nullish().describe('When the pause ends automatically.'),
  new_address: flag.describe('Whether to create a new heartbeat URL; the old one stops working.'),
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

export const monitorView = z.object({
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
