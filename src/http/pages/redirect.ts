import type { Request, Response } from 'express';

/** Redirects with 303, so that the next request is a GET. */
export function redirectSeeOther({ method }: Request, response: Response, address: string): void {
  response.status(303).set('Cache-Control', 'no-store').set('Location', address).type('text/plain');
  response.end(method === 'HEAD' ? undefined : `See ${address}\n`);
}
