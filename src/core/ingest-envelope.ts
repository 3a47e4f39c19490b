// An envelope from bytes to what was kept of it: each item by its type, one item never changing what another means.
import type { EventError } from '../../schemas/event.ts';
import { aggregatedSessionsOf, clientReportBytesMax, lossesOf, sessionOf } from './client-reports.ts';
import type { Deps } from './deps.ts';
import { type Envelope, type EnvelopeItem, parseEnvelope, readItemJson } from './envelope.ts';
import { badRequest, payloadTooLarge, RestError } from './errors.ts';
import { parseEventId } from './event-id.ts';
import type { FeedbackContext, FiledFeedback } from './feedback.ts';
import { fileFeedbackItem } from './feedback-items.ts';
import { type IngestContext, type IngestedEvent, ingestEvent } from './ingest.ts';
import { isRecord, type JsonRecord } from './lenient.ts';
import type { NewAttachment, Project } from './store.ts';

export const eventBytesMax = 1024 * 1024;
export const attachmentBytesMax = 5 * 1024 * 1024;
export const attachmentsMax = 5;
/** Events of one JSON document `{"events": […]}`. */
export const batchEventsMax = 500;

/** Header members of an envelope: an object with nothing else is a header, not an event. */
const headerMembers: ReadonlySet<string> = new Set(['event_id', 'dsn', 'sdk', 'sent_at', 'trace']);

export interface KeptEnvelope {
  readonly event: IngestedEvent | null;
  /** One entry an event of a JSON document, in its order; empty for an envelope. */
  readonly batch: readonly BatchEntry[];
  readonly feedback: FiledFeedback | null;
  readonly items: Readonly<Record<string, number>>;
  readonly skipped: Readonly<Record<string, number>>;
}

export type BatchEntry =
  | { readonly filed: IngestedEvent }
  | { readonly refused: { readonly code: string; readonly message: string } };

export interface EnvelopeContext {
  readonly event: IngestContext;
  readonly feedback: Pick<FeedbackContext, 'sender' | 'receivedAtMs' | 'userAgent'>;
}

/** What came: an envelope, or a JSON document of events. */
export type Upload =
  | { readonly kind: 'envelope'; readonly envelope: Envelope }
  | { readonly kind: 'events'; readonly events: readonly unknown[]; readonly isBatch: boolean };

/**
 * Reads the body of /envelope. A JSON document `{"events": […]}` or a single event object is taken as well.
 * Throws 400 `notifier_invalid_envelope`, `notifier_empty_envelope`, `notifier_duplicate_item`, `rest_invalid_json`.
 */
export function readUpload(bytes: Buffer): Upload {
  const document = documentOf(bytes);
  if (document === null) return { kind: 'envelope', envelope: parseEnvelope(bytes) };
  const { events } = document;
  if (!Array.isArray(events)) return { kind: 'events', events: [document], isBatch: false };
  if (events.length === 0) throw badRequest('notifier_empty_envelope', 'The envelope holds no items.');
  if (events.length > batchEventsMax) {
    throw badRequest('notifier_invalid_envelope', `The envelope holds more than ${batchEventsMax} events.`);
  }
  return { kind: 'events', events, isBatch: true };
}

/** True when the upload only reports losses: never limited (D-13). */
export function onlyReportsLosses(upload: Upload): boolean {
  return upload.kind === 'envelope' && upload.envelope.items.every((item) => item.type === 'client_report');
}

/** Counts the losses that an upload reports, and nothing else of it. */
export function countReportedLosses(
  deps: Deps,
  project: Project,
  upload: Upload,
  receivedAtMs: number,
): void {
  if (upload.kind !== 'envelope') return;
  for (const item of upload.envelope.items) {
    if (item.type === 'client_report') keepClientReport(deps, project, item, receivedAtMs);
  }
}

/** Keeps what there is to keep. Rejects with 403 when all there was is a bug report that the domain does not allow. */
export async function ingestUpload(
  deps: Deps,
  project: Project,
  upload: Upload,
  context: EnvelopeContext,
): Promise<KeptEnvelope> {
  if (upload.kind === 'envelope') return ingestEnvelope(deps, project, upload.envelope, context);
  const batch: BatchEntry[] = await Promise.all(
    upload.events.map((event) => batchEntry(deps, project, event, context)),
  );
  const filed = batch.flatMap((entry) => ('filed' in entry ? [entry.filed] : []));
  const [refused] = batch.flatMap((entry) => ('refused' in entry ? [entry.refused] : []));
  if (filed.length === 0 && refused !== undefined) throw badRequest(refused.code, refused.message);
  const skipped = batch.length - filed.length;
  return {
    event: filed[0] ?? null,
    batch: upload.isBatch ? batch : [],
    feedback: null,
    items: { event: filed.length },
    skipped: skipped === 0 ? {} : { event: skipped },
  };
}

