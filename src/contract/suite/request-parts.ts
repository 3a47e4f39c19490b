import type { BodyTemplate, RequestTemplate } from '../check-types.ts';

type Headers = ReadonlyArray<readonly [string, string]>;

export const jsonType = ['Content-Type', 'application/json'] as const;
/** Not application/json: WordPress rejects invalid JSON before it checks the key. */
export const envelopeType = ['Content-Type', 'application/x-sentry-envelope'] as const;
export const publicKey = ['X-Notifier-Key', '{{public_key}}'] as const;
export const secretKey = ['Authorization', 'Bearer {{secret_key}}'] as const;

export const contractMark = 'notifier-contract';

export const probeEvent = { message: `${contractMark}: probe event, safe to delete`, platform: 'javascript' };

export function post(
  name: string,
  path: string,
  credentials: Headers,
  json: unknown,
  more: Partial<RequestTemplate> = {},
): RequestTemplate {
  return { name, method: 'POST', path, headers: [jsonType, ...credentials], body: { json }, ...more };
}

export function postText(
  name: string,
  path: string,
  headers: Headers,
  body: BodyTemplate,
  more: Partial<RequestTemplate> = {},
): RequestTemplate {
  return { name, method: 'POST', path, headers, body, ...more };
}

export function get(name: string, path: string, headers: Headers = []): RequestTemplate {
  return { name, method: 'GET', path, headers };
}
