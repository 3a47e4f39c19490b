// The one path of every event: id, normalize, symbolicate, scrub, group, store.
import type { EventError, NormalizedEvent } from '../../../schemas/event.ts';
import type { Deps } from '../deps.ts';
import { newEventId, parseEventId } from '../ids.ts';
import type { EventReader, MapsThere, PlaceAside, ReadEvent } from '../ports/heavy-reader.ts';
import type { EventFacts, Mapping, PreparedEvent } from '../ports/readings.ts';
import { readItemRecord } from '../reading/item-json.ts';
import { isHeavy } from '../reading/json-weight.ts';
import { parseTimestamp } from '../reading/moments.ts';
import { createPace } from '../reading/pace.ts';
import { scrubProjectText, scrubVersion } from '../scrub/record.ts';
import type { Grouping, NewAttachment, RecordedEvent } from '../store/events.ts';
import type { Project } from '../store/projects.ts';
import { groupScrubbed, readEvent, scrubSent } from './prepare.ts';
import { senderHashOf } from './user-hash.ts';

export interface IngestContext {
  readonly receivedAtMs: number;
  /** `event_id` (wins over the payload's) and `sent_at` of the envelope. */
  readonly envelopeHeaders?: Readonly<Record<string, unknown>>;
  readonly clientAddress: string;
  /** The address that rate limits count (a prefix for IPv6); absent if it is not counted. */
  readonly countedAddress?: string;
  readonly userAgent: string;
  /** Host of Origin, else of Referer. */
  readonly domain: string | null;
  /** Client clock when it sent; default is from the envelope headers. */
  readonly sentAtMs?: number | null;
  readonly attachments?: readonly NewAttachment[];
  /** Yields to the event loop between steps when many events are read. */
  readonly pace?: () => Promise<void>;
}

export interface IngestedEvent {
  readonly recorded: RecordedEvent;
  readonly grouping: Grouping;
  /** Normalization errors, scrubbed. */
  readonly errors: readonly EventError[];
}

type IngestDeps = Pick<
  Deps,
  'store' | 'randomBytes' | 'mapEvent' | 'userHashKey' | 'heavy' | 'feed' | 'measures'
>;

/** A parsed event, or one that a worker reads because it is large or the main thread is busy. */
export type EventItem =
  | { readonly read: unknown; readonly replacedAt?: readonly string[] }
  | {
      readonly reader: EventReader;
      readAside(reader: EventReader, maps: MapsThere, facts: EventFacts): Promise<ReadEvent>;
    };

/** `place` is its worker slot, if any. Throws 400 for invalid JSON; a worker reports that later. */
export function eventItem(
  { heavy }: Pick<Deps, 'heavy'>,
  bytes: Uint8Array,
  place: PlaceAside | null = null,
): EventItem {
  const reader = place ?? (isHeavy(bytes) ? heavy : undefined);
  if (reader === undefined) {
    const { value, replacedAt } = readItemRecord(bytes, 'event');
    return { read: value, replacedAt };
  }
  return { reader, readAside: (by, maps, facts) => by.readEvent(bytes, maps, facts) };
}

/** Resolves after the commit. If it rejects (`StoreBusy`, `StoreUnavailable`, …) nothing was stored. */
export async function ingestEvent(
  deps: IngestDeps,
  project: Project,
  item: EventItem,
  context: IngestContext,
): Promise<IngestedEvent> {
  const facts = new Facts(deps, project, context);
  const prepared =
    'read' in item
      ? await prepareHere(deps, project, item, facts, context.pace)
      : await prepareAside(deps, project, item, { ...facts, newEventId: facts.newEventId });
  return record(deps, project, prepared, context);
}

async function prepareHere(
  deps: IngestDeps,
  project: Project,
  { read, replacedAt }: Extract<EventItem, { read: unknown }>,
  facts: EventFacts,
  pace = createPace(),
): Promise<PreparedEvent> {
  const sent = readEvent(read, facts, replacedAt);
  const { event = sent.event, ...mapping } = await mapped(deps, project, sent.event);
  // An event that was slow to read is slow to scrub and group: yield in between.
  await pace();
  const scrubbed = scrubSent({ ...sent, event }, facts);
  await pace();
  return groupScrubbed(scrubbed, mapping);
}

