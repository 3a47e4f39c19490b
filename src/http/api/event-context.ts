// What the request around an event says of it: when it came, from where, by which client.
import { hostOfSender } from '../../core/domains/domains.ts';
import type { IngestContext } from '../../core/events/ingest.ts';
import { senderOf } from './page-host.ts';
import type { ApiRequest } from './route.ts';

/** The context of an event that came by itself; an envelope adds what its headers say. */
export function eventContext(request: ApiRequest): IngestContext {
  return {
    receivedAtMs: request.receivedAtMs,
    clientAddress: request.clientAddress,
    domain: hostOfSender(senderOf(request)),
    userAgent: request.header('user-agent') ?? '',
  };
}

/** Whether the caller wants to be told why its event belongs to its issue (docs/grouping.md). */
export function wantsGrouping(request: Pick<ApiRequest, 'header'>): boolean {
  return request.header('x-notifier-explain') === '1';
}