async function batchEntry(
  deps: Deps,
  project: Project,
  event: unknown,
  context: EnvelopeContext,
): Promise<BatchEntry> {
  if (!isRecord(event))
    return { refused: { code: 'rest_invalid_param', message: 'An event must be an object.' } };
  if (Buffer.byteLength(JSON.stringify(event)) > eventBytesMax) {
    return { refused: { code: 'rest_payload_too_large', message: payloadTooLarge(eventBytesMax).message } };
  }
  return { filed: await ingestEvent(deps, project, event, context.event) };
}

/** The whole body as one JSON object, when it is one and no envelope's header. */
function documentOf(bytes: Buffer): JsonRecord | null {
  let document: unknown;
  try {
    document = readItemJson(bytes);
  } catch {
    return null;
  }
  if (!isRecord(document)) return null;
  return Object.keys(document).some((name) => !headerMembers.has(name)) ? document : null;
}

/** What is read of an envelope before anything is kept: a fault in here refuses it whole. */
interface ReadItems {
  readonly event: JsonRecord | null;
  readonly reports: ReadonlyArray<{
    readonly type: 'feedback' | 'user_report';
    readonly payload: JsonRecord;
  }>;
  readonly attachments: readonly NewAttachment[];
}

async function ingestEnvelope(
  deps: Deps,
  project: Project,
  envelope: Envelope,
  context: EnvelopeContext,
): Promise<KeptEnvelope> {
  const tally = createTally();
  const read = readItems(envelope, tally);
  const { receivedAtMs } = context.event;
  const attachmentsGoToEvent = read.event !== null;
  const event =
    read.event === null
      ? null
      : await ingestEvent(deps, project, read.event, {
          ...context.event,
          envelopeHeaders: envelope.headers,
          attachments: read.attachments,
        });
  if (event !== null) tally.keep('event');
  const reports = await keepReports(deps, project, envelope, read, context, tally);
  await keepAttachments(deps, project, envelope, read, attachmentsGoToEvent || reports.takesFiles, tally);
  await keepHealth(deps, project, envelope, receivedAtMs, tally);
  for (const [type, quantity] of tally.unsupported) {
    deps.outcomes.count({
      projectId: project.id,
      atMs: receivedAtMs,
      outcome: 'filtered',
      reason: 'unsupported',
      category: categoryOf(type),
      quantity,
    });
  }
  const kept = tally.counts();
  if (Object.keys(kept.items).length === 0 && reports.refusal !== null) throw reports.refusal;
  return { event, batch: [], feedback: reports.filed, ...kept };
}

interface Tally {
  keep(type: string): void;
  skip(type: string): void;
  skipUnsupported(type: string): void;
  readonly unsupported: ReadonlyMap<string, number>;
  counts(): { items: Record<string, number>; skipped: Record<string, number> };
}

function createTally(): Tally {
  const items = new Map<string, number>();
  const skipped = new Map<string, number>();
  const unsupported = new Map<string, number>();
  const add = (counts: Map<string, number>, type: string): void => {
    counts.set(type.slice(0, 64), (counts.get(type.slice(0, 64)) ?? 0) + 1);
  };
  const bare = (counts: Map<string, number>): Record<string, number> =>
    Object.assign(Object.create(null) as Record<string, number>, Object.fromEntries(counts));
  return {
    keep: (type) => add(items, type),
    skip: (type) => add(skipped, type),
    skipUnsupported(type) {
      add(skipped, type);
      add(unsupported, type);
    },
    unsupported,
    counts: () => ({ items: bare(items), skipped: bare(skipped) }),
  };
}

const keptTypes: ReadonlySet<string> = new Set([
  'event',
  'feedback',
  'user_report',
  'attachment',
  'client_report',
  'session',
  'sessions',
]);

function readItems(envelope: Envelope, tally: Tally): ReadItems {
  let event: JsonRecord | null = null;
  const reports: Array<{ type: 'feedback' | 'user_report'; payload: JsonRecord }> = [];
  const attachments: NewAttachment[] = [];
  for (const item of envelope.items) {
    if (!keptTypes.has(item.type)) tally.skipUnsupported(item.type);
    else if (item.type === 'event') event = readRecord(item);
    else if (item.type === 'feedback' || item.type === 'user_report') {
      reports.push({ type: item.type, payload: readRecord(item) });
    } else if (item.type === 'attachment') {
      const fits = item.payload.byteLength <= attachmentBytesMax && attachments.length < attachmentsMax;
      if (fits) attachments.push(attachmentOf(item));
      else tally.skip('attachment');
    }
  }
  return { event, reports, attachments };
}

function readRecord(item: EnvelopeItem): JsonRecord {
  if (item.payload.byteLength > eventBytesMax) throw payloadTooLarge(eventBytesMax);
  const value = readItemJson(item.payload);
  if (!isRecord(value))
    throw badRequest(
      'notifier_invalid_envelope',
      `The envelope is not valid: a ${item.type} that is no JSON object.`,
    );
  return value;
}

