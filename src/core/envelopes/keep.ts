// Stores an envelope: event, feedback, attachments, sessions, client reports and check-ins.
import type { EventError } from '../../../schemas/event.ts';
import type { FeedbackWarning } from '../../../schemas/feedback.ts';
import type { AuditBy } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { badRequest, payloadTooLarge, type RestError } from '../errors.ts';
import {
  eventItem,
  type IngestContext,
  type IngestedEvent,
  ingestEvent,
  withCleanName,
} from '../events/ingest.ts';
import { senderHashOf } from '../events/user-hash.ts';
import type { FeedbackContext, FiledFeedback } from '../feedback/feedback.ts';
import { fileFeedbackItem } from '../feedback/items.ts';
import { parseEventId } from '../ids.ts';
import { type CheckIn, readCheckIn } from '../monitors/cron/check-ins.ts';
import { takeCheckIn } from '../monitors/jobs.ts';
import type { PlaceAside } from '../ports/heavy-reader.ts';
import { readItemRecord } from '../reading/item-json.ts';
import { createPace } from '../reading/pace.ts';
import { scrubProjectText } from '../scrub/record.ts';
import type { NewSessions } from '../store/counts/sessions.ts';
import type { NewAttachment } from '../store/events.ts';
import type { Project } from '../store/projects.ts';
import { type BatchEntry, ingestBatch } from './batch.ts';
import type { Envelope, EnvelopeItem } from './grammar.ts';
import { boundedPayload, readHealthItem, recordOrHeavy, type SortedItems, sortItems } from './items.ts';
import { type EnvelopeLimits, reportCounter, untakenFate } from './limits.ts';
import { createTally, type Tally } from './tally.ts';
import { eventsOf, type Upload } from './upload.ts';

const checkInBytesMax = 16 * 1024;

export interface KeptEnvelope {
  readonly event: IngestedEvent | null;
  /** One entry for each event of a JSON document; empty for an envelope. */
  readonly batch: readonly BatchEntry[];
  readonly feedback: FiledFeedback | null;
  readonly items: Readonly<Record<string, number>>;
  readonly skipped: Readonly<Record<string, number>>;
  /** Normalization errors of the event, and refused items. */
  readonly errors: readonly EventError[];
  /** The error of the only item, if nothing was stored. */
  readonly refusal: RestError | null;
}

export interface EnvelopeContext {
  readonly event: IngestContext;
  readonly feedback: Pick<FeedbackContext, 'sender' | 'receivedAtMs' | 'userAgent'>;
  readonly limits: EnvelopeLimits;
  readonly by: AuditBy;
  /** The worker slot reserved for the event. */
  readonly place?: PlaceAside | null;
}

/** Rejects if the store rejects; an error of the only item is in `refusal`. */
export async function ingestUpload(
  deps: Deps,
  project: Project,
  upload: Upload,
  context: EnvelopeContext,
): Promise<KeptEnvelope> {
  if (upload.kind === 'envelope') return ingestEnvelope(deps, project, upload.envelope, context);
  const { entries, tally } = await ingestBatch(deps, project, eventsOf(upload), context.event);
  const event = entries.flatMap((entry) => ('filed' in entry ? [entry.filed] : []))[0] ?? null;
  const { errors, ...counts } = tally.counts();
  return { event, batch: entries, feedback: null, errors: event?.errors ?? errors, ...counts };
}

interface Keeping {
  readonly deps: Deps;
  readonly project: Project;
  readonly envelope: Envelope;
  readonly sorted: SortedItems;
  readonly context: EnvelopeContext;
  readonly tally: Tally;
  readonly pace: () => Promise<void>;
}

async function ingestEnvelope(
  deps: Deps,
  project: Project,
  envelope: Envelope,
  context: EnvelopeContext,
): Promise<KeptEnvelope> {
  const tally = createTally(deps, { projectId: project.id, atMs: context.event.receivedAtMs });
  const sorted = sortItems(envelope, tally, untakenFate(context.limits));
  const keeping = { deps, project, envelope, sorted, context, tally, pace: createPace() };
  const event = await keepEvent(keeping);
  const notes = [...(event?.errors ?? [])];
  const feedback = await keepReports(keeping, event, notes);
  await keepAttachments(keeping, event !== null || feedback !== null);
  await keepHealth(keeping);
  if (sorted.checkIns.length > 0) await keepCheckIns(keeping);
  const { errors, ...counts } = tally.counts();
  return { event, batch: [], feedback, errors: [...notes, ...errors], ...counts };
}

/** Null if there is no event or it was refused. */
async function keepEvent(keeping: Keeping): Promise<IngestedEvent | null> {
  const { deps, project, envelope, sorted, context, tally } = keeping;
  if (sorted.event === null) return null;
  try {
    const event = await ingestEvent(
      deps,
      project,
      eventItem(deps, boundedPayload(sorted.event), context.place),
      {
        ...context.event,
        envelopeHeaders: envelope.headers,
        attachments: sorted.attachments,
      },
    );
    tally.keep('event');
    return event;
  } catch (error) {
    tally.refuse('event', error);
    return null;
  }
}

