// docs/domains.md
import { z } from 'zod';
import { limitedText } from './fields.ts';

const methods = ['any', 'dns_txt', 'http_file', 'html_meta'] as const;

export const domainVerificationRequest = z.looseObject({
  domain: z
    .string()
    .max(254)
    .nullish()
    .describe('The domain to verify: a hostname below a public suffix, in Unicode or ASCII.'),
  hostname: z.string().max(254).nullish().describe('Alias of domain.'),
  method: z.enum(methods).nullish().describe('Verification method; any by default.'),
  scope: z
    .enum(['host', 'subdomains'])
    .nullish()
    .describe('Only the host (default), or also its subdomains, which only dns_txt can verify.'),
  label: limitedText(100).nullish().describe('Label of the verification.'),
});
export type DomainVerificationRequest = z.infer<typeof domainVerificationRequest>;

export const domainCheckRequest = z.looseObject({
  method: z.enum(methods).nullish().describe('Check only this method.'),
});

const challenge = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('dns_txt'),
    name: z.string(),
    value: z.string(),
    values_also_ok: z.array(z.string()).readonly(),
    cname_also_ok: z.string().optional(),
  }),
  z.object({ type: z.literal('http_file'), url: z.string(), body: z.string() }),
  z.object({ type: z.literal('html_meta'), url: z.string(), tag: z.string() }),
]);

export const domainVerificationView = z.object({
  id: z.string(),
  domain: z.string(),
  domain_unicode: z.string(),
  apex: z.string(),
  scope: z.enum(['host', 'subdomains']),
  method: z.enum(methods),
  label: z.string().nullable(),
  status: z.enum(['pending', 'verified', 'failing', 'lapsed', 'expired', 'revoked']),
  verified: z.boolean(),
  token: z.string(),
  challenges: z.array(challenge),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  verified_at: z.string().nullable(),
  verified_by: z.enum(['dns_txt', 'http_file', 'html_meta']).nullable(),
  last_checked_at: z.string().nullable(),
  next_check_at: z.string().nullable(),
  failures: z.number().int(),
  last_error: z.string().nullable(),
});
export const domainCheckView = domainVerificationView.extend({
  checks: z.array(
    z.object({
      type: z.enum(['dns_txt', 'http_file', 'html_meta']),
      ok: z.boolean(),
      code: z.string(),
      detail: z.string(),
    }),
  ),
});
export type DomainVerificationView = z.infer<typeof domainVerificationView>;
