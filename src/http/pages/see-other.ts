// The way on after an act.
import type { Request, Response } from 'express';

/** Leads to an address by 303: what follows is a GET. */
export function seeOther({ method }: Request, response: Response, address: string): void {
  response.status(303).set('Cache-Control', 'no-store').set('Location', address).type('text/plain');
  response.end(method === 'HEAD' ? undefined : `See ${address}\n`);
}
