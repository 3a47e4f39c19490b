// What the request around an event or a bug report says of it: when it came, from which page (D-23), by which
// client.
import { hostOfSender, type Sender } from '../../core/domains/domains.ts';
import type { IngestContext } from '../../core/events/ingest.ts';
import { countedAddress } from '../limits/client-address.ts';
import type { ApiRequest } from './route.ts';

/** The context of an event that came by itself; an envelope adds what its headers say. */
export function eventContext(request: ApiRequest): IngestContext {
  return {
    receivedAtMs: request.receivedAtMs,
    clientAddress: request.clientAddress,
    countedAddress: countedAddress(request.clientAddress),
    domain: hostOfSender(senderOf(request)),
    userAgent: request.header('user-agent') || sentryClientOf(request),
  };
}

/** The client that a form of the Sentry protocol names, `raven-node/2.6.4`: some send no User-Agent. */
function sentryClientOf({ header, query }: Pick<ApiRequest, 'header' | 'query'>): string {
  const fields = (header('x-sentry-auth') ?? header('authorization') ?? '').slice(0, 2048).split(',');
  const said = fields.map((field) => /^\s*(?:sentry\s+)?sentry_client=(.*)$/i.exec(field)?.[1]?.trim());
  const named = said.find((client) => client !== undefined) ?? query['sentry_client'];
  return typeof named === 'string' ? named : '';
}

/**
 * Whether the caller wants to be told why: why its event belongs to its issue (docs/grouping.md), or why its
 * key is refused (docs/keys.md).
 */
export function wantsExplanation(request: Pick<ApiRequest, 'header'>): boolean {
  return request.header('x-notifier-explain') === '1';
}

/** `Origin` and `Referer` as they were sent; `hostOfSender` knows what they mean. */
export function senderOf(request: Pick<ApiRequest, 'header'>): Pick<Sender, 'origin' | 'referer'> {
  return { origin: request.header('origin'), referer: request.header('referer') };
}
