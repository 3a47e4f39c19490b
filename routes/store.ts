// POST /store: one error event.
import type { StoreResponse } from '../schemas/store.ts';
import type { Deps } from '../src/core/deps.ts';
import { type EventItem, ingestEvent } from '../src/core/events/ingest.ts';
import { eventContext } from '../src/http/api/event-context.ts';
import { type ApiRequest, type ApiResponse, created, type Handler, ok } from '../src/http/api/route.ts';
import { checkedEvent } from '../src/http/api/store-event.ts';

/** Files one event (D-14): 201 when it is new, 200 for an event id that was there. */
export function postStore(deps: Deps): Handler {
  return async (request): Promise<ApiResponse> => {
    const item = itemOf(deps, request);
    const { recorded, grouping, errors } = await ingestEvent(
      deps,
      request.project,
      item,
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

/** The event of a request: its parameters, or a body that a thread reads and checks. */
function itemOf({ heavy }: Deps, { params, heavyBody }: ApiRequest): EventItem {
  if (heavy === undefined || heavyBody === null) return { read: checkedEvent(params) };
  return { heavy, readAside: (reader, maps, facts) => reader.readStore(heavyBody, maps, facts) };
}