/** The main thread is only involved if there are stacks to symbolicate. */
async function prepareAside(
  deps: IngestDeps,
  project: Project,
  item: Extract<EventItem, { reader: EventReader }>,
  facts: EventFacts,
): Promise<PreparedEvent> {
  const found = await item.readAside(item.reader, await mapsThere(deps, project), facts);
  if (found.kind === 'prepared') return found.event;
  const { event = found.view, ...mapping } = await mapped(deps, project, found.view);
  return item.reader.finishEvent(found.sent, event, mapping, facts);
}

async function record(
  deps: IngestDeps,
  project: Project,
  prepared: PreparedEvent,
  context: IngestContext,
): Promise<IngestedEvent> {
  const recorded = await deps.store.recordEvent({
    ...prepared,
    projectId: project.id,
    receivedAtMs: context.receivedAtMs,
    domain: context.domain,
    sender: senderHashOf(context.countedAddress ?? '', deps.userHashKey, project.id),
    attachments: (context.attachments ?? []).map((attachment) => withCleanName(attachment, project)),
  });
  deps.measures?.count('events', [recorded.duplicate ? 'duplicate' : 'accepted', '', 'error']);
  if (!recorded.duplicate) deps.feed?.publish();
  return { recorded, grouping: prepared.grouping, errors: prepared.errors };
}

async function mapped(
  deps: IngestDeps,
  project: Project,
  event: NormalizedEvent,
): Promise<Partial<{ event: NormalizedEvent }> & Mapping> {
  return (await deps.mapEvent?.(project, withKeptRelease(event, project))) ?? notMapped;
}

const notMapped: Mapping = { needsMapping: false };

/** Most projects have no source maps; then the worker completes the event by itself. */
async function mapsThere(deps: IngestDeps, project: Project): Promise<MapsThere> {
  if (deps.mapEvent === undefined) return 'none';
  return (await deps.store.hasArtifacts(project.id)) ? 'up' : 'yet';
}

/** A class, because an object literal with a getter costs more than the id. */
class Facts implements EventFacts {
  readonly receivedAtMs: number;
  readonly envelopeEventId: string | null;
  readonly sentAtMs: number | null;
  readonly userAgent: string;
  readonly clientAddress: string;
  readonly project: EventFacts['project'];
  readonly userHashKey: Uint8Array | null;
  readonly #randomBytes: IngestDeps['randomBytes'];

  constructor(deps: IngestDeps, project: Project, context: IngestContext) {
    this.receivedAtMs = context.receivedAtMs;
    this.envelopeEventId = parseEventId(context.envelopeHeaders?.['event_id']);
    this.sentAtMs = sentAtOf(context);
    this.userAgent = context.userAgent;
    this.clientAddress = context.clientAddress;
    this.project = {
      id: project.id,
      scrubFields: project.scrubFields,
      storeIpAddresses: project.storeIpAddresses,
    };
    this.userHashKey = deps.userHashKey ?? null;
    this.#randomBytes = deps.randomBytes;
  }

  get newEventId(): string {
    return newEventId(this.#randomBytes);
  }
}

function sentAtOf(context: IngestContext): number | null {
  if (context.sentAtMs !== undefined) return context.sentAtMs;
  const micros = parseTimestamp(context.envelopeHeaders?.['sent_at']);
  return micros === null ? null : Math.floor(micros / 1000);
}

/** With the scrubbed release name, under which its artifacts are stored. */
function withKeptRelease(event: NormalizedEvent, project: Project): NormalizedEvent {
  const release = event.release === undefined ? undefined : scrubVersion(event.release, project);
  return release === event.release || release === undefined ? event : { ...event, release };
}

/** Scrubs the name and types of an attachment; its bytes are kept as sent. */
export function withCleanName(attachment: NewAttachment, project: Project): NewAttachment {
  return {
    ...attachment,
    filename: scrubProjectText(attachment.filename, project),
    contentType: scrubProjectText(attachment.contentType, project),
    attachmentType: scrubProjectText(attachment.attachmentType, project),
  };
}
