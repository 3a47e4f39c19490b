// Lists in pages as in Sentry: `cursor=0:PLACE:0`, and the next one in a `Link` header.
import type { Request, Response } from 'express';
import { createInvalidParamError } from '../../core/errors.ts';
import { scrubQueryParameter } from '../../core/scrub/record.ts';

export const pageRows = 100;

/** Without Express's reader, which is off: its meaning of brackets is not Sentry's. */
export function queryOf({ url }: Request): URLSearchParams {
  return new URL(url, 'http://localhost').searchParams;
}

/** Where the page begins; null for the first page. Throws 400 for a cursor of something else. */
export function readCursor(request: Request): number | null {
  const text = queryOf(request).get('cursor') ?? '';
  if (text === '') return null;
  const place = /^0:(\d{1,15}):0$/.exec(text)?.[1];
  if (place === undefined)
    throw createInvalidParamError({ cursor: 'cursor must be one of the Link header.' });
  return Number(place);
}

/** `next` is where the next page begins; null if there is none. */
export function setNextPage(request: Request, response: Response, next: number | null): void {
  const cursor = `0:${next ?? 0}:0`;
  const query = new URLSearchParams();
  for (const [name, value] of queryOf(request)) {
    if (name !== 'cursor') query.append(...scrubQueryParameter(name, value));
  }
  query.append('cursor', cursor);
  const url = `${request.baseUrl}${request.path}?${query.toString()}`;
  response.setHeader('Link', `<${url}>; rel="next"; results="${next !== null}"; cursor="${cursor}"`);
}
