// docs/bug-reports.md. Includes field names of other clients.
import { z } from 'zod';
import {
  collectionArguments,
  eventIdPattern,
  limitedText,
  metadataBytesMax,
  metadataKeysMax,
  tooLongMessage,
  tooManyPropertiesMessage,
  urlCharactersMax,
} from './fields.ts';

const categories = ['bug', 'idea', 'question', 'other'] as const;
export const feedbackStates = ['open', 'resolved', 'spam'] as const;
const severities = ['low', 'medium', 'high'] as const;
export const messageCharactersMax = 4096;
export const consoleLinesMax = 100;
export const consoleCharactersMax = 1000;
const tagsMax = 50;

/** An empty option of a form counts as absent. */
const mayBeBlank = { nullIsAbsent: true };

/** Multipart forms send objects as JSON text. */
const asJson = <Inner extends z.ZodType>(inner: Inner, description: string) =>
  z
    .unknown()
    .transform((value, context) => {
      if (typeof value !== 'string') return value;
      try {
        return JSON.parse(value) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'is not valid JSON.' });
        return z.NEVER;
      }
    })
    .pipe(inner)
    .nullish()
    .describe(`${description} In a form: as JSON text.`);

type Scalar = string | number | boolean | null;
interface RecordLimits {
  readonly nameCharactersMax: number;
  readonly valueCharactersMax: number;
  readonly bytesMax: number;
}

/** Not `z.record`, which drops names such as `__proto__`. */
function scalarRecord(namesMax: number, limits: RecordLimits) {
  return z
    .custom<Record<string, Scalar>>(
      (value) => typeof value === 'object' && value !== null && (!Array.isArray(value) || value.length === 0),
      { error: 'is not of type object.', params: { code: 'rest_invalid_type' } },
    )
    .refine((value) => Object.keys(value).length <= namesMax, {
      error: tooManyPropertiesMessage(namesMax),
      params: { code: 'rest_too_many_properties' },
      // Do not check half a million names individually.
      abort: true,
    })
    .refine((value) => Object.values(value).every((each) => each === null || typeof each !== 'object'), {
      error: 'must contain only strings, numbers and booleans.',
    })
    .refine((value) => Object.entries(value).every(([name, each]) => isWithinLimits(name, each, limits)), {
      error: `must have names of at most ${limits.nameCharactersMax} and strings of at most ${limits.valueCharactersMax} characters.`,
    })
    .refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= limits.bytesMax, {
      error: tooLongMessage(limits.bytesMax, 'bytes'),
    });
}

function isWithinLimits(name: string, value: Scalar, limits: RecordLimits): boolean {
  const isShort = (limitedText: string, charactersMax: number) =>
    limitedText.length <= charactersMax ||
    (limitedText.length <= 2 * charactersMax && [...limitedText].length <= charactersMax);
  // Non-scalars were refused already; String() could throw for them.
  const limitedText = typeof value === 'object' ? '' : String(value);
  return isShort(name, limits.nameCharactersMax) && isShort(limitedText, limits.valueCharactersMax);
}

const eventId = z
  .string()
  .regex(new RegExp(eventIdPattern))
  .nullish()
  .meta({ wordpress: { type: 'string', pattern: eventIdPattern }, nullIsAbsent: true });
const number = z.number().min(0).max(100_000);

export const screenshotField = z.looseObject({
  content_type: z.string().max(100).nullish(),
  data: z.string(),
  name: z.string().max(255).nullish(),
});

export const consoleLine = z.looseObject({
  level: z.string().max(20).nullish(),
  message: z.string().nullish(),
  timestamp: z.union([z.string().max(64), z.number()]).nullish(),
});
export type ConsoleLine = z.infer<typeof consoleLine>;

