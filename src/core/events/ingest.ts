// The one path every event takes: id, normalise, map, scrub, group, store. No HTTP and no SQL here.
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

/** What the request says of an event beside the event itself. */
export interface IngestContext {
  readonly receivedAtMs: number;
  /**
   * Headers of the envelope that the event came in: `event_id`, which wins over the payload's, and `sent_at`.
   */
  readonly envelopeHeaders?: Readonly<Record<string, unknown>>;
  readonly clientAddress: string;
  /** The address as rate limits count it, of IPv6 a prefix; absent where none is to be counted. */
  readonly countedAddress?: string;
  readonly userAgent: string;
  /** Host of Origin, else of Referer. */
  readonly domain: string | null;
  /** The client's clock when it sent; read from the envelope headers where this is absent. */
  readonly sentAtMs?: number | null;
  readonly attachments?: readonly NewAttachment[];
  /** For one of many events: the time that they share; awaited between the steps of preparing it. */
  readonly pace?: () => Promise<void>;
}

export interface IngestedEvent {
  readonly recorded: RecordedEvent;
  readonly grouping: Grouping;
  /** What was set aside, scrubbed as the event is. */
  readonly errors: readonly EventError[];
}

type IngestDeps = Pick<
  Deps,
  'store' | 'randomBytes' | 'mapEvent' | 'userHashKey' | 'heavy' | 'feed' | 'measures'
>;

/**
 * An event as it comes in: read already (`replacedAt` says where broken text was replaced), or one that a
 * thread reads, because it is heavy (D-84) or because there is too much to do here (D-237).
 */
export type EventItem =
  | { readonly read: unknown; readonly replacedAt?: readonly string[] }
  | {
      readonly reader: EventReader;
      readAside(reader: EventReader, maps: MapsThere, facts: EventFacts): Promise<ReadEvent>;
    };

/**
 * The event that the bytes of its JSON hold, with the place that was taken for it. Throws 400 for bytes that
 * are no JSON object; one that is read in a thread is looked at later, and refused then.
 */
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

/**
 * Files one event, of whatever shape, and answers its issue, after the commit that holds it. Rejects with
 * what the store rejects with (`StoreBusy`, `StoreUnavailable`), and for a heavy event with what reading it
 * rejects with; then nothing was stored.
 */
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

/** Normalised, mapped, scrubbed and grouped where the request came in. */
async function prepareHere(
  deps: IngestDeps,
  project: Project,
  { read, replacedAt }: Extract<EventItem, { read: unknown }>,
  facts: EventFacts,
  pace = createPace(),
): Promise<PreparedEvent> {
  const sent = readEvent(read, facts, replacedAt);
  const { event = sent.event, ...mapping } = await mapped(deps, project, sent.event);
  // What took long to read takes long to scrub, and then to group: others come in between.
  await pace();
  const scrubbed = scrubSent({ ...sent, event }, facts);
  await pace();
  return groupScrubbed(scrubbed, mapping);
}

/** The same in a thread, which comes back only where there are stacks to be mapped. */
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

/** Nobody looks for maps: the event is what was sent. */
const notMapped: Mapping = { needsMapping: false };

/** Most projects have no maps: then a heavy event is finished by the thread that read it. */
async function mapsThere(deps: IngestDeps, project: Project): Promise<MapsThere> {
  if (deps.mapEvent === undefined) return 'none';
  return (await deps.store.hasArtifacts(project.id)) ? 'up' : 'yet';
}

/** The facts of one event. A class, because an object with a getter of its own costs more than the id. */
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