function attachmentOf(item: EnvelopeItem): NewAttachment {
  const text = (name: string, fallback: string): string => {
    const value = item.headers[name];
    return typeof value === 'string' && value !== '' ? value.slice(0, 256) : fallback;
  };
  return {
    filename: text('filename', 'attachment'),
    contentType: text('content_type', 'application/octet-stream'),
    attachmentType: text('attachment_type', 'event.attachment'),
    bytes: item.payload,
  };
}

interface KeptReports {
  readonly filed: FiledFeedback | null;
  /** The refusal of a bug report, told only when nothing else was kept (D-23). */
  readonly refusal: RestError | null;
  readonly takesFiles: boolean;
}

async function keepReports(
  deps: Deps,
  project: Project,
  envelope: Envelope,
  read: ReadItems,
  context: EnvelopeContext,
  tally: Tally,
): Promise<KeptReports> {
  let filed: FiledFeedback | null = null;
  let refusal: RestError | null = null;
  const files = read.event === null ? read.attachments.map(fileOf) : [];
  for (const report of read.reports) {
    try {
      const item = { ...report, envelopeEventId: parseEventId(envelope.headers['event_id']), files };
      filed = await fileFeedbackItem(deps, project, item, context.feedback);
      tally.keep(report.type);
    } catch (error) {
      if (!(error instanceof RestError) || error.status >= 429) throw error;
      refusal = error;
      tally.skip(report.type);
      deps.outcomes.count({
        projectId: project.id,
        atMs: context.event.receivedAtMs,
        outcome: error.status === 403 ? 'filtered' : 'invalid',
        reason: String(error.extra['reason'] ?? error.code),
        category: 'feedback',
        quantity: 1,
      });
    }
  }
  return { filed, refusal, takesFiles: read.event === null && filed !== null };
}

function fileOf(attachment: NewAttachment): { filename: string; contentType: string; bytes: Buffer } {
  return {
    filename: attachment.filename,
    contentType: attachment.contentType,
    bytes: Buffer.from(attachment.bytes),
  };
}

/** Attachments went with their event or report; by themselves they belong to the event that the header names. */
async function keepAttachments(
  deps: Deps,
  project: Project,
  envelope: Envelope,
  read: ReadItems,
  areKept: boolean,
  tally: Tally,
): Promise<void> {
  if (read.attachments.length === 0) return;
  const eventId = parseEventId(envelope.headers['event_id']);
  const isKept =
    areKept || (eventId !== null && (await deps.store.addAttachments(project.id, eventId, read.attachments)));
  for (const _ of read.attachments) {
    if (isKept) tally.keep('attachment');
    else tally.skip('attachment');
  }
}

/** Losses and sessions: counted, and skipped where they cannot be read. */
async function keepHealth(
  deps: Deps,
  project: Project,
  envelope: Envelope,
  receivedAtMs: number,
  tally: Tally,
): Promise<void> {
  const sessions = [];
  for (const item of envelope.items) {
    if (item.type === 'client_report') {
      if (keepClientReport(deps, project, item, receivedAtMs)) tally.keep(item.type);
      else tally.skip(item.type);
    }
    if (item.type !== 'session' && item.type !== 'sessions') continue;
    const read = item.type === 'session' ? sessionOf : aggregatedSessionsOf;
    const counted = read(jsonOrNull(item), project.id, receivedAtMs);
    if (counted === null) tally.skip(item.type);
    else {
      sessions.push(counted);
      tally.keep(item.type);
    }
  }
  if (sessions.length > 0) await deps.store.addSessions(sessions);
}

function keepClientReport(deps: Deps, project: Project, item: EnvelopeItem, receivedAtMs: number): boolean {
  const report = item.payload.byteLength > clientReportBytesMax ? null : jsonOrNull(item);
  if (!isRecord(report)) return false;
  for (const loss of lossesOf(report, project.id, receivedAtMs)) deps.outcomes.count(loss);
  return true;
}

function jsonOrNull(item: EnvelopeItem): unknown {
  try {
    return item.payload.byteLength > eventBytesMax ? null : readItemJson(item.payload);
  } catch {
    return null;
  }
}

/** The rate-limit category of an item type, as the Sentry SDKs have it (ingestion.md section 5). */
export function categoryOf(itemType: string): string {
  const categories: Readonly<Record<string, string>> = {
    event: 'error',
    user_report: 'feedback',
    client_report: 'internal',
    sessions: 'session',
    check_in: 'monitor',
    raw_security: 'security',
  };
  return Object.hasOwn(categories, itemType) ? (categories[itemType] ?? itemType) : itemType.slice(0, 64);
}

/** Errors of every event that was filed, for the answer. */
export function errorsOf(kept: KeptEnvelope): readonly EventError[] {
  return kept.event?.errors ?? [];
}
