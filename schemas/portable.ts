// What people said of issues, as an export has it: read with care, since a file may come from anywhere.
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
const act = z.looseObject({ kind: z.string(), actor: z.string().max(250), at: z.iso.datetime() });
const life = {
  /** An event of the issue, by which it is known elsewhere; null where none of its own is stored. */
  event_id: z.string().nullable().optional(),
  last_seen: z.iso.datetime(),
  activity: z.array(act),
};

/** The state of an issue: each status with what belongs to it, and with nothing else. */
export const exportedIssue = z.discriminatedUnion('status', [
  z.looseObject({ ...life, status: z.literal('resolved'), resolution }),
  z.looseObject({ ...life, status: z.literal('ignored'), ignore }),
  z.looseObject({
    ...life,
    status: z.literal('unresolved'),
    substatus: z.enum(['new', 'ongoing', 'regressed']),
  }),
]);
export type ExportedIssue = z.infer<typeof exportedIssue>;

/** A merge that holds: events of the issues that were moved, and of the one that they were moved to. */
export const exportedMerge = z.looseObject({
  event_id: z.string().nullable(),
  events: z.array(z.string()).max(100_000),
  actor: z.string().min(1).max(250),
  at: z.iso.datetime(),
});

/** A comment; `event_id` is an event of the issue that it was written on. */
export const exportedComment = z.looseObject({
  event_id: z.string().nullable(),
  author: z.string().min(1).max(250),
  at: z.iso.datetime(),
  body: z.string().min(1).max(10_000),
});
