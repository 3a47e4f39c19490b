import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { noCacheHeaders } from '../../wordpress/response/wp-die.ts';

/** Must not be cached, valid key or not: such answers get the headers WordPress sends to signed-in users. */
export function isBearerRead({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\s*bearer\b/i.test(headers.authorization ?? '');
}

export const bearerReadsUncached: RequestHandler = (request, response, next) => {
  if (isBearerRead(request)) {
    for (const [name, value] of noCacheHeaders) response.setHeader(name, value);
  }
  next();
};

/** Whether If-None-Match has the ETag, strong or weak. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim());
  return tags.some((tag) => tag === etag || `W/${tag}` === etag);
}
