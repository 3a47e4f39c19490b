// The session cookie of the pages, and the cookie that binds a sign-in to the browser that began it.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

interface CookiePages {
  readonly base: string;
  readonly cookieName: string;
  isSecure(request: IncomingMessage): boolean;
}

interface CookieValue {
  readonly value: string;
  readonly ms: number;
}

/** Without prefix. `installationKey` is shared by servers of one database, which so have the same name; another
 * installation has another, since browsers share cookies among all ports of a host. */
export function cookieNameFor(installationKey: Uint8Array | undefined): string {
  const installation = createHash('sha256')
    .update('session cookie')
    .update(installationKey ?? '')
    .digest('hex');
  return `notifier_session_${installation.slice(0, 8)}`;
}

type CookieKind = 'session' | 'browser';

export function setCookie(
  kind: CookieKind,
  request: IncomingMessage,
  response: ServerResponse,
  pages: CookiePages,
  { value, ms }: CookieValue,
): void {
  const attributes = [
    `${nameOf(kind, request, pages)}=${value}`,
    `Path=${pages.base === '' ? '/' : pages.base}`,
    `Max-Age=${Math.floor(ms / 1000)}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(pages.isSecure(request) ? ['Secure'] : []),
  ];
  response.appendHeader('Set-Cookie', attributes.join('; '));
}

export function readCookie(kind: CookieKind, request: IncomingMessage, pages: CookiePages): string | null {
  const name = nameOf(kind, request, pages);
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}

/** On https with a prefix that other hosts of the site cannot set; `__Host-` requires `Path=/`. */
function nameOf(
  kind: CookieKind,
  request: IncomingMessage,
  { base, cookieName, isSecure }: CookiePages,
): string {
  const name = kind === 'session' ? cookieName : `${cookieName}_browser`;
  if (!isSecure(request)) return name;
  return `${base === '' ? '__Host-' : '__Secure-'}${name}`;
}
