// Events of one JSON document, each stored as if sent alone.
import type { Deps } from '../deps.ts';
import { badRequest, payloadTooLarge, type RestError } from '../errors.ts';
import { eventItem, type IngestContext, type IngestedEvent, ingestEvent } from '../events/ingest.ts';
import { isHeavy } from '../reading/json-weight.ts';
import { isRecord } from '../reading/lenient.ts';
import { createPace } from '../reading/pace.ts';
import type { Project } from '../store/projects.ts';
import { eventBytesMax } from './items.ts';
import { createTally, isItemRefusal, type Tally } from './tally.ts';
import type { DocumentEvent } from './upload.ts';

export type BatchEntry = { readonly filed: IngestedEvent } | { readonly refused: RestError };

interface KeptBatch {
  readonly entries: readonly BatchEntry[];
  readonly tally: Tally;
}

/** Stores the events concurrently, so that they share commits. Rejects if the store rejects all of them. */
export async function ingestBatch(
  deps: Deps,
  project: Project,
  events: readonly DocumentEvent[],
  context: IngestContext,
): Promise<KeptBatch> {
  const tally = createTally(deps, { projectId: project.id, atMs: context.receivedAtMs });
  const begun: Array<Promise<BatchEntry | { readonly failed: unknown }>> = [];
  const pace = createPace();
  const paced = { ...context, pace };
  for (const event of events) {
    await pace();
    const entry = fileOne(tally, () => ingestOne(deps, project, event, paced));
    // Collected, because an unhandled rejection before all have started would end the process.
    begun.push(entry.catch((failed: unknown) => ({ failed })));
    // One at a time, so that one document cannot fill the workers' queue.
    if ('piece' in event && isHeavy(event.piece.bytes)) await begun.at(-1);
  }
  const ended = await Promise.all(begun);
  const entries = ended.map(
    (entry): BatchEntry => ('failed' in entry ? { refused: tally.refuse('event', entry.failed) } : entry),
  );
  return { entries, tally };
}

async function fileOne(tally: Tally, ingest: () => Promise<IngestedEvent>): Promise<BatchEntry> {
  try {
    const filed = await ingest();
    tally.keep('event');
    return { filed };
  } catch (error) {
    if (!isItemRefusal(error)) throw error;
    return { refused: tally.refuse('event', error) };
  }
}

async function ingestOne(
  deps: Deps,
  project: Project,
  event: DocumentEvent,
  context: IngestContext,
): Promise<IngestedEvent> {
  if ('piece' in event) {
    if (event.piece.isTooLarge) throw payloadTooLarge(eventBytesMax);
    return ingestEvent(deps, project, eventItem(deps, event.piece.bytes), context);
  }
  if (!isRecord(event.read)) {
    throw badRequest(
      'notifier_invalid_envelope',
      'The envelope is not valid: an event that is not a JSON object.',
    );
  }
  // With workers an oversized event was found earlier.
  if (deps.heavy === undefined && Buffer.byteLength(JSON.stringify(event.read)) > eventBytesMax) {
    throw payloadTooLarge(eventBytesMax);
  }
  return ingestEvent(deps, project, event, context);
}
