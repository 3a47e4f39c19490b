import type { Request, Response } from 'express';
import { renderDocument } from '../../web/layout/document.ts';
import { rateLimitPage } from '../../web/layout/error-page.ts';
import { anonymousContext } from '../../web/page-context.ts';
import { pathBelow } from './find-page.ts';
import type { PagesOptions } from './router.ts';
import { sendText } from './send-text.ts';

export interface ExceededLimit {
  readonly limit: number;
  readonly waitSeconds: number;
}

/** 429 as a page for browsers, as plain text for others. Does not use the store. */
export async function sendRateLimitedPage(
  { deps, address, assets, version }: Pick<PagesOptions, 'deps' | 'address' | 'assets' | 'version'>,
  request: Request,
  response: Response,
  excess: ExceededLimit,
): Promise<void> {
  const url = URL.parse(request.originalUrl, 'http://host');
  const path = url === null ? null : pathBelow(address.base, url.pathname);
  const isPage =
    path !== null && address.answers(request) && String(request.headers.accept).includes('text/html');
  if (!isPage) return sendRateLimitedText(response);
  const pageContext = anonymousContext({
    base: address.base,
    assets,
    version,
    nowMs: deps.now(),
    // A form cannot be reloaded, so its page links to the start.
    path: request.method === 'GET' ? path : '/',
    ...(request.method === 'GET' && url !== null ? { query: url.searchParams } : {}),
  });
  const text = renderDocument(rateLimitPage(excess, pageContext), pageContext);
  await sendText(request, response, { status: 429, contentType: 'text/html; charset=utf-8', text });
}

export function sendRateLimitedText(response: Response): void {
  response.status(429).type('text/plain').send('Too many requests. Please retry later.\n');
}
