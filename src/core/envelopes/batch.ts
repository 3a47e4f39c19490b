// Events of one JSON document: each filed as if it had come alone.
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
  /** One entry an event, in their order. */
  readonly entries: readonly BatchEntry[];
  readonly tally: Tally;
}

/**
 * Files the events side by side, so that many share a commit. Rejects with what the store rejects with, where
 * none is filed.
 */
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
    // Failures are reported after all have begun; an unhandled rejection until then would end the process.
    begun.push(entry.catch((failed: unknown) => ({ failed })));
    // Heavy ones go one by one: a document must not fill the queue of the threads.
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
  // With threads, an event over the limit was found before; without them it is measured here.
  if (deps.heavy === undefined && Buffer.byteLength(JSON.stringify(event.read)) > eventBytesMax) {
    throw payloadTooLarge(eventBytesMax);
  }
  return ingestEvent(deps, project, event, context);
}
