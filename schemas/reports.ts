import { z } from 'zod';
import { collectionArguments, limitedText } from './fields.ts';

const reportKinds = ['week', 'month'] as const;

export const reportRequest = z.looseObject({
  period: limitedText(20).describe('A completed week or month in UTC, for example 2026-W47 or 2026-11.'),
});

export const reportsQuery = z.looseObject({
  ...collectionArguments(['date', 'id']),
  kind: z.enum(reportKinds).nullish().describe('Limit results to weekly or monthly reports.'),
});

const share = z.number().nullable();

const sums = z.object({
  /** Over all monitors; null if none was active. */
  availability: share,
  incidents: z.number(),
  /** Mean time to acknowledge; null if none was acknowledged. */
  acknowledge_ms: z.number().nullable(),
  /** Mean time to resolve; null if none was resolved. */
  recover_ms: z.number().nullable(),
  events: z.number(),
  new_issues: z.number(),
  resolved_issues: z.number(),
  regressed_issues: z.number(),
  feedback: z.number(),
  sessions: z.number(),
  crash_free_share: share,
  /** Share of received events that were not stored; null if nothing was received. */
  sent: z.number(),
  lost_share: share,
  test_runs: z.number(),
  passed_share: share,
});
export type ReportTotals = z.infer<typeof sums>;

export const reportHead = z.object({
  report_id: z.number().int(),
  period: z.string(),
  kind: z.enum(reportKinds),
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
  kind: z.enum(reportKinds).describe('Whether the report is weekly or monthly.'),
  at: at.nullish(),
  timezone: timezone.nullish(),
});
export type ReportScheduleRequest = z.infer<typeof reportScheduleRequest>;

export const reportScheduleChangeRequest = z.looseObject({ at: at.nullish(), timezone: timezone.nullish() });
export type ReportScheduleChangeRequest = z.infer<typeof reportScheduleChangeRequest>;

export const reportSchedulesQuery = z.looseObject(collectionArguments(['id', 'date']));

export const reportSchedule = z.object({
  report_schedule_id: z.number().int(),
  alert_channel_id: z.number().int(),
  kind: z.enum(reportKinds),
  at: z.string(),
  timezone: z.string(),
  next_at: z.string(),
  created_at: z.string(),
  created_by: z.string(),
});
export type ReportScheduleView = z.infer<typeof reportSchedule>;

const count = z.number().int();
const inProject = { project_id: count, project: z.string() };

/** The report itself. Texts of what was deleted since are null. */
export const reportView = reportHead.extend({
  sums_before: sums.nullable(),
  errors: z.object({
    bar_hours: z.number(),
    bars: z.array(
      z.object({ at: z.string(), fatal: count, error: count, warning: count, info: count, debug: count }),
    ),
    weekday_hours: z.array(z.array(count)),
  }),
  projects: z.array(
    z.object({
      project_id: count,
      name: z.string(),
      events: count,
      events_before: count.nullable(),
      users: count.nullable(),
      users_or_more: z.boolean(),
      new_issues: count,
      resolved_issues: count,
      regressed_issues: count,
    }),
  ),
  top_issues: z.array(
    z.object({
      issue_id: count,
      ...inProject,
      title: z.string().nullable(),
      culprit: z.string().nullable(),
      level: z.string(),
      events: count,
    }),
  ),
  monitors: z.array(
    z.object({
      project_id: count.nullable(),
      slug: z.string(),
      name: z.string(),
      uptime: share,
      down_ms: z.number(),
      budget: z.object({ goal: z.number(), allowed_ms: z.number(), used_ms: z.number(), share }),
    }),
  ),
  incidents: z.array(
    z.object({
      incident_id: count,
      title: z.string().nullable(),
      severity: z.string(),
      state: z.string(),
      project: z.looseObject({}).nullable(),
      started_at: z.string(),
      resolved_at: z.string().nullable(),
      planned_end_at: z.string().nullable(),
      lasted_ms: z.number(),
      is_over: z.boolean(),
      /** Reports kept by an older program do not have it. */
      is_canceled: z.boolean().optional(),
      cause: z.string(),
      affects: z.array(z.string()),
      linked: z.array(z.string()),
      has_post_mortem: z.boolean(),
    }),
  ),
  releases: z.array(
    z.object({
      release_id: count,
      ...inProject,
      version: z.string(),
      created_at: z.string(),
      new_issues: count,
      regressed_issues: count,
      was_taken_back: z.boolean(),
    }),
  ),
  releases_in_all: count,
  deploys: z.object({ all: count, failed: count, taken_back: count }),
  tests: z.array(z.object({ ...inProject, runs: count, failed_runs: count, passed_share: share })),
  troubled_tests: z.array(z.object({ project_id: count, name: z.string(), file: z.string().nullable() })),
  ending: z.array(
    z.object({
      what: z.enum(['certificate', 'proof']),
      project_id: count.nullable(),
      name: z.string(),
      path: z.string(),
      ends_at: z.string().nullable(),
      state: z.string().nullable(),
      error: z.string().nullable(),
    }),
  ),
  alerts: z.array(z.object({ channel_id: count, name: z.string().nullable(), sent: count, arrived: count })),
});
