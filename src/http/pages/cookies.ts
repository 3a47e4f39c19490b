// The cookie of a session: its name and flags (D-127), and how it is read. What it opens is not asked here.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PagesAddress } from './pages-address.ts';

/** The value of the session's cookie in a request, or null. */
export function readSessionCookie(request: IncomingMessage, pages: PagesAddress): string | null {
  const name = cookieName(request, pages);
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}

/** Sets the session's cookie for so many milliseconds, beside whatever cookies an answer sets. */
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

/**
 * On https a prefix that no other host of the site can set: `__Host-` needs the whole host, `__Secure-` does
 * with a folder.
 */
function cookieName(request: IncomingMessage, { base, sessionCookie, isSecure }: PagesAddress): string {
  if (!isSecure(request)) return sessionCookie;
  return `${base === '' ? '__Host-' : '__Secure-'}${sessionCookie}`;
}
