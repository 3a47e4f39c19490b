import type { Deps } from '../deps.ts';
import { createBadRequestError, createPayloadTooLargeError, type RestError } from '../errors.ts';
import { createEventItem, type IngestContext, type IngestedEvent, receiveEvent } from '../events/ingest.ts';
import { isLargeJson } from '../parsing/item-json.ts';
import { isJsonObject } from '../parsing/unknown-values.ts';
import { createYielder } from '../parsing/yield-to-event-loop.ts';
import type { FilteredEvent } from '../ports/prepared-data.ts';
import type { Project } from '../store/projects.ts';
import { createItemCounts, type ItemCounts, isItemError } from './item-counts.ts';
import type { EventOfDocument } from './parse-upload.ts';
import { eventBytesMax } from './sort-items.ts';

export type BatchResult =
  | { readonly filed: IngestedEvent }
  | { readonly filtered: FilteredEvent }
  | { readonly refused: RestError };

/** Each is stored as if sent alone, but they share commits. Rejects if the store rejects all of them. */
export async function ingestBatch(
  deps: Deps,
  project: Project,
  events: readonly EventOfDocument[],
  context: IngestContext,
) {
  const itemCounts = createItemCounts(deps, { projectId: project.id, atMs: context.receivedAtMs });
  const pending: Array<Promise<BatchResult | { readonly failed: unknown }>> = [];
  const yieldToEventLoop = createYielder();
  const eventContext = { ...context, pace: yieldToEventLoop };
  for (const event of events) {
    await yieldToEventLoop();
    const entry = fileOne(itemCounts, () => ingestOne(deps, project, event, eventContext));
    // Collected, because an unhandled rejection before all have started would end the process.
    pending.push(entry.catch((failed: unknown) => ({ failed })));
    // One at a time, so that one document cannot fill the workers' queue.
    if ('piece' in event && isLargeJson(event.piece.bytes)) await pending.at(-1);
  }
  const ended = await Promise.all(pending);
  const entries = ended.map(
    (entry): BatchResult =>
      'failed' in entry ? { refused: itemCounts.refuse('event', entry.failed) } : entry,
  );
  return { entries, itemCounts };
}

async function fileOne(
  itemCounts: ItemCounts,
  receive: () => Promise<IngestedEvent | FilteredEvent>,
): Promise<BatchResult> {
  try {
    const received = await receive();
    if ('filteredBy' in received) {
      itemCounts.leaveOut('event');
      return { filtered: received };
    }
    itemCounts.countStored('event');
    return { filed: received };
  } catch (error) {
    if (!isItemError(error)) throw error;
    return { refused: itemCounts.refuse('event', error) };
  }
}

async function ingestOne(deps: Deps, project: Project, event: EventOfDocument, context: IngestContext) {
  if ('piece' in event) {
    if (event.piece.isTooLarge) throw createPayloadTooLargeError(eventBytesMax);
    return receiveEvent(deps, project, createEventItem(deps, event.piece.bytes), context);
  }
  if (!isJsonObject(event.read)) {
    throw createBadRequestError(
      'notifier_invalid_envelope',
      'The envelope is not valid: an event that is not a JSON object.',
    );
  }
  return receiveEvent(deps, project, event, context);
}