export const feedbackRequest = z.looseObject({
  message: z
    .string()
    .nullish()
    .describe('Message of the visitor: 1 to 4096 characters; longer messages are truncated.'),
  comments: z.string().nullish().describe('Alias of message.'),
  description: z.string().nullish().describe('Alias of message.'),
  name: limitedText(128).nullish().describe('Name of the visitor.'),
  email: limitedText(254).nullish().describe('E-mail address of the visitor; an invalid one is ignored.'),
  contact_email: limitedText(254).nullish().describe('Alias of email.'),
  url: limitedText(urlCharactersMax).nullish().describe('URL of the page.'),
  domain: limitedText(255).nullish().describe('Hostname of the page, if no other field or header has it.'),
  event_id: eventId.describe('ID of the event that the report is about.'),
  associated_event_id: eventId.describe('Alias of event_id.'),
  category: z.enum(categories).nullish().meta(mayBeBlank).describe('bug, idea, question or other.'),
  severity: z.enum(severities).nullish().meta(mayBeBlank).describe('low, medium or high.'),
  release: limitedText(200).nullish().describe('Release of the application.'),
  environment: limitedText(64).nullish().describe('Environment, for example production.'),
  user_agent: limitedText(512)
    .nullish()
    .describe('User agent of the browser; by default the User-Agent header.'),
  locale: limitedText(35).nullish().describe('Locale of the visitor.'),
  viewport: asJson(
    z.looseObject({ width: number, height: number, dpr: number.nullish() }),
    'width, height and dpr of the browser window.',
  ),
  console: asJson(z.array(consoleLine).max(10_000), 'Console messages; the last 100 are stored.'),
  tags: asJson(
    scalarRecord(tagsMax, { nameCharactersMax: 32, valueCharactersMax: 200, bytesMax: 65_536 }),
    'At most 50 names and values.',
  ),
  metadata: asJson(
    scalarRecord(metadataKeysMax, {
      nameCharactersMax: 200,
      valueCharactersMax: metadataBytesMax,
      bytesMax: metadataBytesMax,
    }),
    'At most 50 scalars, 16 KiB as JSON.',
  ),
  screenshots: asJson(
    z.array(screenshotField).max(3),
    'At most 3 PNG, JPEG or WebP images, base64 or data: URL.',
  ),
  contexts: z.unknown().describe('contexts.feedback of the Sentry protocol is accepted as well.').optional(),
  sdk: z
    .looseObject({ name: limitedText(64).nullish(), version: limitedText(64).nullish() })
    .nullish()
    .describe('Name and version of the SDK.'),
  website: z.string().nullish().describe('Honeypot field; leave it empty.'),
});
export type FeedbackRequest = z.infer<typeof feedbackRequest>;

export const feedbackFiles = z.object({
  screenshot: z.file().describe('A PNG, JPEG or WebP image.').optional(),
  'screenshots[]': z.array(z.file()).max(3).describe('At most 3 images in all.').optional(),
});

export const feedbackQuery = z.looseObject({
  ...collectionArguments(['date']),
  spam: z.boolean().default(false).describe('Limit results to spam.'),
  state: z.enum(feedbackStates).describe('Limit results to this state; spam is then not needed.').optional(),
  event_id: z.string().max(36).describe('Limit results to reports of this event.').optional(),
  issue_id: z.int().min(1).describe('Limit results to reports of this issue.').optional(),
  domain: z.string().max(255).describe('Limit results to reports from this domain.').optional(),
  category: z.enum(categories).describe('Limit results to this category.').optional(),
});

const state = z.enum(feedbackStates).describe('The new state of the bug report.');
export const feedbackChangeRequest = z.looseObject({ state });

export const feedbackBulkRequest = z.looseObject({
  ids: z.array(z.int().min(1)).min(1).max(100).describe('IDs of the bug reports to change.'),
  state,
});

export const feedbackBulkView = z.object({
  changed: z.array(z.number().int()).readonly(),
  /** They had this state already. */
  unchanged: z.array(z.number().int()).readonly(),
  not_found: z.array(z.number().int()).readonly(),
});
export type FeedbackBulkView = z.infer<typeof feedbackBulkView>;

export type FeedbackQuery = z.infer<typeof feedbackQuery>;

export const feedbackResponse = z.object({
  accepted: z.literal(true),
  feedback_id: z.number().int(),
  event_id: z.string().optional(),
  issue_id: z.number().int().optional(),
  truncated: z.literal(true).optional(),
  warnings: z.array(z.object({ code: z.string(), field: z.string(), message: z.string() })).optional(),
});
export type FeedbackResponse = z.infer<typeof feedbackResponse>;
export type FeedbackWarning = NonNullable<FeedbackResponse['warnings']>[number];

/** Lists omit console, metadata and screenshots. */
export const feedbackView = z.object({
  feedback_id: z.number().int(),
  message: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  url: z.string().nullable(),
  domain: z.string().nullable(),
  event_id: z.string().nullable(),
  issue_id: z.number().int().nullable(),
  category: z.string().nullable(),
  severity: z.string().nullable(),
  release: z.string().nullable(),
  environment: z.string().nullable(),
  user_agent: z.string().nullable(),
  locale: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
  source: z.string(),
  state: z.enum(feedbackStates),
  spam: z.boolean(),
  truncated: z.boolean(),
  screenshot_count: z.number().int(),
  created_at: z.string(),
});
export type FeedbackView = z.infer<typeof feedbackView>;

export const feedbackDetails = feedbackView.extend({
  viewport: z.unknown(),
  console: z.unknown(),
  metadata: z.unknown(),
  screenshots: z.array(
    z.object({
      url: z.string(),
      content_type: z.string(),
      width: z.number().int(),
      height: z.number().int(),
      size: z.number().int(),
      name: z.string().nullable(),
    }),
  ),
});
