// GET /events/{event_id} and its attachments: the whole payload, why it was grouped so, what was set aside.
import type { Deps } from '../src/core/deps.ts';
import { invalidId } from '../src/core/errors.ts';
import { viewEvent } from '../src/core/events/views.ts';
import { parseEventId } from '../src/core/ids.ts';
import { pathId } from '../src/http/api/path-id.ts';
import { type ApiRequest, type Handler, ok } from '../src/http/api/route.ts';

/** The stored event: its payload's members, then what the server knows of it (D-25). */
export function getEvent(deps: Deps): Handler {
  return async (request) => {
    const event = await deps.store.findEvent(request.project.id, eventIdOf(request));
    if (event === null) throw invalidId('event');
    return ok(viewEvent(event, request.restUrl));
  };
}

/** The bytes of an attachment, always as a download. */
export function getAttachment(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'event', 'attachment');
    const attachment = await deps.store.findAttachment(request.project.id, eventIdOf(request), id);
    if (attachment === null) throw invalidId('event');
    const { bytes, filename } = attachment;
    return { status: 200, body: null, raw: { contentType: 'application/octet-stream', bytes, filename } };
  };
}

function eventIdOf(request: ApiRequest): string {
  const eventId = parseEventId(request.path['event_id'] ?? '');
  if (eventId === null) throw invalidId('event');
  return eventId;
}
