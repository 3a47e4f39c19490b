// Events of one JSON document: each filed as if it had come alone.
import type { Deps } from './deps.ts';
import { eventBytesMax } from './envelope-items.ts';
import { createTally, type Tally } from './envelope-tally.ts';
import { badRequest, payloadTooLarge, type RestError } from './errors.ts';
import { type IngestContext, type IngestedEvent, ingestEvent } from './ingest.ts';
import { isRecord } from './lenient.ts';
import type { Project } from './store.ts';

export type BatchEntry = { readonly filed: IngestedEvent } | { readonly refused: RestError };

export interface KeptBatch {
  /** One entry an event, in their order. */
  readonly entries: readonly BatchEntry[];
  readonly tally: Tally;
}

/** Files the events side by side, so that many share a commit. Rejects with what the store rejects with. */
export async function ingestBatch(
  deps: Deps,
  project: Project,
  events: readonly unknown[],
  context: IngestContext,
): Promise<KeptBatch> {
  const tally = createTally(deps, { projectId: project.id, atMs: context.receivedAtMs });
  const entries = await Promise.all(
    events.map(async (event): Promise<BatchEntry> => {
      const refused = refusalOf(event);
      if (refused !== null) {
        tally.refuse('event', refused);
        return { refused };
      }
      const filed = await ingestEvent(deps, project, event, context);
      tally.keep('event');
      return { filed };
    }),
  );
  return { entries, tally };
}

function refusalOf(event: unknown): RestError | null {
  if (!isRecord(event)) {
    return badRequest(
      'notifier_invalid_envelope',
      'The envelope is not valid: an event that is no JSON object.',
    );
  }
  return Buffer.byteLength(JSON.stringify(event)) > eventBytesMax ? payloadTooLarge(eventBytesMax) : null;
}
