// An envelope kept: its event, its bug reports, its attachments, its sessions and its losses, one item never changing what
// another means.
import type { EventError } from '../../schemas/event.ts';
import { aggregatedSessionsOf, sessionOf } from './client-reports.ts';
import type { Deps } from './deps.ts';
import type { Envelope } from './envelope.ts';
import { jsonOrNull, type ReadItems, readItems } from './envelope-items.ts';
import { type EnvelopeLimits, reportCounter, untakenFate } from './envelope-limits.ts';
import { createTally, itemRefusal, type Tally } from './envelope-tally.ts';
import type { Upload } from './envelope-upload.ts';
import type { RestError } from './errors.ts';
import { parseEventId } from './event-id.ts';
import type { FeedbackContext, FiledFeedback } from './feedback.ts';
import { fileFeedbackItem } from './feedback-items.ts';
import { type IngestContext, type IngestedEvent, ingestEvent, withCleanName } from './ingest.ts';
import { type BatchEntry, ingestBatch } from './ingest-batch.ts';
import type { NewAttachment, Project } from './store.ts';

export interface KeptEnvelope {
  readonly event: IngestedEvent | null;
  /** One entry an event of a JSON document, in its order; empty for an envelope. */
  readonly batch: readonly BatchEntry[];
  readonly feedback: FiledFeedback | null;
  readonly items: Readonly<Record<string, number>>;
  readonly skipped: Readonly<Record<string, number>>;
  /** What was set aside: fields of the event, and items that were refused beside others. */
  readonly errors: readonly EventError[];
  /** The refusal of the one item there was to keep, when nothing was kept; what was lost is counted already. */
  readonly refusal: RestError | null;
}

export interface EnvelopeContext {
  readonly event: IngestContext;
  readonly feedback: Pick<FeedbackContext, 'sender' | 'receivedAtMs' | 'userAgent'>;
  readonly limits: EnvelopeLimits;
}

/** Keeps what there is to keep, and tells the refusal when that was nothing. Rejects with what the store rejects with. */
export async function ingestUpload(
  deps: Deps,
  project: Project,
  upload: Upload,
  context: EnvelopeContext,
): Promise<KeptEnvelope> {
  if (upload.kind === 'envelope') return ingestEnvelope(deps, project, upload.envelope, context);
  const { entries, tally } = await ingestBatch(deps, project, upload.events, context.event);
  const event = entries.flatMap((entry) => ('filed' in entry ? [entry.filed] : []))[0] ?? null;
  const { errors, ...counts } = tally.counts();
  return { event, batch: entries, feedback: null, errors: event?.errors ?? errors, ...counts };
}

async function ingestEnvelope(
  deps: Deps,
  project: Project,
  envelope: Envelope,
  context: EnvelopeContext,
): Promise<KeptEnvelope> {
  const { receivedAtMs } = context.event;
  const tally = createTally(deps, { projectId: project.id, atMs: receivedAtMs });
  const read = readItems(envelope, tally, untakenFate(context.limits));
  const event =
    read.event === null
      ? null
      : await ingestEvent(deps, project, read.event, {
          ...context.event,
          envelopeHeaders: envelope.headers,
          attachments: read.attachments,
        });
  if (event !== null) tally.keep('event');
  const feedback = await keepReports(deps, project, envelope, read, event, context, tally);
  await keepAttachments(deps, project, envelope, read, event !== null || feedback !== null, tally);
  await keepHealth(deps, project, envelope, context, tally);
  const { errors, ...counts } = tally.counts();
  return { event, batch: [], feedback, errors: [...(event?.errors ?? []), ...errors], ...counts };
}

/** The last report that was filed. Pictures go with it where there is no event that they belong to. */
async function keepReports(
  deps: Deps,
  project: Project,
  envelope: Envelope,
  read: ReadItems,
  event: IngestedEvent | null,
  context: EnvelopeContext,
  tally: Tally,
): Promise<FiledFeedback | null> {
  let filed: FiledFeedback | null = null;
  const envelopeEventId = parseEventId(envelope.headers['event_id']);
  const besideEventId = event?.recorded.eventId ?? null;
  const files = read.event === null ? read.attachments.map(fileOf) : [];
  for (const report of read.reports) {
    try {
      const item = { ...report, envelopeEventId, besideEventId, files };
      filed = await fileFeedbackItem(deps, project, item, context.feedback);
      tally.keep(report.type);
    } catch (error) {
      tally.refuse(report.type, itemRefusal(error));
    }
  }
  return filed;
}

function fileOf(attachment: NewAttachment): { filename: string; contentType: string; bytes: Buffer } {
  const { filename, contentType, bytes } = attachment;
  return { filename, contentType, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

/** Attachments went with their event or report; by themselves they belong to the event that the header names. */
async function keepAttachments(
  deps: Deps,
  project: Project,
  envelope: Envelope,
  read: ReadItems,
  haveGone: boolean,
  tally: Tally,
): Promise<void> {
  if (read.attachments.length === 0) return;
  const eventId = parseEventId(envelope.headers['event_id']);
  const kept = haveGone
    ? read.attachments.length
    : eventId === null
      ? 0
      : await addAttachments(deps, project, eventId, read.attachments);
  for (const [index] of read.attachments.entries()) {
    if (index < kept) tally.keep('attachment', 'accepted');
    else tally.skip('attachment', 'invalid', 'no_event');
  }
}

async function addAttachments(
  deps: Deps,
  project: Project,
  eventId: string,
  attachments: readonly NewAttachment[],
): Promise<number> {
  const clean = attachments.map((attachment) => withCleanName(attachment, project));
  return deps.store.addAttachments(project.id, eventId, clean);
}

/** Losses and sessions: counted, and skipped where they cannot be read. */
async function keepHealth(
  deps: Deps,
  project: Project,
  envelope: Envelope,
  { event: { receivedAtMs }, limits }: EnvelopeContext,
  tally: Tally,
): Promise<void> {
  const count = reportCounter(deps, project, receivedAtMs, limits);
  const sessions = [];
  for (const item of envelope.items) {
    if (item.type === 'client_report') {
      const skipped = await count(item);
      if (skipped === null) tally.keep(item.type);
      else tally.skip(item.type, ...skipped);
    }
    if (item.type !== 'session' && item.type !== 'sessions') continue;
    const read = item.type === 'session' ? sessionOf : aggregatedSessionsOf;
    const counted = read(jsonOrNull(item), project, receivedAtMs);
    if (counted === null) tally.skip(item.type, 'invalid', 'invalid_json');
    else {
      sessions.push(counted);
      tally.keep(item.type, 'accepted');
    }
  }
  if (sessions.length > 0) await deps.store.addSessions(sessions);
}
