// Stores the feedback items of envelopes.
import type { Deps } from '../deps.ts';
import type { PreparedReport } from '../ports/readings.ts';
import type { JsonRecord } from '../reading/lenient.ts';
import type { Project } from '../store/projects.ts';
import { type FeedbackContext, type FiledFeedback, fileReport } from './feedback.ts';
import { prepareReportItem } from './prepare-item.ts';
import { type SentFile, sentImages } from './screenshots.ts';

export interface FeedbackItem {
  readonly type: 'feedback' | 'user_report';
  /** Parsed, or bytes if a worker has to read them. */
  readonly payload: JsonRecord | Uint8Array;
  readonly replacedAt?: readonly string[];
  readonly envelopeEventId: string | null;
  /** The event stored from the same envelope, 32 hex digits. */
  readonly besideEventId?: string | null;
  readonly files: readonly SentFile[];
}

type Around = Pick<FeedbackContext, 'sender' | 'receivedAtMs' | 'userAgent'>;

/** A repeated item is a `duplicate`. Throws as `fileReport`, and 400 without a message. */
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
