// docs/bug-reports.md, "Verifying an SDK".
import { z } from 'zod';
import { eventIdPattern, limitedText, urlCharactersMax } from './fields.ts';

const notBlank = (value: string) => value.trim() !== '';
const blank = { error: 'must be at least 1 character long.', params: { code: 'rest_too_short' } };

export const sdkVerifyRequest = z.looseObject({
  sdk: z
    .looseObject({
      name: limitedText(64).refine(notBlank, blank),
      version: limitedText(64).refine(notBlank, blank),
    })
    .describe('Name and version of the running SDK.'),
  url: limitedText(urlCharactersMax)
    .nullish()
    .describe('URL of the page; this, domain or the Origin header is required.'),
  domain: limitedText(255).nullish().describe('Hostname of the page.'),
  environment: limitedText(64).nullish().describe('Environment, for example production.'),
  release: limitedText(200).nullish().describe('Release of the application.'),
  platform: limitedText(64).nullish().describe('Platform, for example javascript.'),
  event_id: z
    .string()
    .regex(new RegExp(eventIdPattern))
    .nullish()
    .meta({ wordpress: { type: 'string', pattern: eventIdPattern }, nullIsAbsent: true })
    .describe('ID of an event to look up.'),
  sent_at: z
    .union([limitedText(64), z.number()])
    .nullish()
    .describe('Current time of the SDK.'),
  etag: limitedText(64)
    .nullish()
    .describe('The etag of the last response; if nothing changed, the response is short.'),
});
export type SdkVerifyRequest = z.infer<typeof sdkVerifyRequest>;

const checkCodes = [
  'origin_matches_domain',
  'domain_known',
  'sdk_version_supported',
  'event_received',
] as const;

/** `ok` is null if there was nothing to check. */
const verifyCheck = z.object({ code: z.enum(checkCodes), ok: z.boolean().nullable() });

const featureFlags = z.object({
  errors: z.boolean(),
  envelope: z.boolean(),
  bug_reports: z.boolean(),
  source_maps: z.boolean(),
  releases: z.boolean(),
  test_runs: z.boolean(),
  sampling: z.number(),
});
export type FeatureFlags = z.infer<typeof featureFlags>;

const seenSdk = z.object({
  name: z.string(),
  version: z.string(),
  events: z.number().int(),
  first_seen_at: z.string(),
  last_seen_at: z.string(),
});

/** `sent` is the sum of the others. No reasons: clients write them, and the key is public. */
const sentHour = z.object({
  hour: z.string(),
  sent: z.number().int(),
  accepted: z.number().int(),
  duplicate: z.number().int(),
  filtered: z.number().int(),
  rate_limited: z.number().int(),
  invalid: z.number().int(),
  failed: z.number().int(),
  client_discard: z.number().int(),
});

export const sdkVerifyResponse = z.object({
  accepted: z.literal(true),
  verified: z.boolean(),
  verification_id: z.string(),
  server_time: z.string(),
  ttl: z.number().int(),
  etag: z.string(),
  project: z.object({ id: z.number().int(), slug: z.string() }),
  domain: z.object({
    name: z.string().nullable(),
    known: z.boolean(),
    verified: z.boolean(),
    verification_id: z.string().optional(),
  }),
  flags: featureFlags,
  stats: z.object({
    events_total: z.number().int(),
    events_24h: z.number().int(),
    issues_open: z.number().int(),
    first_event_at: z.string().nullable(),
    last_event_at: z.string().nullable(),
    last_event_id: z.string().nullable(),
    sdk_first_seen_at: z.string().nullable(),
    sdk_last_seen_at: z.string().nullable(),
    sdks: z.array(seenSdk),
    verifications: z.number().int(),
    hours: z.array(sentHour),
  }),
  checks: z.array(verifyCheck),
});
export const sdkVerifyUnchanged = sdkVerifyResponse
  .pick({ accepted: true, verified: true, verification_id: true, server_time: true, ttl: true, etag: true })
  .extend({ not_modified: z.literal(true) });
export type SdkVerifyResponse = z.infer<typeof sdkVerifyResponse>;
