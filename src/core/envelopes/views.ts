import type { StoreResponse } from '../../../schemas/store.ts';
import { viewIngestedEvent } from '../events/views.ts';
import { viewGrouping } from '../grouping/group-event.ts';
import type { FilteredEvent } from '../ports/prepared-data.ts';
import type { BatchResult } from './batch.ts';
import type { StoredEnvelope } from './store-envelope.ts';

type EnvelopeResponse = Partial<Omit<StoreResponse, 'accepted'>> & Record<string, unknown>;

/** `explain` adds the reason for the grouping. */
export function viewStoredEnvelope(stored: StoredEnvelope, explain: boolean): EnvelopeResponse {
  const { event, feedback, filtered } = stored;
  if (filtered !== null && event === null && feedback === null) return viewFiltered(stored, filtered);
  const body: EnvelopeResponse = {
    accepted: true,
    ...(event === null ? {} : viewIngestedEvent(event.recorded)),
  };
  if (feedback !== null) {
    body['feedback_id'] = feedback.feedbackId;
    if (event === null && feedback.eventId !== null) body.event_id = feedback.eventId;
    if (event === null && feedback.issueId !== null) body.issue_id = feedback.issueId;
  }
  if (stored.batch.length > 0) body['events'] = stored.batch.map(viewEntry);
  if (Object.keys(stored.items).length > 0) body['items'] = stored.items;
  if (Object.keys(stored.skipped).length > 0) body['skipped'] = stored.skipped;
  if (stored.errors.length > 0) body.errors = [...stored.errors];
  if (event !== null && explain) body.grouping = viewGrouping(event.grouping);
  return body;
}

/** What else the envelope held is in `items`; SDKs want the id whatever became of the event. */
function viewFiltered({ batch, items, skipped }: StoredEnvelope, filtered: FilteredEvent): EnvelopeResponse {
  return {
    accepted: false,
    reason: 'filtered',
    event_id: filtered.eventId,
    id: filtered.eventId,
    ...(batch.length === 0 ? {} : { events: batch.map(viewEntry) }),
    ...(Object.keys(items).length === 0 ? {} : { items }),
    skipped,
  };
}

function viewEntry(entry: BatchResult): Record<string, unknown> {
  if ('filtered' in entry) {
    return { event_id: entry.filtered.eventId, issue_id: null, accepted: false, reason: 'filtered' };
  }
  if ('refused' in entry) {
    const { code, message } = entry.refused;
    return { event_id: null, issue_id: null, error: { code, message } };
  }
  const { event_id, issue_id, ...about } = viewIngestedEvent(entry.filed.recorded);
  return { event_id, issue_id, ...(about.duplicate ? { duplicate: true } : {}) };
}
