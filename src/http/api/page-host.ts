// What the headers of a request say of the page it comes from (D-23).
import type { Sender } from '../../core/domains/domains.ts';
import type { ApiRequest } from './route.ts';

/** `Origin` and `Referer` as they were sent; `hostOfSender` knows what they mean. */
export function senderOf(request: Pick<ApiRequest, 'header'>): Pick<Sender, 'origin' | 'referer'> {
  return { origin: request.header('origin'), referer: request.header('referer') };
}
