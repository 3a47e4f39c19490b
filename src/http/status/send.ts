// How an answer of a status page is sent: its headers, 304 for whoever has it, and what is said where there
// is none.
import type { Request, Response } from 'express';
import type { StatusAnswer } from './answers.ts';
import { freshMs } from './kept.ts';
import type { StatusKind } from './render.ts';

/** Sends what was rendered, or says that there is no such thing. */
export function sendStatus(
  request: Request,
  response: Response,
  { rendered, madeAtMs }: StatusAnswer,
  { kind, nowMs }: { readonly kind: StatusKind; readonly nowMs: number },
): void {
  if (rendered === null) {
    notHere(response);
    return;
  }
  const isPacked = rendered.gzip !== null && request.acceptsEncodings('gzip') === 'gzip';
  const bytes = isPacked ? rendered.gzip : rendered.plain;
  const left = Math.ceil(Math.min(freshMs, Math.max(1_000, madeAtMs + freshMs - nowMs)) / 1_000);
  response
    .status(200)
    .vary('Accept-Encoding')
    .set({
      'Cache-Control': `public, max-age=${left}, stale-while-revalidate=15, stale-if-error=3600`,
      ETag: `"${rendered.etag}${isPacked ? '-gzip' : ''}"`,
      'Content-Type': rendered.contentType,
      'X-Content-Type-Options': 'nosniff',
    });
  // Pages of others may show and read what is for machines.
  if (kind !== 'page') {
    response.set({ 'Cross-Origin-Resource-Policy': 'cross-origin', 'Access-Control-Allow-Origin': '*' });
  }
  if (request.fresh) return void response.status(304).end();
  if (isPacked) response.set('Content-Encoding', 'gzip');
  response.set('Content-Length', String(bytes.length));
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** As any address where nothing is. */
export function notHere(response: Response): void {
  response.status(404).set('Cache-Control', 'no-store').type('text/plain').send('Not found.\n');
}

/** There is nothing but looking. */
export function wrongMethod(response: Response): void {
  response.status(405).set({ Allow: 'GET, HEAD', 'Cache-Control': 'no-store' }).type('text/plain');
  response.send('A status page is only read.\n');
}

/** There is nothing to show, not even of an hour ago; why is told where it was to be made. */
export function notNow(response: Response): void {
  if (response.headersSent) return void response.destroy();
  response.status(503).set({ 'Retry-After': '5', 'Cache-Control': 'no-store' }).type('text/plain');
  response.send('This page cannot be shown just now. Please try again.\n');
}
