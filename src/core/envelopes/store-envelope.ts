import type { EventError } from '../../../schemas/event.ts';
import type { FeedbackWarning } from '../../../schemas/feedback.ts';
import type { AuditSource } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError, createPayloadTooLargeError, type RestError } from '../errors.ts';
import {
  createEventItem,
  type IngestContext,
  type IngestedEvent,
  receiveEvent,
  scrubAttachment,
} from '../events/ingest.ts';
import { hashSenderAddress } from '../events/user-hash.ts';
import { type FeedbackContext, type StoredFeedbackResult, storeFeedbackItem } from '../feedback/feedback.ts';
import { parseEventId } from '../ids.ts';
import { filterReasons } from '../inbound-filters/find-filter.ts';
import { type CheckIn, parseCheckIn } from '../monitors/cron/check-ins.ts';
import { receiveCheckIn } from '../monitors/receive-check-in.ts';
import { parseItemObject } from '../parsing/item-json.ts';
import { createYielder } from '../parsing/yield-to-event-loop.ts';
import type { WorkerSlot } from '../ports/large-body-reader.ts';
import type { FilteredEvent } from '../ports/prepared-data.ts';
import { scrubProjectText } from '../scrub/record.ts';
import type { NewSessions } from '../store/counts.ts';
import type { NewAttachment } from '../store/events.ts';
import type { Project } from '../store/projects.ts';
import { type BatchResult, ingestBatch } from './batch.ts';
import { createItemCounts, type ItemCounts } from './item-counts.ts';
import type { Envelope, EnvelopeItem } from './parse-envelope.ts';
import { listDocumentEvents, type ParsedEnvelopeBody } from './parse-upload.ts';
import {
  createClientReportCounter,
  type EnvelopeLimits,
  getUnsupportedOutcome,
} from './rate-limited-items.ts';
import {
  parseHealthItemWithinLimit,
  parseItemOrKeepBytes,
  requirePayloadWithinLimit,
  type SortedItems,
  sortItems,
} from './sort-items.ts';

const checkInBytesMax = 16 * 1024;

export interface StoredEnvelope {
  readonly event: IngestedEvent | null;
  readonly filtered: FilteredEvent | null;
  /** One entry for each event of a JSON document; empty for an envelope. */
  readonly batch: readonly BatchResult[];
  readonly feedback: StoredFeedbackResult | null;
  readonly items: Readonly<Record<string, number>>;
  readonly skipped: Readonly<Record<string, number>>;
  readonly errors: readonly EventError[];
  readonly refusal: RestError | null;
}

export interface EnvelopeContext {
  readonly event: IngestContext;
  readonly feedback: Pick<FeedbackContext, 'sender' | 'receivedAtMs' | 'userAgent'>;
  readonly limits: EnvelopeLimits;
  readonly by: AuditSource;
  readonly slot?: WorkerSlot | null;
}

/** Rejects if the store rejects; an error of the only item is in `refusal`. */
export async function storeUpload(
  deps: Deps,
  project: Project,
  upload: ParsedEnvelopeBody,
  context: EnvelopeContext,
): Promise<StoredEnvelope> {
  if (upload.kind === 'envelope') return storeEnvelope(deps, project, upload.envelope, context);
  const { entries, itemCounts } = await ingestBatch(deps, project, listDocumentEvents(upload), context.event);
  const event = entries.flatMap((entry) => ('filed' in entry ? [entry.filed] : []))[0] ?? null;
  const { errors, ...counts } = itemCounts.counts();
  const filtered = entries.flatMap((entry) => ('filtered' in entry ? [entry.filtered] : []))[0] ?? null;
  const notes = event?.errors ?? errors;
  return { event, filtered, batch: entries, feedback: null, errors: notes, ...counts };
}

interface StoreContext {
  readonly deps: Deps;
  readonly project: Project;
  readonly envelope: Envelope;
  readonly sorted: SortedItems;
  readonly context: EnvelopeContext;
  readonly itemCounts: ItemCounts;
  readonly yieldToEventLoop: () => Promise<void>;
}

async function storeEnvelope(
  deps: Deps,
  project: Project,
  envelope: Envelope,
  context: EnvelopeContext,
): Promise<StoredEnvelope> {
  const itemCounts = createItemCounts(deps, { projectId: project.id, atMs: context.event.receivedAtMs });
  const sorted = sortItems(envelope, itemCounts, getUnsupportedOutcome(context.limits));
  const storeContext = {
    deps,
    project,
    envelope,
    sorted,
    context,
    itemCounts,
    yieldToEventLoop: createYielder(),
  };
  const received = await storeEvent(storeContext);
  const filtered = received !== null && 'filteredBy' in received ? received : null;
  const event = received !== null && 'recorded' in received ? received : null;
  const notes = [...(event?.errors ?? [])];
  const feedback = await storeFeedbackItems(storeContext, event, notes);
  if (filtered !== null && feedback === null) skipAttachments(storeContext, filtered);
  else await storeAttachments(storeContext, event !== null || feedback !== null);
  await storeHealthItems(storeContext);
  if (sorted.checkIns.length > 0) await storeCheckIns(storeContext);
  const { errors, ...counts } = itemCounts.counts();
  return { event, filtered, batch: [], feedback, errors: [...notes, ...errors], ...counts };
}

async function storeEvent(storeContext: StoreContext): Promise<IngestedEvent | FilteredEvent | null> {
  const { deps, project, envelope, sorted, context, itemCounts } = storeContext;
  if (sorted.event === null) return null;
  try {
    const event = await receiveEvent(
      deps,
      project,
      createEventItem(deps, requirePayloadWithinLimit(sorted.event), context.slot),
      {
        ...context.event,
        envelopeHeaders: envelope.headers,
        attachments: sorted.attachments,
      },
    );
    if ('filteredBy' in event) itemCounts.leaveOut('event');
    else itemCounts.countStored('event');
    return event;
  } catch (error) {
    itemCounts.refuse('event', error);
    return null;
  }
}

