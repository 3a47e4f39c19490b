import type { EventError, EventSummaryView } from '../../../schemas/event.ts';
import { viewGrouping } from '../grouping/group-event.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { EventSummary, RecordedEvent, StoredEvent } from '../store/events.ts';

export function viewEventSummary(event: EventSummary): EventSummaryView {
  return {
    event_id: event.eventId,
    issue_id: event.issueId,
    title: event.title,
    culprit: event.culprit,
    level: event.level,
    platform: event.platform,
    release: event.release,
    dist: event.dist,
    environment: event.environment,
    received: formatTime(event.receivedAtMs),
    timestamp: formatTime(event.timestampMs),
    sdk: event.sdkName === null ? null : { name: event.sdkName, version: event.sdkVersion },
    domain: event.domain,
    scrubbed: event.scrubbedCount,
  };
}

/** The full event: the payload's members, then server fields. `restUrl` makes a namespace path absolute. */
export function viewEvent(event: StoredEvent, restUrl: (path: string) => string) {
  // The payload has these two in full.
  const { timestamp: _short, sdk: _named, ...known } = viewEventSummary(event);
  const payload = JSON.parse(event.payload) as Readonly<Record<string, unknown>>;
  return {
    ...payload,
    ...known,
    // As sent: lists show names beyond the project's limit as `other`.
    release: textMember(payload, 'release'),
    environment: textMember(payload, 'environment'),
    grouping: viewGrouping(event.grouping),
    errors: event.errors as readonly EventError[],
    needs_mapping: event.needsMapping,
    attachments: event.attachments.map((each) => ({
      attachment_id: each.id,
      filename: each.filename,
      content_type: each.contentType,
      attachment_type: each.attachmentType,
      size: each.sizeBytes,
      sha256: each.sha256,
      url: restUrl(`/events/${event.eventId}/attachments/${each.id}`),
    })),
    older_event_id: event.olderEventId,
    newer_event_id: event.newerEventId,
  };
}

export function viewIngestedEvent(recorded: RecordedEvent) {
  return {
    event_id: recorded.eventId,
    issue_id: recorded.issueId,
    id: recorded.eventId,
    is_new: recorded.isNew,
    is_regression: recorded.isRegression,
    ...(recorded.duplicate ? { duplicate: true as const } : {}),
  };
}

function textMember(payload: Readonly<Record<string, unknown>>, member: string): string | null {
  const value = payload[member];
  return typeof value === 'string' ? value : null;
}

export type { EventSummaryView } from '../../../schemas/event.ts';
export type EventView = ReturnType<typeof viewEvent>;
