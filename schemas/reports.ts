import { z } from 'zod';
import { collectionArguments } from './collection.ts';
import { limitedText } from './fields.ts';

const kinds = ['week', 'month'] as const;

export const reportRequest = z.looseObject({
  period: limitedText(20).describe('A completed week or month in UTC, for example 2026-W47 or 2026-11.'),
});

export const reportsQuery = z.looseObject({
  ...collectionArguments(['date', 'id']),
  kind: z.enum(kinds).nullish().describe('Limit results to weekly or monthly reports.'),
});

const share = z.number().nullable();

const sums = z.object({
  availability: share,
  incidents: z.number(),
  acknowledge_ms: z.number().nullable(),
  recover_ms: z.number().nullable(),
  events: z.number(),
  new_issues: z.number(),
  resolved_issues: z.number(),
  regressed_issues: z.number(),
  feedback: z.number(),
  sessions: z.number(),
  crash_free_share: share,
  sent: z.number(),
  lost_share: share,
  test_runs: z.number(),
  passed_share: share,
});

const reportHead = z.object({
  report_id: z.number().int(),
  period: z.string(),
  kind: z.enum(kinds),
  from: z.string(),
  to: z.string(),
  made_at: z.string(),
  made_by: z.string(),
  sums,
});
export type ReportHeadView = z.infer<typeof reportHead>;

const at = z
  .string()
  .refine(
    (limitedText) => /^([01]\d|2[0-3]):[0-5]\d$/.test(limitedText),
    'must be a time of day, for example 08:00.',
  )
  .describe('Time on the first day after the period; by default 08:00.');
const timezone = limitedText(64).describe('Time zone, for example Europe/Berlin; by default UTC.');

export const reportScheduleRequest = z.looseObject({
  alert_channel_id: z.int().min(1).describe('ID of the e-mail alert channel that receives the report.'),
  kind: z.enum(kinds).describe('Whether the report is weekly or monthly.'),
  at: at.nullish(),
  timezone: timezone.nullish(),
});
export type ReportScheduleRequest = z.infer<typeof reportScheduleRequest>;

export const reportScheduleChangeRequest = z.looseObject({ at: at.nullish(), timezone: timezone.nullish() });
export type ReportScheduleChangeRequest = z.infer<typeof reportScheduleChangeRequest>;

export const reportSchedulesQuery = z.looseObject(collectionArguments(['id', 'date']));

const reportSchedule = z.object({
  report_schedule_id: z.number().int(),
  alert_channel_id: z.number().int(),
  kind: z.enum(kinds),
  at: z.string(),
  timezone: z.string(),
  next_at: z.string(),
  created_at: z.string(),
  created_by: z.string(),
});
export type ReportScheduleView = z.infer<typeof reportSchedule>;