function replacedTextOf(type: string, warnings: readonly FeedbackWarning[]): EventError[] {
  const replaced = warnings.filter(({ code }) => code === 'invalid_text');
  return replaced.map(({ field }) => ({ type: 'invalid_data', name: `${type}.${field}` }));
}

/** Returns the last stored feedback. Attachments are its screenshots if there is no event. */
async function storeFeedbackItems(
  storeContext: StoreContext,
  event: IngestedEvent | null,
  notes: EventError[],
): Promise<StoredFeedbackResult | null> {
  const { deps, project, envelope, sorted, context, itemCounts, yieldToEventLoop } = storeContext;
  let filed: StoredFeedbackResult | null = null;
  const envelopeEventId = parseEventId(envelope.headers['event_id']);
  const besideEventId = event?.recorded.eventId ?? null;
  const files = event === null ? sorted.attachments.map(fileOf) : [];
  for (const report of sorted.reports) {
    await yieldToEventLoop();
    try {
      const { type } = report;
      const item = { type, ...parseItemOrKeepBytes(report), envelopeEventId, besideEventId, files };
      filed = await storeFeedbackItem(deps, project, item, context.feedback);
      notes.push(...replacedTextOf(type, filed.warnings));
      itemCounts.countStored(report.type);
    } catch (error) {
      itemCounts.refuse(report.type, error);
    }
  }
  return filed;
}

function fileOf(attachment: NewAttachment): { filename: string; contentType: string; bytes: Buffer } {
  const { filename, contentType, bytes } = attachment;
  return { filename, contentType, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

function skipAttachments({ sorted, itemCounts }: StoreContext, { filteredBy }: FilteredEvent): void {
  for (const _each of sorted.attachments)
    itemCounts.skip('attachment', 'filtered', filterReasons[filteredBy]);
}

/** Attachments without an event or feedback in the envelope belong to the event in its header. */
async function storeAttachments(storeContext: StoreContext, haveGone: boolean): Promise<void> {
  const { deps, project, envelope, sorted, itemCounts } = storeContext;
  if (sorted.attachments.length === 0) return;
  const eventId = parseEventId(envelope.headers['event_id']);
  const clean = sorted.attachments.map((attachment) => scrubAttachment(attachment, project));
  try {
    const storedCount = haveGone
      ? clean.length
      : eventId === null
        ? 0
        : await deps.store.addAttachments(project.id, eventId, clean);
    for (const [index] of clean.entries()) {
      if (index < storedCount) itemCounts.countStored('attachment', 'accepted');
      else itemCounts.skip('attachment', 'invalid', 'no_event');
    }
  } catch (error) {
    for (const _each of clean) itemCounts.refuse('attachment', error);
  }
}

async function storeHealthItems({
  deps,
  project,
  envelope,
  sorted,
  context,
  itemCounts,
  yieldToEventLoop,
}: StoreContext): Promise<void> {
  const sentAt = envelope.headers['sent_at'];
  const of = {
    project,
    atMs: context.event.receivedAtMs,
    sentAt: typeof sentAt === 'string' ? sentAt : null,
  };
  const countReport = createClientReportCounter(deps, project, of.atMs, context.limits);
  const sessions: Array<{ readonly type: string; readonly counted: NewSessions }> = [];
  for (const item of sorted.health) {
    await yieldToEventLoop();
    const { type } = item;
    try {
      if (type === 'client_report') {
        const skipped = await countReport(item);
        if (skipped === null) itemCounts.countStored(type);
        else itemCounts.skip(type, ...skipped);
        continue;
      }
      const counted = await parseHealthItemWithinLimit(deps, { ...item, type }, of);
      if (counted === null) itemCounts.skip(type, 'invalid', 'invalid_json');
      else sessions.push({ type, counted });
    } catch (error) {
      itemCounts.refuse(type, error);
    }
  }
  if (sessions.length === 0) return;
  try {
    await deps.store.addSessions(sessions.map(({ counted }) => counted));
    for (const { type } of sessions) itemCounts.countStored(type, 'accepted');
  } catch (error) {
    for (const { type } of sessions) itemCounts.refuse(type, error);
  }
}

/** In order, because the start and the end of a run may be in one envelope. */
async function storeCheckIns({ deps, project, sorted, context, itemCounts, yieldToEventLoop }: StoreContext) {
  for (const item of sorted.checkIns) {
    await yieldToEventLoop();
    try {
      const checkIn = readCheckInItem(item, project);
      const address = hashSenderAddress(context.event.countedAddress ?? '', deps.userHashKey, project.id);
      await receiveCheckIn(deps, project.id, checkIn, context.event.receivedAtMs, {
        by: context.by,
        address,
      });
      itemCounts.countStored(item.type, 'accepted');
    } catch (error) {
      itemCounts.refuse(item.type, error);
    }
  }
}

/** Throws 400 without a monitor slug or status, or above the size limit. */
function readCheckInItem({ type, payload }: EnvelopeItem, project: Project): CheckIn {
  if (payload.byteLength > checkInBytesMax) throw createPayloadTooLargeError(checkInBytesMax);
  const read = parseCheckIn(parseItemObject(payload, type).value);
  // A slug that looks like a secret would be displayed.
  if (read === null || scrubProjectText(read.slug, project) !== read.slug) {
    throw createBadRequestError(
      'notifier_invalid_check_in',
      'A check-in requires a monitor_slug and a status: in_progress, ok or error.',
    );
  }
  return { ...read, environment: scrubProjectText(read.environment, project) };
}
