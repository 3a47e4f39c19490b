import type { IncomingMessage } from 'node:http';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import type { Limiters } from './rate-limit.ts';

/** For `beforeOpen`: charges the request, sets the headers, throws the refusal. */
export function limitUnauthenticated(
  limiters: Limiters,
  clientAddress: (incoming: IncomingMessage) => string,
): (request: RestRequest) => Promise<void> {
  return async ({ incoming, responseHeaders }) => {
    // Requests inside a batch are counted with the batch.
    if (incoming === null) return;
    const { headers, refusal } = await limiters.consumeOpen(clientAddress(incoming));
    responseHeaders.push(...headers);
    if (refusal !== null) throw refusal;
  };
}
