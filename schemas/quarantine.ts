// docs/test-reports.md, "Quarantine"
import { z } from 'zod';
import { dateOrTimestamp, limitedText } from './fields.ts';

export const quarantineReasonMax = 500;

export const quarantineRequest = z.looseObject({
  case_id: limitedText(128).describe('The case_id of a test case.'),
  until: dateOrTimestamp.describe(
    'When it ends, at most 90 days from now: ISO 8601, or seconds or milliseconds since 1970.',
  ),
  reason: limitedText(quarantineReasonMax)
    .refine((value) => value.trim() !== '', { error: 'must be at least 1 character long.' })
    .describe('Why its failures are excused.'),
  issue_id: z.int().min(1).nullish().describe('The issue that the failure is about.'),
});
export type QuarantineRequest = z.infer<typeof quarantineRequest>;

export const quarantineView = z.object({
  quarantine_id: z.number().int(),
  case_id: z.string(),
  name: z.string(),
  suite: z.array(z.string()),
  file: z.string().nullable(),
  reason: z.string(),
  issue_id: z.number().int().nullable(),
  until: z.string(),
  created_at: z.string(),
  created_by: z.string(),
});
export type QuarantineView = z.infer<typeof quarantineView>;
