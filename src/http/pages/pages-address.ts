import type { IncomingMessage } from 'node:http';
import type { Config } from '../../core/config/config.ts';
import { createProxyBlockList } from '../../core/config/config.ts';
import { isInBlockList, socketAddress } from '../limits/client-address.ts';
import { cookieNameFor } from './session-cookie.ts';

export interface PagesAddress {
  readonly origin: string | null;
  readonly base: string;
  readonly cookieName: string;
  isSecure(request: IncomingMessage): boolean;
  /** Whether the request's host serves the pages; the path is checked elsewhere. */
  answers(request: IncomingMessage): boolean;
  originOf(request: IncomingMessage): string;
}

/** `installationKey`: see `cookieNameFor`. */
export function readPagesAddress(
  config: Pick<Config, 'pagesUrl' | 'trustProxy'>,
  installationKey: Uint8Array | undefined,
): PagesAddress {
  const origin = config.pagesUrl?.origin ?? null;
  const isSecure = secureReader(config, origin);
  const originOf = (request: IncomingMessage): string =>
    origin ?? URL.parse(`${isSecure(request) ? 'https' : 'http'}://${hostOf(request)}`)?.origin ?? '';
  return {
    origin,
    base: config.pagesUrl?.base ?? '',
    cookieName: cookieNameFor(installationKey),
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
  const trusted = createProxyBlockList(trustProxy);
  return ({ socket, headers }) => {
    if ((socket as { encrypted?: boolean }).encrypted === true) return true;
    if (!isInBlockList(trusted, socketAddress(socket))) return false;
    // The last value was set by the trusted proxy; earlier ones may be the client's.
    return (
      String(headers['x-forwarded-proto'] ?? '')
        .split(',')
        .at(-1)
        ?.trim()
        .toLowerCase() === 'https'
    );
  };
}

function hostOf(request: IncomingMessage): string {
  return (request.headers.host ?? '').toLowerCase();
}

function hasHost(request: IncomingMessage, origin: string): boolean {
  const url = new URL(origin);
  const host = hostOf(request);
  const port = url.protocol === 'https:' ? ':443' : ':80';
  return host === url.host || host === `${url.host}${port}`;
}
