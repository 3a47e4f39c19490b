// What the secret reads is kept by no cache on the way (D-27). Whether the secret is good does not matter
// here.
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { noCacheHeaders } from '../../wordpress/response/die-page.ts';

/**
 * Whether a request reads with a bearer key: every answer to it has the pair that WordPress sends to a
 * signed-in user.
 */
export function isBearerRead({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\s*bearer\b/i.test(headers.authorization ?? '');
}

/** The same for routes of Express. */
export const bearerReadsUncached: RequestHandler = (request, response, next) => {
  if (isBearerRead(request)) {
    for (const [name, value] of noCacheHeaders) response.setHeader(name, value);
  }
  next();
};
