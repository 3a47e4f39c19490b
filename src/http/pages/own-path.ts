// Ways on after an act: only ever to a path of ours, whatever a form or an address says.
import type { Request, Response } from 'express';

/**
 * A path of ours below the base with its query, as a header takes it, or `/` for what could lead to another
 * host.
 */
export function ownPath(asked: string | null): string {
  if (asked === null || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(asked)) return '/';
  return asked.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent);
}

/** Leads to an address by 303: what follows is a GET. */
export function seeOther({ method }: Request, response: Response, address: string): void {
  response.status(303).set('Cache-Control', 'no-store').set('Location', address).type('text/plain');
  response.end(method === 'HEAD' ? undefined : `See ${address}\n`);
}
