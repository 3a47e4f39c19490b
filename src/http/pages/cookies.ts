import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PagesAddress } from './pages-address.ts';

/** `browser` binds a sign-in that has begun to the browser that began it. */
type CookieKind = 'session' | 'browser';

export function readPageCookie(
  request: IncomingMessage,
  pages: PagesAddress,
  kind: CookieKind = 'session',
): string | null {
  const name = cookieName(request, pages, kind);
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}

/** Sets the session cookie of a member who signed in, or the cookie that binds a sign-in to its browser. */
export function setPageCookie(
  request: IncomingMessage,
  response: ServerResponse,
  pages: PagesAddress,
  cookie: { readonly value: string; readonly ms: number; readonly kind?: CookieKind },
): void {
  const parts = [
    `${cookieName(request, pages, cookie.kind ?? 'session')}=${cookie.value}`,
    `Path=${pages.base === '' ? '/' : pages.base}`,
    `Max-Age=${Math.floor(cookie.ms / 1000)}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(pages.isSecure(request) ? ['Secure'] : []),
  ];
  response.appendHeader('Set-Cookie', parts.join('; '));
}

/** On https with a prefix that other hosts of the site cannot set; `__Host-` requires `Path=/`. */
function cookieName(
  request: IncomingMessage,
  { base, sessionCookie, isSecure }: PagesAddress,
  kind: CookieKind,
): string {
  const name = kind === 'session' ? sessionCookie : `${sessionCookie}_${kind}`;
  if (!isSecure(request)) return name;
  return `${base === '' ? '__Host-' : '__Secure-'}${name}`;
}
