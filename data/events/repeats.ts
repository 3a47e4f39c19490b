// An event id that came before: the repeat is counted, and answered as the first was.
import type { NewEvent, RecordedEvent } from '../../src/core/store/events.ts';
import { addOutcome } from '../counts/outcomes.ts';
import type { Query } from '../db.ts';

/** The first event keeps its issue and its counts; only the repeat itself is counted. */
export async function answerDuplicate(tx: Query, event: NewEvent): Promise<RecordedEvent> {
  await addOutcome(tx, {
    projectId: event.projectId,
    atMs: event.receivedAtMs,
    outcome: 'duplicate',
    reason: '',
    category: 'error',
    quantity: 1,
  });
  return firstOfId(tx, event);
}

/** The answer to a repeat: the issue of the event that came first. */
export async function firstOfId(tx: Query, event: NewEvent): Promise<RecordedEvent> {
  const first = await tx.get<{ issue_id: number }>(
    `SELECT COALESCE(own.merged_into, own.id) AS issue_id FROM events JOIN issues own ON own.id = events.issue_id
     WHERE events.project_id = $1 AND events.event_id = $2`,
    [event.projectId, event.eventId],
  );
  if (first === undefined) throw new Error('An event is taken and not there.');
  return {
    eventId: event.eventId,
    issueId: first.issue_id,
    duplicate: true,
    isNew: false,
    isRegression: false,
  };
}
