// GET /events/{event_id} and its attachments: the whole payload, why it was grouped so, what was set aside.
import type { Deps } from '../src/core/deps.ts';
import { invalidId } from '../src/core/errors.ts';
import { parseEventId } from '../src/core/event-id.ts';
import type { StoredEvent } from '../src/core/issue-store.ts';
import { type ApiRequest, type Handler, ok } from '../src/http/route.ts';
import { eventSummaryBody } from './issues.ts';

/** The stored event: its payload's members, then what the server knows of it (D-25). */
export function getEvent(deps: Deps): Handler {
  return async (request) => {
    const event = await deps.store.findEvent(request.project.id, eventIdOf(request));
    if (event === null) throw invalidId('event');
    return ok(eventBody(event, request));
  };
}

/** The bytes of an attachment, always as a download. */
export function getAttachment(deps: Deps): Handler {
  return async (request) => {
    const id = request.path['attachment'] ?? '';
    const attachment = /^[1-9]\d{0,14}$/.test(id)
      ? await deps.store.findAttachment(request.project.id, eventIdOf(request), Number(id))
      : null;
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

function eventBody(event: StoredEvent, request: ApiRequest): Record<string, unknown> {
  const { algorithm, source, parts, notes } = event.grouping;
  // The payload has these two whole: the time to the microsecond, the SDK with its packages.
  const { timestamp: _short, sdk: _named, ...known } = eventSummaryBody(event);
  return {
    ...(JSON.parse(event.payload) as Record<string, unknown>),
    ...known,
    grouping: { algorithm, source, parts, notes },
    errors: event.errors,
    needs_mapping: event.needsMapping,
    attachments: event.attachments.map((each) => ({
      attachment_id: each.id,
      filename: each.filename,
      content_type: each.contentType,
      attachment_type: each.attachmentType,
      size: each.sizeBytes,
      sha256: each.sha256,
      url: request.restUrl(`/events/${event.eventId}/attachments/${each.id}`),
    })),
    older_event_id: event.olderEventId,
    newer_event_id: event.newerEventId,
  };
}
