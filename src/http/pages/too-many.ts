// 429 as a page for browsers, as plain text for others.
import type { Request, Response } from 'express';
import type { Frame } from '../../pages/frame.ts';
import { documentOf } from '../../pages/shell/document.ts';
import { tooManyPage } from '../../pages/shell/too-many.ts';
import { sendText } from './answer.ts';
import type { PagesAddress } from './pages-address.ts';
import { below } from './paths.ts';

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

/** Does not use the store. */
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
    // A form cannot be reloaded, so its page links to the start.
    path: request.method === 'GET' ? path : '/',
    query: request.method === 'GET' ? (url?.searchParams ?? new URLSearchParams()) : new URLSearchParams(),
    notice: null,
  };
  const text = documentOf(tooManyPage(excess, frame), frame);
  await sendText(request, response, { status: 429, contentType: 'text/html; charset=utf-8', text });
}

export function tellTooMany(response: Response): void {
  response.status(429).type('text/plain').send('Too many requests. Please retry later.\n');
}
