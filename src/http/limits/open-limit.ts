// The limit of an address on what needs no key: the indexes, WordPress’s batch, calls of heartbeats (D-20).
import type { IncomingMessage } from 'node:http';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import type { Limiters } from './rate-limit.ts';

/** For the engine's `beforeOpen`: counts the request, tells what is left, and throws the refusal. */
export function openLimit(
  limiters: Limiters,
  clientAddress: (incoming: IncomingMessage) => string,
): (request: RestRequest) => Promise<void> {
  return async ({ incoming, responseHeaders }) => {
    // A request made inside, as a batch makes them, was counted with the one that it is part of.
    if (incoming === null) return;
    const { headers, refusal } = await limiters.consumeOpen(clientAddress(incoming));
    responseHeaders.push(...headers);
    if (refusal !== null) throw refusal;
  };
}
