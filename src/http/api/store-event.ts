// The event in the parameters of a request to /store, checked (D-14). In place and in a thread for heavy
// bodies alike.
import { storeRequest } from '../../../schemas/store.ts';
import { requireMessage } from '../../core/events/require-message.ts';
import { checkBody } from './parse-body.ts';
import type { ApiRequest } from './route.ts';

/**
 * The parameters as an event. Throws 400 for the two strict fields, and for an event that does not say what
 * went wrong.
 */
export function checkedEvent(params: ApiRequest['params']): ApiRequest['params'] {
  const event = checkBody(storeRequest, { params });
  requireMessage(event);
  return event;
}
