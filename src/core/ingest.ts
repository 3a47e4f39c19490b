// The one path every event takes: id, normalise, map, scrub, group, store. No HTTP and no SQL here.
import type { EventError, NormalizedEvent } from '../../schemas/event.ts';
import { parseTimestamp } from './dates.ts';
import type { Deps } from './deps.ts';
import { newEventId, parseEventId } from './event-id.ts';
import { culpritOf, titleOf } from './event-title.ts';
import { fingerprintOf } from './fingerprint.ts';
import { isRecord, own } from './lenient.ts';
import { normalizeEvent } from './normalize-event.ts';
import { scrubEvent } from './scrub.ts';
import { scrubProjectText, scrubVersion } from './scrub-record.ts';
import type { Grouping, NewAttachment, NewEvent, Project, RecordedEvent } from './store.ts';
import { userHashOf } from './user-hash.ts';

/**
 * Maps the frames of an event. Holds itself to 250 ms and never rejects: out of time or in trouble it answers the event as it was
 * with `needsMapping: true`, and maps it later (decision D-30). Mapped stacks stand in `stacktrace`, those sent in `raw_stacktrace`.
 */
export type Symbolicate = (
  project: Project,
  event: NormalizedEvent,
) => Promise<{
  readonly event: NormalizedEvent;
  readonly needsMapping: boolean;
  /** What it waits for: see `NewEvent.awaits`. */
  readonly awaits?: readonly string[];
}>;

/** What the request says of an event beside the event itself. */
export interface IngestContext {
  readonly receivedAtMs: number;
  /** The id of the envelope header: it wins over the payload's. */
  readonly eventIdHint?: string | null;
  /** Headers of the envelope that the event came in; `sent_at` among them. */
  readonly envelopeHeaders?: Readonly<Record<string, unknown>>;
  readonly clientAddress: string;
  readonly userAgent: string;
  /** Host of Origin, else of Referer. */
  readonly domain: string | null;
  /** The client's clock when it sent; read from the envelope headers where this is absent. */
  readonly sentAtMs?: number | null;
  readonly attachments?: readonly NewAttachment[];
}

export interface IngestedEvent {
  readonly recorded: RecordedEvent;
  readonly grouping: Grouping;
  /** What was set aside, scrubbed as the event is. */
  readonly errors: readonly EventError[];
}

/**
 * Files one event and answers its issue, after the commit that holds it. `raw` may have any shape. Rejects only with what the store
 * rejects with (`StoreBusy`, `StoreUnavailable`). Source: ingestion.md sections 1, 3 and 7.2, decisions D-21 and D-30.
 */
export async function ingestEvent(
  deps: Pick<Deps, 'store' | 'randomBytes' | 'symbolicate' | 'userHashKey'>,
  project: Project,
  raw: unknown,
  context: IngestContext,
): Promise<IngestedEvent> {
  const { event: sent, errors: noted } = normalizeEvent(raw, {
    receivedAtMs: context.receivedAtMs,
    eventId: eventIdOf(deps, raw, context),
    sentAtMs: sentAtOf(context),
    userAgent: context.userAgent,
  });
  const userHash = deps.userHashKey
    ? userHashOf(sent, context.clientAddress, deps.userHashKey, project.id)
    : null;
  const mapped = await deps.symbolicate?.(project, withKeptRelease(sent, project));
  // Scrubbed after mapping, because a map brings source lines; before grouping, so that no secret can sit in a title.
  const { event: clean, count } = scrubEvent(
    { ...(mapped?.event ?? sent), errors: noted },
    {
      extraFields: project.scrubFields,
      storeIpAddresses: project.storeIpAddresses,
      clientAddress: context.clientAddress,
    },
  );
  const { errors = [], ...event } = clean;
  const grouping = fingerprintOf(event);
  const recorded = await deps.store.recordEvent({
    ...columnsOf(event),
    projectId: project.id,
    receivedAtMs: context.receivedAtMs,
    domain: context.domain,
    grouping,
    payload: JSON.stringify(event),
    errors,
    scrubbedCount: count,
    userHash,
    needsMapping: mapped?.needsMapping ?? false,
    awaits: mapped?.awaits ?? [],
    attachments: (context.attachments ?? []).map((attachment) => withCleanName(attachment, project)),
  });
  return { recorded, grouping, errors };
}

/** What the store keeps beside the payload, to search and list by. */
function columnsOf(
  event: NormalizedEvent,
): Pick<
  NewEvent,
  | 'eventId'
  | 'timestampMs'
  | 'level'
  | 'platform'
  | 'title'
  | 'culprit'
  | 'release'
  | 'dist'
  | 'environment'
  | 'sdkName'
  | 'sdkVersion'
> {
  return {
    eventId: event.event_id,
    timestampMs: Math.floor((parseTimestamp(event.timestamp) ?? 0) / 1000),
    level: event.level,
    platform: event.platform,
    title: titleOf(event),
    culprit: culpritOf(event),
    release: event.release ?? null,
    dist: event.dist ?? null,
    environment: event.environment ?? null,
    sdkName: event.sdk?.name ?? null,
    sdkVersion: event.sdk?.version ?? null,
  };
}

/** The envelope's id, else the event's own, else a new one. A malformed one counts as none: `/store` has refused it before. */
function eventIdOf(deps: Pick<Deps, 'randomBytes'>, raw: unknown, context: IngestContext): string {
  const hint = parseEventId(context.eventIdHint) ?? parseEventId(context.envelopeHeaders?.['event_id']);
  const sent = isRecord(raw) ? parseEventId(own(raw, 'event_id')) : null;
  return hint ?? sent ?? newEventId(deps.randomBytes(16));
}

function sentAtOf(context: IngestContext): number | null {
  if (context.sentAtMs !== undefined) return context.sentAtMs;
  const micros = parseTimestamp(context.envelopeHeaders?.['sent_at']);
  return micros === null ? null : Math.floor(micros / 1000);
}

/** The event under the name of its release as it is kept: its maps are filed under that. */
function withKeptRelease(event: NormalizedEvent, project: Project): NormalizedEvent {
  const release = event.release === undefined ? undefined : scrubVersion(event.release, project);
  return release === event.release || release === undefined ? event : { ...event, release };
}

/** An attachment as it may be stored: its name and types scrubbed, its bytes as they were sent (D-42). */
export function withCleanName(attachment: NewAttachment, project: Project): NewAttachment {
  return {
    ...attachment,
    filename: scrubProjectText(attachment.filename, project),
    contentType: scrubProjectText(attachment.contentType, project),
    attachmentType: scrubProjectText(attachment.attachmentType, project),
  };
}
