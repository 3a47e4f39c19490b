// Answers to reads with a bearer key must not be cached, whether the key is valid or not.
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { noCacheHeaders } from '../../wordpress/response/wp-die.ts';

/** Such answers get the headers that WordPress sends to signed-in users. */
export function isBearerRead({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\s*bearer\b/i.test(headers.authorization ?? '');
}

export const bearerReadsUncached: RequestHandler = (request, response, next) => {
  if (isBearerRead(request)) {
    for (const [name, value] of noCacheHeaders) response.setHeader(name, value);
  }
  next();
};
