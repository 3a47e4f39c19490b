// The one path of every event: id, normalize, symbolicate, scrub, group, store.
import type { EventError, NormalizedEvent } from '../../../schemas/event.ts';
import type { Deps } from '../deps.ts';
import { newEventId, parseEventId } from '../ids.ts';
import { filterReasons } from '../inbound-filters/find-filter.ts';
import { isLargeJson, parseItemObject } from '../parsing/item-json.ts';
import { parseMicroseconds } from '../parsing/timestamps.ts';
import { createYielder } from '../parsing/yield-to-event-loop.ts';
import type { EventReader, ReadEvent, SourceMapLookup, WorkerSlot } from '../ports/large-body-reader.ts';
import type {
  EventReadContext,
  FilteredEvent,
  PreparedEvent,
  SymbolicationState,
} from '../ports/prepared-data.ts';
import { scrubProjectText, scrubVersion } from '../scrub/record.ts';
import type { Grouping, NewAttachment, RecordedEvent } from '../store/events.ts';
import type { Project } from '../store/projects.ts';
import { filterEvent, groupScrubbedEvent, normalizeSentEvent, scrubSentEvent } from './prepare.ts';
import { hashSenderAddress } from './user-hash.ts';

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
  readonly errors: readonly EventError[];
}

type IngestDeps = Pick<
  Deps,
  'store' | 'randomBytes' | 'mapEvent' | 'assignNewIssue' | 'userHashKey' | 'feed' | 'measures'
>;

/** A parsed event, or one that a worker reads because it is large or the main thread is busy. */
export type EventItem =
  | { readonly read: unknown; readonly replacedAt?: readonly string[] }
  | {
      readonly reader: EventReader;
      readInWorker(reader: EventReader, maps: SourceMapLookup, facts: EventReadContext): Promise<ReadEvent>;
    };

/** `workerSlot`: the slot that was reserved for it, if any. Throws 400 for invalid JSON; a worker reports that later. */
export function createEventItem(
  { largeBodyReader }: Pick<Deps, 'largeBodyReader'>,
  bytes: Uint8Array,
  workerSlot: WorkerSlot | null = null,
): EventItem {
  const reader = workerSlot ?? (isLargeJson(bytes) ? largeBodyReader : null);
  if (reader === null) {
    const { value, replacedAt } = parseItemObject(bytes, 'event');
    return { read: value, replacedAt };
  }
  return { reader, readInWorker: (by, maps, facts) => by.readEvent(bytes, maps, facts) };
}

/** Resolves after the commit, or with what an inbound filter dropped. If it rejects, nothing was stored. */
export async function receiveEvent(
  deps: IngestDeps & Pick<Deps, 'outcomes'>,
  project: Project,
  item: EventItem,
  context: IngestContext,
): Promise<IngestedEvent | FilteredEvent> {
  const prepared = await prepareEvent(deps, project, item, context);
  if (!('filteredBy' in prepared)) return record(deps, project, prepared, context);
  deps.outcomes.count({
    projectId: project.id,
    atMs: context.receivedAtMs,
    outcome: 'filtered',
    reason: filterReasons[prepared.filteredBy],
    category: 'error',
    quantity: 1,
  });
  return prepared;
}

/** As `receiveEvent`, without the project's inbound filters: for events of an import. */
export async function ingestEvent(
  deps: IngestDeps,
  project: Project,
  item: EventItem,
  context: IngestContext,
): Promise<IngestedEvent> {
  const unfiltered = { ...project, inboundFilters: null };
  const prepared = await prepareEvent(deps, unfiltered, item, context);
  if ('filteredBy' in prepared) throw new Error('An event was filtered without a filter.');
  return record(deps, project, prepared, context);
}

function prepareEvent(
  deps: IngestDeps,
  project: Project,
  item: EventItem,
  context: IngestContext,
): Promise<PreparedEvent | FilteredEvent> {
  const facts = readContextOf(deps, project, context);
  return 'read' in item
    ? prepareOnMainThread(deps, project, item, facts, context.pace)
    : prepareInWorker(deps, project, item, { ...facts, newEventId: facts.newEventId() });
}

