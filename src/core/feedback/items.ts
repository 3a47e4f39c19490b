// Bug reports that come in an envelope, filed: the domain's switch is obeyed as everywhere.
import type { Deps } from '../deps.ts';
import type { PreparedReport } from '../ports/readings.ts';
import type { JsonRecord } from '../reading/lenient.ts';
import type { Project } from '../store/projects.ts';
import { type FeedbackContext, type FiledFeedback, fileReport } from './feedback.ts';
import { prepareReportItem } from './prepare-item.ts';
import { type SentFile, sentImages } from './screenshots.ts';

export interface FeedbackItem {
  readonly type: 'feedback' | 'user_report';
  /** The JSON of the item, or its bytes where they are too much to be read here. */
  readonly payload: JsonRecord | Uint8Array;
  /** Where broken text of it was replaced when it was read. */
  readonly replacedAt?: readonly string[];
  /** `event_id` of the envelope's header, 32 hex, or null. */
  readonly envelopeEventId: string | null;
  /** The event that was filed from the same envelope, 32 hex, or null. */
  readonly besideEventId?: string | null;
  /** Attachments of the same envelope. */
  readonly files: readonly SentFile[];
}

type Around = Pick<FeedbackContext, 'sender' | 'receivedAtMs' | 'userAgent'>;

/**
 * Files the report of an item. The same item sent again is known by its id, or for a `user_report` by its
 * words, and answers the first with `duplicate`. Throws as `fileReport` does: 403 by the domain's switch, 400
 * without a message.
 */
export async function fileFeedbackItem(
  deps: Deps,
  project: Project,
  item: FeedbackItem,
  around: Around,
): Promise<FiledFeedback> {
  const source = item.type === 'feedback' ? 'feedback_item' : 'user_report';
  const prepared = await prepare(deps, project, item, around);
  return await fileReport(deps, project, prepared, {
    ...around,
    source,
    besideEventId: item.besideEventId ?? null,
  });
}

async function prepare(
  deps: Deps,
  project: Project,
  item: FeedbackItem,
  around: Around,
): Promise<PreparedReport> {
  const { type, payload, replacedAt, envelopeEventId, files } = item;
  const { scrubFields, storeIpAddresses } = project;
  const facts = {
    type,
    envelopeEventId,
    userAgent: around.userAgent ?? '',
    project: { scrubFields, storeIpAddresses },
  };
  if (!(payload instanceof Uint8Array)) return prepareReportItem(payload, files, facts, replacedAt);
  if (deps.heavy === undefined) throw new Error('heavy bytes without a reader for them');
  const read = await deps.heavy.readReport(payload, facts);
  return { ...read, images: [...read.images, ...sentImages([], files)] };
}
