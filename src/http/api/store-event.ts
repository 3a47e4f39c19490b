// Checks the parameters of /store as an event, in the main thread and in workers.
import { storeRequest } from '../../../schemas/store.ts';
import { requireMessage } from '../../core/events/require-message.ts';
import { checkBody } from './parse-body.ts';
import type { ApiRequest } from './route.ts';

/** Throws 400 for the two strict fields, and for an event without any message (see requireMessage). */
export function checkedEvent(params: ApiRequest['params']): ApiRequest['params'] {
  const event = checkBody(storeRequest, { params });
  requireMessage(event);
  return event;
}
