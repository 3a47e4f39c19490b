import { findSenderHost, type RequestSender } from '../../core/domains/domains.ts';
import type { IngestContext } from '../../core/events/ingest.ts';
import { toLimitAddress } from '../limits/client-address.ts';
import type { ApiRequest } from './route.ts';

/** For a single event; an envelope adds its own headers. */
export function toEventContext(request: ApiRequest): IngestContext {
  return {
    receivedAtMs: request.receivedAtMs,
    clientAddress: request.clientAddress,
    countedAddress: toLimitAddress(request.clientAddress),
    domain: findSenderHost(toSender(request)),
    userAgent: request.header('user-agent') || sentryClientOf(request),
  };
}

/** For SDKs without User-Agent: `sentry_client`, e.g. `raven-node/2.6.4`. */
function sentryClientOf({ header, query }: Pick<ApiRequest, 'header' | 'query'>): string {
  const fields = (header('x-sentry-auth') ?? header('authorization') ?? '').slice(0, 2048).split(',');
  const clients = fields.map((field) => /^\s*(?:sentry\s+)?sentry_client=(.*)$/i.exec(field)?.[1]?.trim());
  const named = clients.find((client) => client !== undefined) ?? query['sentry_client'];
  return typeof named === 'string' ? named : '';
}

/** Whether to explain the grouping of an event (docs/grouping.md) or the refusal of a key (docs/keys.md). */
export function wantsExplanation(request: Pick<ApiRequest, 'header'>): boolean {
  return request.header('x-notifier-explain') === '1';
}

export function toSender(request: Pick<ApiRequest, 'header'>): Pick<RequestSender, 'origin' | 'referer'> {
  return { origin: request.header('origin'), referer: request.header('referer') };
}
