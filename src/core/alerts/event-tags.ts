import type { NormalizedEvent } from '../../../schemas/event.ts';
import type { Store } from '../store/store.ts';

export async function findEventTags(
  store: Store,
  projectId: number,
  eventId: string | null,
): Promise<ReadonlyArray<readonly [string, string]>> {
  const event = eventId === null ? null : await store.findEvent(projectId, eventId);
  return event === null ? [] : ((JSON.parse(event.payload) as NormalizedEvent).tags ?? []);
}
