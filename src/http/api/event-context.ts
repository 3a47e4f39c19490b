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
    userAgent: request.header('user-agent') ?? '',
  };
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
