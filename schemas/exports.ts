// Schemas of exports: issue states, comments, test runs, bug reports. Files are untrusted input.
import { z } from 'zod';

const count = z.int().min(0);
const resolution = z.discriminatedUnion('in', [
  z.object({ in: z.literal('now') }),
  z.object({ in: z.literal('next_release'), after: z.string().max(250).nullable() }),
  z.object({ in: z.literal('release'), release: z.string().min(1).max(250) }),
]);
const ignore = z.discriminatedUnion('until', [
  z.object({ until: z.literal('forever') }),
  z.object({ until: z.literal('date'), date: z.iso.datetime() }),
  z.object({
    until: z.literal('count'),
    count,
    window: z.number().min(0).nullable(),
    events_before: count,
  }),
  z.object({ until: z.literal('users'), users: count, users_before: count }),
]);
const activityEntry = z.looseObject({ kind: z.string(), actor: z.string().max(250), at: z.iso.datetime() });
const lifecycleFields = {
  /** An event of the issue, to find it elsewhere; null if none is stored. */
  event_id: z.string().nullable().optional(),
  last_seen: z.iso.datetime(),
  activity: z.array(activityEntry),
};

export const exportedIssue = z.discriminatedUnion('status', [
  z.looseObject({ ...lifecycleFields, status: z.literal('resolved'), resolution }),
  z.looseObject({ ...lifecycleFields, status: z.literal('ignored'), ignore }),
  z.looseObject({
    ...lifecycleFields,
    status: z.literal('unresolved'),
    substatus: z.enum(['new', 'ongoing', 'regressed']),
  }),
]);
export type ExportedIssue = z.infer<typeof exportedIssue>;

/** An event of the target issue, and events of the merged ones. */
export const exportedMerge = z.looseObject({
  event_id: z.string().nullable(),
  events: z.array(z.string()).max(100_000),
  actor: z.string().min(1).max(250),
  at: z.iso.datetime(),
});

export const exportedAssignment = z.looseObject({
  event_id: z.string().nullable(),
  to: z.string().min(1).max(250),
  actor: z.string().min(1).max(250),
  at: z.iso.datetime(),
});

export const exportedComment = z.looseObject({
  event_id: z.string().nullable(),
  author: z.string().min(1).max(250),
  at: z.iso.datetime(),
  body: z.string().min(1).max(10_000),
});

const total = z.int().min(0).max(1_000_000_000);
const caseStatus = z.enum(['passed', 'failed', 'skipped']);
const nullableText = z.string().nullable();
const milliseconds = z.number().min(0).max(Number.MAX_SAFE_INTEGER).nullable();
const testCase = z.looseObject({
  case_id: z.string().regex(/^[0-9a-f]{64}$/),
  name: z.string(),
  suite: z.array(z.string()).max(64),
  file: nullableText,
  status: caseStatus,
  kind: z.enum(['failure', 'error']).nullable(),
  duration_ms: milliseconds,
  flaky_rule: z.enum(['same_run', 'across_runs']).nullable(),
  message: nullableText,
  trace: nullableText,
  line: z.int().nullable(),
  raw_status: nullableText,
  retries: z.int().min(0).max(1_000_000),
  configuration: nullableText,
  stdout: nullableText,
  stderr: nullableText,
  attempts: z
    .array(
      z.looseObject({
        status: caseStatus,
        duration_ms: milliseconds,
        message: nullableText,
        trace: nullableText,
      }),
    )
    .max(20),
  steps: z.array(z.looseObject({ name: z.string(), status: caseStatus })).max(20),
  tags: z.array(z.string()).max(50),
  properties: z.array(z.looseObject({ name: z.string(), value: z.string() })).max(50),
});
export type ExportedTestCase = z.infer<typeof testCase>;

const warning = z.union([
  z.object({ code: z.string().max(64), path: z.string().max(2000), message: z.string().max(2000) }),
  z.object({ code: z.string().max(64), message: z.string().max(2000) }),
]);

/** `run` is validated as for any test run. */
export const exportedTestUpload = z.looseObject({
  run: z.looseObject({ created_at: z.iso.datetime() }),
  /** PostgreSQL cannot index longer ones. */
  place: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= 2500, 'It is too long.'),
  shard: z.string().max(100).nullable(),
  commit: z.string().max(100).nullable(),
  environment: z.string().max(100).nullable(),
  suite: z.string().max(250).nullable(),
  format: z.enum(['ctrf', 'junit', 'flat']),
  status: z.enum(['passed', 'failed', 'error', 'empty']),
  tests: total,
  passed: total,
  failed: total,
  errors: total,
  skipped: total,
  flaky: total,
  duration_ms: milliseconds,
  reported: z.record(z.string().max(64), z.number()).nullable(),
  warnings: z.array(warning).max(300),
  created_at: z.iso.datetime(),
  cases: z.array(testCase),
});

/** Its uploads are separate lines. */
export const exportedTestRun = z.looseObject({
  run_key: z.string().min(1).max(250).nullable(),
  created_at: z.iso.datetime(),
});

/** Members that requests do not have; the rest is validated as a request. */
export const exportedFeedback = z.looseObject({
  created_at: z.iso.datetime(),
  domain: z.string().min(1).max(255).nullable(),
  source: z.enum(['api', 'feedback_item', 'user_report']),
  spam: z.boolean(),
  truncated: z.boolean(),
  state: z.enum(['open', 'resolved', 'spam']).optional(),
  state_at: z.iso.datetime().nullable().optional(),
  state_by: z.string().max(250).nullable().optional(),
});
export type ExportedFeedback = z.infer<typeof exportedFeedback>;
