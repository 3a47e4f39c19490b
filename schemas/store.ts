// POST /store. Only the two fields that the specification names are validated strictly.
import { z } from 'zod';
import { eventIdPattern } from './limits.ts';

/** Documented but never refused. */
function lenient(description: string): z.ZodOptional<z.ZodUnknown> {
  return z.unknown().describe(description).optional();
}

export const storeRequest = z.looseObject({
  message: z
    .union([z.string(), z.looseObject({})])
    .nullish()
    .meta({
      description: 'What went wrong: text, or an object of message, params and formatted.',
      wordpress: { type: ['string', 'object'] },
      nullIsAbsent: true,
    }),
  platform: z
    .string()
    .nullish()
    .meta({
      description: 'Platform of the program, such as javascript, php or python.',
      wordpress: { type: 'string' },
      nullIsAbsent: true,
    }),
  event_id: z
    .string()
    .nullish()
    .meta({
      description:
        'Identifier of the event: 32 hexadecimal digits, with or without dashes. Made when absent.',
      wordpress: { type: 'string', pattern: eventIdPattern },
      nullIsAbsent: true,
    }),
  timestamp: lenient('When it happened: RFC 3339, or seconds since 1970.'),
  level: lenient('fatal, error, warning, info or debug.'),
  logger: lenient('Name of the logger.'),
  transaction: lenient('Name of the transaction or route.'),
  server_name: lenient('Name of the machine.'),
  release: lenient('Version of the program.'),
  dist: lenient('Build of the release.'),
  environment: lenient('Environment, such as production.'),
  exception: lenient('Exceptions, the last one raised: a list, or an object with values.'),
  logentry: lenient('A message with its template and parameters.'),
  threads: lenient('Threads with their stacks.'),
  breadcrumbs: lenient('What happened before.'),
  tags: lenient('Names and values, as an object or as pairs.'),
  user: lenient('Who was affected.'),
  request: lenient('The request that failed.'),
  contexts: lenient('Named contexts, such as browser and os.'),
  extra: lenient('Anything else worth keeping.'),
  fingerprint: lenient('Parts that decide which issue the event belongs to.'),
  sdk: lenient('Name and version of the client.'),
  modules: lenient('Names and versions of what was loaded.'),
  debug_meta: lenient('Images that map a stack to its source.'),
});

const storeResponse = z.object({
  accepted: z.literal(true),
  event_id: z.string(),
  issue_id: z.number().int(),
  id: z.string(),
  is_new: z.boolean(),
  is_regression: z.boolean(),
  duplicate: z.literal(true).optional(),
  errors: z.array(z.object({ type: z.string(), name: z.string(), value: z.unknown().optional() })).optional(),
  grouping: z
    .object({
      algorithm: z.string(),
      source: z.string(),
      parts: z.array(z.string()),
      notes: z.array(z.string()),
    })
    .optional(),
});
export type StoreResponse = z.infer<typeof storeResponse>;
