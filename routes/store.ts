// POST /store: one error event.
import type { StoreResponse } from '../schemas/store.ts';
import type { Deps } from '../src/core/deps.ts';
import { type EventItem, ingestEvent } from '../src/core/events/ingest.ts';
import { viewRecorded } from '../src/core/events/views.ts';
import { viewGrouping } from '../src/core/grouping/views.ts';
import { eventContext, wantsExplanation } from '../src/http/api/event-context.ts';
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
    const body: StoreResponse = { accepted: true, ...viewRecorded(recorded) };
    if (errors.length > 0) body.errors = [...errors];
    if (wantsExplanation(request)) body.grouping = viewGrouping(grouping);
    return recorded.duplicate ? ok(body) : created(body);
  };
}

/** The event of a request: its parameters, or a body that a thread reads and checks. */
function itemOf({ heavy }: Deps, { params, replacedAt, bodyAside }: ApiRequest): EventItem {
  if (heavy === undefined || bodyAside === null) return { read: checkedEvent(params), replacedAt };
  return {
    reader: bodyAside.place ?? heavy,
    readAside: (reader, maps, facts) => reader.readStore(bodyAside, maps, facts),
  };
}
