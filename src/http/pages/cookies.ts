import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PagesAddress } from './pages-address.ts';

export function readSessionCookie(request: IncomingMessage, pages: PagesAddress): string | null {
  const name = cookieName(request, pages);
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}

export function setSessionCookie(
  request: IncomingMessage,
  response: ServerResponse,
  pages: PagesAddress,
  cookie: { readonly value: string; readonly ms: number },
): void {
  const parts = [
    `${cookieName(request, pages)}=${cookie.value}`,
    `Path=${pages.base === '' ? '/' : pages.base}`,
    `Max-Age=${Math.floor(cookie.ms / 1000)}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(pages.isSecure(request) ? ['Secure'] : []),
  ];
  response.appendHeader('Set-Cookie', parts.join('; '));
}

/** On https with a prefix that other hosts of the site cannot set; `__Host-` requires `Path=/`. */
function cookieName(request: IncomingMessage, { base, sessionCookie, isSecure }: PagesAddress): string {
  if (!isSecure(request)) return sessionCookie;
  return `${base === '' ? '__Host-' : '__Secure-'}${sessionCookie}`;
}
