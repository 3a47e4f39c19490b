// Where the pages are (PAGES_URL), as a request sees it: host, folder, and whether it came over TLS.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Config } from '../../core/config/config.ts';
import { proxyList } from '../../core/config/config.ts';
import { parseUrl } from '../../core/config/values.ts';
import { isListed, socketAddress } from '../limits/client-address.ts';

export interface PagesAddress {
  /** The one origin that they answer at; null: every host that leads here. */
  readonly origin: string | null;
  /** The folder they are below: empty, or `/folder`. */
  readonly base: string;
  /** The name of the session's cookie, without a prefix: browsers keep one jar for all ports of a host. */
  readonly sessionCookie: string;
  /** Whether the visitor's browser speaks https, be it with a proxy in front. */
  isSecure(request: IncomingMessage): boolean;
  /** Whether pages are at all at the host that a request asks; the folder is the router's. */
  answers(request: IncomingMessage): boolean;
  /** The origin that the visitor's browser is at. */
  originOf(request: IncomingMessage): string;
}

/**
 * Reads PAGES_URL and TRUST_PROXY once. `installationKey` is the secret that servers of one database share:
 * their cookie has one name, that of another installation on the same host has another.
 */
export function pagesAddress(
  config: Pick<Config, 'pagesUrl' | 'trustProxy'>,
  installationKey: Uint8Array | undefined,
): PagesAddress {
  const installation = createHash('sha256')
    .update('session cookie')
    .update(installationKey ?? '')
    .digest('hex');
  const origin = config.pagesUrl?.origin ?? null;
  const isSecure = secureReader(config, origin);
  const originOf = (request: IncomingMessage): string =>
    origin ?? parseUrl(`${isSecure(request) ? 'https' : 'http'}://${hostOf(request)}`)?.origin ?? '';
  return {
    origin,
    base: config.pagesUrl?.base ?? '',
    sessionCookie: `notifier_session_${installation.slice(0, 8)}`,
    isSecure,
    answers: (request) => origin === null || hasHost(request, origin),
    originOf,
  };
}

function secureReader(
  { trustProxy }: Pick<Config, 'trustProxy'>,
  origin: string | null,
): PagesAddress['isSecure'] {
  if (origin !== null) return () => origin.startsWith('https:');
  const trusted = proxyList(trustProxy);
  return ({ socket, headers }) => {
    if ((socket as { encrypted?: boolean }).encrypted === true) return true;
    if (!isListed(trusted, socketAddress(socket))) return false;
    // The last one was set by the proxy that we trust; what stands before may be the visitor's own.
    return (
      String(headers['x-forwarded-proto'] ?? '')
        .split(',')
        .at(-1)
        ?.trim()
        .toLowerCase() === 'https'
    );
  };
}

/** `Host` without its scheme's own port, in lower case. */
function hostOf(request: IncomingMessage): string {
  return (request.headers.host ?? '').toLowerCase();
}

function hasHost(request: IncomingMessage, origin: string): boolean {
  const url = new URL(origin);
  const host = hostOf(request);
  const port = url.protocol === 'https:' ? ':443' : ':80';
  return host === url.host || host === `${url.host}${port}`;
}