function replacedTextOf(type: string, warnings: readonly FeedbackWarning[]): EventError[] {
  const replaced = warnings.filter(({ code }) => code === 'invalid_text');
  return replaced.map(({ field }) => ({ type: 'invalid_data', name: `${type}.${field}` }));
}

/** Returns the last stored feedback. Attachments are its screenshots if there is no event. */
async function keepReports(
  keeping: Keeping,
  event: IngestedEvent | null,
  notes: EventError[],
): Promise<FiledFeedback | null> {
  const { deps, project, envelope, sorted, context, tally, pace } = keeping;
  let filed: FiledFeedback | null = null;
  const envelopeEventId = parseEventId(envelope.headers['event_id']);
  const besideEventId = event?.recorded.eventId ?? null;
  const files = event === null ? sorted.attachments.map(fileOf) : [];
  for (const report of sorted.reports) {
    await pace();
    try {
      const { type } = report;
      const item = { type, ...recordOrHeavy(deps, report), envelopeEventId, besideEventId, files };
      filed = await fileFeedbackItem(deps, project, item, context.feedback);
      notes.push(...replacedTextOf(type, filed.warnings));
      tally.keep(report.type);
    } catch (error) {
      tally.refuse(report.type, error);
    }
  }
  return filed;
}

function fileOf(attachment: NewAttachment): { filename: string; contentType: string; bytes: Buffer } {
  const { filename, contentType, bytes } = attachment;
  return { filename, contentType, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

/** Attachments without an event or feedback in the envelope belong to the event in its header. */
async function keepAttachments(keeping: Keeping, haveGone: boolean): Promise<void> {
  const { deps, project, envelope, sorted, tally } = keeping;
  if (sorted.attachments.length === 0) return;
  const eventId = parseEventId(envelope.headers['event_id']);
  const clean = sorted.attachments.map((attachment) => withCleanName(attachment, project));
  try {
    const kept = haveGone
      ? clean.length
      : eventId === null
        ? 0
        : await deps.store.addAttachments(project.id, eventId, clean);
    for (const [index] of clean.entries()) {
      if (index < kept) tally.keep('attachment', 'accepted');
      else tally.skip('attachment', 'invalid', 'no_event');
    }
  } catch (error) {
    for (const _each of clean) tally.refuse('attachment', error);
  }
}

async function keepHealth({ deps, project, envelope, sorted, context, tally, pace }: Keeping): Promise<void> {
  const sentAt = envelope.headers['sent_at'];
  const of = {
    project,
    atMs: context.event.receivedAtMs,
    sentAt: typeof sentAt === 'string' ? sentAt : null,
  };
  const countReport = reportCounter(deps, project, of.atMs, context.limits);
  const sessions: Array<{ readonly type: string; readonly counted: NewSessions }> = [];
  for (const item of sorted.health) {
    await pace();
    const { type } = item;
    try {
      if (type === 'client_report') {
        const skipped = await countReport(item);
        if (skipped === null) tally.keep(type);
        else tally.skip(type, ...skipped);
        continue;
      }
      const counted = await readHealthItem(deps, { ...item, type }, of);
      if (counted === null) tally.skip(type, 'invalid', 'invalid_json');
      else sessions.push({ type, counted });
    } catch (error) {
      tally.refuse(type, error);
    }
  }
  if (sessions.length === 0) return;
  try {
    await deps.store.addSessions(sessions.map(({ counted }) => counted));
    for (const { type } of sessions) tally.keep(type, 'accepted');
  } catch (error) {
    for (const { type } of sessions) tally.refuse(type, error);
  }
}

/** In order, because the start and the end of a run may be in one envelope. */
async function keepCheckIns({ deps, project, sorted, context, tally, pace }: Keeping): Promise<void> {
  for (const item of sorted.checkIns) {
    await pace();
    try {
      const checkIn = readCheckInItem(item, project);
      const address = senderHashOf(context.event.countedAddress ?? '', deps.userHashKey, project.id);
      await takeCheckIn(deps, project.id, checkIn, context.event.receivedAtMs, { by: context.by, address });
      tally.keep(item.type, 'accepted');
    } catch (error) {
      tally.refuse(item.type, error);
    }
  }
}

/** Throws 400 without a monitor slug or status, or above the size limit. */
function readCheckInItem({ type, payload }: EnvelopeItem, project: Project): CheckIn {
  if (payload.byteLength > checkInBytesMax) throw payloadTooLarge(checkInBytesMax);
  const read = readCheckIn(readItemRecord(payload, type).value);
  // A slug that looks like a secret would be displayed.
  if (read === null || scrubProjectText(read.slug, project) !== read.slug) {
    throw badRequest(
      'notifier_invalid_check_in',
      'A check-in requires a monitor_slug and a status: in_progress, ok or error.',
    );
  }
  return { ...read, environment: scrubProjectText(read.environment, project) };
}
