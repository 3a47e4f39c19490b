// Events after normalization (docs/events.md, "Fields").
import { z } from 'zod';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export const levels = ['debug', 'info', 'warning', 'error', 'fatal'] as const;
export type Level = (typeof levels)[number];

export const stackFrame = z.looseObject({
  function: z.string().optional(),
  raw_function: z.string().optional(),
  filename: z.string().optional(),
  abs_path: z.string().optional(),
  module: z.string().optional(),
  package: z.string().optional(),
  platform: z.string().optional(),
  lineno: z.number().optional(),
  colno: z.number().optional(),
  pre_context: z.array(z.string()).optional(),
  context_line: z.string().optional(),
  post_context: z.array(z.string()).optional(),
  in_app: z.boolean().optional(),
});
export type StackFrame = z.infer<typeof stackFrame>;

const stacktrace = z.looseObject({ frames: z.array(stackFrame) });
export type Stacktrace = z.infer<typeof stacktrace>;

export const exceptionValue = z.looseObject({
  type: z.string().optional(),
  value: z.string().optional(),
  module: z.string().optional(),
  thread_id: z.union([z.string(), z.number()]).optional(),
  mechanism: z.looseObject({ type: z.string().optional() }).optional(),
  stacktrace: stacktrace.optional(),
  raw_stacktrace: stacktrace.optional(),
});
export type ExceptionValue = z.infer<typeof exceptionValue>;

/** Invalid values that were removed from an event, shown with it (docs/events.md). */
export const eventError = z.object({ type: z.string(), name: z.string(), value: z.unknown().optional() });
export type EventError = z.infer<typeof eventError>;

export const normalizedEvent = z.looseObject({
  event_id: z.string().regex(/^[0-9a-f]{32}$/),
  timestamp: z.string(),
  level: z.enum(levels),
  platform: z.string(),
  logger: z.string().optional(),
  transaction: z.string().optional(),
  server_name: z.string().optional(),
  release: z.string().optional(),
  dist: z.string().optional(),
  environment: z.string().optional(),
  logentry: z
    .looseObject({
      message: z.string().optional(),
      formatted: z.string().optional(),
      params: z.unknown().optional(),
    })
    .optional(),
  exception: z.object({ values: z.array(exceptionValue) }).optional(),
  threads: z.object({ values: z.array(z.looseObject({ stacktrace: stacktrace.optional() })) }).optional(),
  breadcrumbs: z.object({ values: z.array(z.looseObject({})) }).optional(),
  tags: z.array(z.tuple([z.string(), z.string()])).optional(),
  user: z.looseObject({ id: z.string().optional() }).optional(),
  request: z.looseObject({ url: z.string().optional() }).optional(),
  // A context with a sensitive name is redacted as a whole.
  contexts: z.record(z.string(), z.union([z.looseObject({}), z.literal('[Filtered]')])).optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
  fingerprint: z.array(z.string()).optional(),
  sdk: z.looseObject({ name: z.string().optional(), version: z.string().optional() }).optional(),
  modules: z.record(z.string(), z.string()).optional(),
  debug_meta: z.looseObject({}).optional(),
  type: z.string().optional(),
  errors: z.array(eventError).optional(),
});
/** Known fields have their types, unknown fields are kept. */
export type NormalizedEvent = z.infer<typeof normalizedEvent>;

export const groupingView = z.object({
  algorithm: z.string(),
  source: z.string(),
  parts: z.array(z.string()),
  notes: z.array(z.string()),
});

export const eventSummaryView = z.object({
  event_id: z.string(),
  issue_id: z.number().int(),
  title: z.string(),
  culprit: z.string(),
  level: z.enum(levels),
  platform: z.string(),
  release: z.string().nullable(),
  dist: z.string().nullable(),
  environment: z.string().nullable(),
  received: z.string(),
  timestamp: z.string(),
  sdk: z.object({ name: z.string(), version: z.string().nullable() }).nullable(),
  domain: z.string().nullable(),
  scrubbed: z.number().int(),
});
export type EventSummaryView = z.infer<typeof eventSummaryView>;

/** The normalized event, then what the server knows of it. */
export const eventView = normalizedEvent.extend({
  ...eventSummaryView.omit({ timestamp: true, sdk: true }).shape,
  grouping: groupingView,
  errors: z.array(eventError),
  needs_mapping: z.boolean(),
  attachments: z.array(
    z.object({
      attachment_id: z.number().int(),
      filename: z.string(),
      content_type: z.string().nullable(),
      attachment_type: z.string().nullable(),
      size: z.number().int(),
      sha256: z.string(),
      url: z.string(),
    }),
  ),
  older_event_id: z.string().nullable(),
  newer_event_id: z.string().nullable(),
});

export const plainBody = z.string();
export const binaryBody = z.file();
export const anyJson = z.unknown();
