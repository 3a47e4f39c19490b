// POST /store: one error event.
import { type StoreResponse, storeRequest } from '../schemas/store.ts';
import type { Deps } from '../src/core/deps.ts';
import { ingestEvent } from '../src/core/ingest.ts';
import { requireMessage } from '../src/core/require-message.ts';
import { eventContext } from '../src/http/event-context.ts';
import { checkBody } from '../src/http/parse-body.ts';
import { type ApiResponse, created, type Handler, ok } from '../src/http/route.ts';

/** Files one event (specification section 4, D-14): 201 when it is new, 200 for an event id that was there. */
export function postStore(deps: Deps): Handler {
  return async (request): Promise<ApiResponse> => {
    const event = checkBody(storeRequest, request);
    requireMessage(event);
    const { recorded, grouping, errors } = await ingestEvent(
      deps,
      request.project,
      event,
      eventContext(request),
    );
    const body: StoreResponse = {
      accepted: true,
      event_id: recorded.eventId,
      issue_id: recorded.issueId,
      id: recorded.eventId,
      is_new: recorded.isNew,
      is_regression: recorded.isRegression,
    };
    if (recorded.duplicate) body.duplicate = true;
    if (errors.length > 0) body.errors = [...errors];
    if (request.header('x-notifier-explain') === '1') {
      const { algorithm, source, parts, notes } = grouping;
      body.grouping = { algorithm, source, parts: [...parts], notes: [...notes] };
    }
    return recorded.duplicate ? ok(body) : created(body);
  };
}
