// Short ways to write the suite's requests. Data only.
import type { BodyTemplate, RequestTemplate } from '../check.ts';

type Headers = ReadonlyArray<readonly [string, string]>;

export const jsonType = ['Content-Type', 'application/json'] as const;
/**
 * An envelope is no JSON document, and WordPress refuses what says JSON and is none before it asks for the
 * key.
 */
export const envelopeType = ['Content-Type', 'application/x-sentry-envelope'] as const;
export const publicKey = ['X-Notifier-Key', '{{public_key}}'] as const;
export const secretKey = ['Authorization', 'Bearer {{secret_key}}'] as const;

/** What the suite makes on the far side says so, wherever a field can carry it. */
export const mark = 'notifier-contract';

/** The smallest event of the specification: section 2 names message and platform. */
export const probeEvent = { message: `${mark}: probe event, safe to delete`, platform: 'javascript' };

/** A POST of JSON below the namespace. */
export function post(
  name: string,
  path: string,
  credentials: Headers,
  json: unknown,
  more: Partial<RequestTemplate> = {},
): RequestTemplate {
  return { name, method: 'POST', path, headers: [jsonType, ...credentials], body: { json }, ...more };
}

/** A POST of bytes as they are. */
export function postText(
  name: string,
  path: string,
  headers: Headers,
  body: BodyTemplate,
  more: Partial<RequestTemplate> = {},
): RequestTemplate {
  return { name, method: 'POST', path, headers, body, ...more };
}

/** A GET below the namespace. */
export function get(name: string, path: string, headers: Headers = []): RequestTemplate {
  return { name, method: 'GET', path, headers };
}
