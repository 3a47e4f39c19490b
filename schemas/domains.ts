import { z } from 'zod';
import { collectionArguments } from './collection.ts';
import { text } from './limits.ts';

const switches = {
  bug_reports: z.boolean().nullish().describe('Whether visitors may send bug reports from there.'),
  errors: z.boolean().nullish().describe('Whether errors of pages there are wanted.'),
  sampling: z.number().min(0).max(1).nullish().describe('Share of errors to send, 0 to 1; told to SDKs.'),
  allowed_origins: z
    .array(text(300))
    .max(50)
    .nullish()
    .describe('Origins that may call in the name of this domain besides its own.'),
};

export const domainRequest = z.looseObject({
  domain: text(255).nullish().describe('A host, or *. and a host; no scheme, no port.'),
  host: text(255).nullish().describe('Another name for domain.'),
  hostname: text(255).nullish().describe('Another name for domain.'),
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

const domainView = z.object({
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