async function prepareOnMainThread(
  deps: IngestDeps,
  project: Project,
  { read, replacedAt }: Extract<EventItem, { read: unknown }>,
  facts: EventReadContext,
  yieldToEventLoop = createYielder(),
): Promise<PreparedEvent | FilteredEvent> {
  const sent = normalizeSentEvent(read, facts, replacedAt);
  const filtered = filterEvent(sent.event, facts);
  if (filtered !== null) return filtered;
  const { event = sent.event, ...mapping } = await symbolicate(deps, project, sent.event);
  // An event that was slow to read is slow to scrub and group: yield in between.
  await yieldToEventLoop();
  const scrubbed = scrubSentEvent({ ...sent, event }, facts);
  await yieldToEventLoop();
  return groupScrubbedEvent(scrubbed, mapping);
}

/** The main thread is only involved if there are stacks to symbolicate. */
async function prepareInWorker(
  deps: IngestDeps,
  project: Project,
  item: Extract<EventItem, { reader: EventReader }>,
  facts: EventReadContext,
): Promise<PreparedEvent | FilteredEvent> {
  const found = await item.readInWorker(item.reader, await findSourceMaps(deps, project), facts);
  if (found.kind !== 'mappable') return found.event;
  const { event = found.view, ...mapping } = await symbolicate(deps, project, found.view);
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
    sender: hashSenderAddress(context.countedAddress ?? '', deps.userHashKey, project.id),
    attachments: (context.attachments ?? []).map((attachment) => scrubAttachment(attachment, project)),
  });
  deps.measures?.count('events', [recorded.duplicate ? 'duplicate' : 'accepted', '', 'error']);
  if (!recorded.duplicate) deps.feed?.publish();
  if (recorded.isNew && !recorded.duplicate) {
    await deps.assignNewIssue?.(project.id, recorded.issueId, recorded.eventId);
  }
  return { recorded, grouping: prepared.grouping, errors: prepared.errors };
}

async function symbolicate(
  deps: IngestDeps,
  project: Project,
  event: NormalizedEvent,
): Promise<Partial<{ event: NormalizedEvent }> & SymbolicationState> {
  return (await deps.mapEvent?.(project, withScrubbedRelease(event, project))) ?? notMapped;
}

const notMapped: SymbolicationState = { needsMapping: false };

/** Most projects have no source maps; then the worker completes the event by itself. */
async function findSourceMaps(deps: IngestDeps, project: Project): Promise<SourceMapLookup> {
  if (deps.mapEvent === undefined) return 'none';
  return (await deps.store.hasArtifacts(project.id)) ? 'up' : 'yet';
}

function readContextOf(deps: IngestDeps, project: Project, context: IngestContext) {
  const { receivedAtMs, userAgent, clientAddress, domain, envelopeHeaders } = context;
  const { id, scrubFields, storeIpAddresses, inboundFilters } = project;
  return {
    receivedAtMs,
    envelopeEventId: parseEventId(envelopeHeaders?.['event_id']),
    sentAtMs: sentAtOf(context),
    userAgent,
    clientAddress,
    domain,
    project: { id, scrubFields, storeIpAddresses, inboundFilters },
    userHashKey: deps.userHashKey ?? null,
    newEventId: () => newEventId(deps.randomBytes),
  };
}

function sentAtOf(context: IngestContext): number | null {
  if (context.sentAtMs !== undefined) return context.sentAtMs;
  const micros = parseMicroseconds(context.envelopeHeaders?.['sent_at']);
  return micros === null ? null : Math.floor(micros / 1000);
}

/** With the scrubbed release name, under which its artifacts are stored. */
function withScrubbedRelease(event: NormalizedEvent, project: Project): NormalizedEvent {
  const release = event.release === undefined ? undefined : scrubVersion(event.release, project);
  return release === event.release || release === undefined ? event : { ...event, release };
}

/** Scrubs the name and types of an attachment; its bytes are kept as sent. */
export function scrubAttachment(attachment: NewAttachment, project: Project): NewAttachment {
  return {
    ...attachment,
    filename: scrubProjectText(attachment.filename, project),
    contentType: scrubProjectText(attachment.contentType, project),
    attachmentType: scrubProjectText(attachment.attachmentType, project),
  };
}
