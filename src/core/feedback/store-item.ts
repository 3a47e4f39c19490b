import type { Deps } from '../deps.ts';
import type { JsonObject } from '../parsing/unknown-values.ts';
import type { PreparedFeedback } from '../ports/prepared-data.ts';
import type { Project } from '../store/projects.ts';
import { type FeedbackContext, type StoredFeedbackResult, storeFeedback } from './feedback.ts';
import { parseFeedbackItem } from './parse-item.ts';
import { collectImages, type FeedbackFile } from './screenshots.ts';

export interface FeedbackItem {
  readonly type: 'feedback' | 'user_report';
  readonly payload: JsonObject | Uint8Array;
  readonly replacedAt?: readonly string[];
  readonly envelopeEventId: string | null;
  /** The event stored from the same envelope, 32 hex digits. */
  readonly besideEventId?: string | null;
  readonly files: readonly FeedbackFile[];
}

type RequestContext = Pick<FeedbackContext, 'sender' | 'receivedAtMs' | 'userAgent'>;

/** A repeated item is a `duplicate`. Throws as `storeFeedback`, and 400 without a message. */
export async function storeFeedbackItem(
  deps: Deps,
  project: Project,
  item: FeedbackItem,
  around: RequestContext,
): Promise<StoredFeedbackResult> {
  const source = item.type === 'feedback' ? 'feedback_item' : 'user_report';
  const prepared = await prepare(deps, project, item, around);
  return await storeFeedback(deps, project, prepared, {
    ...around,
    source,
    besideEventId: item.besideEventId ?? null,
  });
}

async function prepare(
  deps: Deps,
  project: Project,
  item: FeedbackItem,
  around: RequestContext,
): Promise<PreparedFeedback> {
  const { type, payload, replacedAt, envelopeEventId, files } = item;
  const { scrubFields, storeIpAddresses } = project;
  const facts = {
    type,
    envelopeEventId,
    userAgent: around.userAgent ?? '',
    project: { scrubFields, storeIpAddresses },
  };
  if (!(payload instanceof Uint8Array)) return parseFeedbackItem(payload, files, facts, replacedAt);
  if (deps.largeBodyReader === undefined) throw new Error('large bytes without a reader for them');
  const read = await deps.largeBodyReader.readReport(payload, facts);
  return { ...read, images: [...read.images, ...collectImages([], files)] };
}
