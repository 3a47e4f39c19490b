// What an address is told that asks for too many pages: a page where a browser asks, a line of text
// elsewhere.
import type { Request, Response } from 'express';
import type { Frame } from '../../pages/frame.ts';
import { documentOf } from '../../pages/shell/document.ts';
import { tooManyPage } from '../../pages/shell/too-many.ts';
import { sendText } from './answer.ts';
import type { PagesAddress } from './pages-address.ts';
import { below } from './paths.ts';

/** What was counted, and when counting begins anew. */
export interface Excess {
  readonly limit: number;
  readonly waitSeconds: number;
}

export interface TooManyOptions {
  readonly address: PagesAddress;
  readonly assets: Frame['assets'];
  readonly version: string;
  now(): number;
}

/** Answers 429; nothing is asked of the store. */
export async function refuseTooMany(
  { address, assets, version, now }: TooManyOptions,
  request: Request,
  response: Response,
  excess: Excess,
): Promise<void> {
  const url = URL.parse(request.originalUrl, 'http://host');
  const path = url === null ? null : below(address.base, url.pathname);
  const isPage =
    path !== null && address.answers(request) && String(request.headers.accept).includes('text/html');
  if (!isPage) return tellTooMany(response);
  const frame: Frame = {
    base: address.base,
    assets,
    version,
    nowMs: now(),
    visitor: null,
    projects: [],
    project: null,
    counts: {},
    twin: null,
    // Who posted looks at a page again that can be looked at.
    path: request.method === 'GET' ? path : '/',
    query: request.method === 'GET' ? (url?.searchParams ?? new URLSearchParams()) : new URLSearchParams(),
    notice: null,
  };
  const text = documentOf(tooManyPage(excess, frame), frame);
  await sendText(request, response, { status: 429, contentType: 'text/html; charset=utf-8', text });
}

/** The same for whoever reads no pages. */
export function tellTooMany(response: Response): void {
  response.status(429).type('text/plain').send('Too many requests. Please retry later.\n');
}
