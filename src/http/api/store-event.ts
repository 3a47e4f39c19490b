import { storeRequest } from '../../../schemas/store.ts';
import { requireMessage } from '../../core/events/require-message.ts';
import { checkKnownParameters } from './parse-parameters.ts';
import type { ApiRequest } from './route.ts';

/** Throws 400 for the two strict fields, and for an event without any message (see requireMessage). */
export function checkEvent(params: ApiRequest['params']): ApiRequest['params'] {
  const event = checkKnownParameters(storeRequest, { params });
  requireMessage(event);
  return event;
}
