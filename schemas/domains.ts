import { z } from 'zod';
import { collectionArguments, limitedText } from './fields.ts';

const switches = {
  bug_reports: z.boolean().nullish().describe('Whether visitors of the domain may send bug reports.'),
  errors: z.boolean().nullish().describe('Whether errors of pages on the domain are accepted.'),
  sampling: z.number().min(0).max(1).nullish().describe('Sample rate of errors, 0 to 1, which SDKs apply.'),
  allowed_origins: z
    .array(limitedText(300))
    .max(50)
    .nullish()
    .describe('Further origins that may send data for this domain.'),
};

export const domainRequest = z.looseObject({
  domain: limitedText(255).nullish().describe('A hostname, or *. and a hostname, without scheme and port.'),
  host: limitedText(255).nullish().describe('Alias of domain.'),
  hostname: limitedText(255).nullish().describe('Alias of domain.'),
  ...switches,
});
export type DomainRequest = z.infer<typeof domainRequest>;

export const domainChangeRequest = z.looseObject(switches);
export type DomainChangeRequest = z.infer<typeof domainChangeRequest>;

const collection = collectionArguments(['id', 'domain']);

export const domainsQuery = z.looseObject({
  ...collection,
  order: z.enum(['asc', 'desc']).default('asc').describe('Order sort attribute ascending or descending.'),
});

export const domainView = z.object({
  domain_id: z.number().int(),
  domain: z.string(),
  bug_reports: z.boolean(),
  errors: z.boolean(),
  sampling: z.number(),
  allowed_origins: z.array(z.string()),
  verified: z.boolean(),
  verification_id: z.string().nullable(),
  created_at: z.string(),
});
export type DomainView = z.infer<typeof domainView>;
