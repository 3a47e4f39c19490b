import type { NormalizedEvent } from '../../../schemas/event.ts';
import { RestError } from '../errors.ts';
import { decompressPayload } from '../events/compress-payload.ts';
import { smallJsonBytesMax } from '../parsing/json-size.ts';
import type { EventGroupingKey } from '../ports/prepared-data.ts';
import type { RegroupingChange } from '../store/artifacts.ts';
import type { PackedPayload } from '../store/events.ts';
import {
  addComponentTag,
  findSuspectComponent,
  removeComponentTag,
} from '../wordpress-components/suspect-component.ts';
import {
  restoreSentStacks,
  type SymbolicatedEvent,
  type SymbolicationDeps,
  symbolicateEvent,
} from './apply-source-maps.ts';

/** Longer than for live events, because nobody waits. */
const backgroundBudgetMs = 4_000;

interface StoredReading {
  readonly view: NormalizedEvent;
  readonly sent: Uint8Array;
  readonly key: EventGroupingKey;
}

export interface StoredEventWorker {
  /** The parts that symbolication needs, and the whole event for `finish`. */
  read(payload: string): Promise<StoredReading>;
  /** Scrubs and groups the event again with its symbolicated stacks. */
  finish(
    sent: Uint8Array,
    mapped: NormalizedEvent,
  ): Promise<{ readonly payload: PackedPayload; readonly key: EventGroupingKey }>;
}

export interface ProjectResymbolication {
  /** Scrubs again, because source lines may contain secrets. */
  scrub(event: NormalizedEvent): NormalizedEvent;
  keyOf(event: NormalizedEvent): EventGroupingKey;
  /** Without it, large events are handled on the main thread. */
  readonly worker?: StoredEventWorker | undefined;
}

export interface ResymbolicateEventDeps extends SymbolicationDeps {
  projectMaps(projectId: number): Promise<ProjectResymbolication>;
}

export interface ResymbolicatedEvent {
  readonly found: SymbolicatedEvent;
  readonly payload: string | PackedPayload | null;
  /** Null if grouping, title and culprit are unchanged. */
  readonly regrouped: RegroupingChange | null;
}

/** Symbolicates a stored event again from the stacks that were sent. */
export async function resymbolicateStoredEvent(
  parts: ResymbolicateEventDeps,
  projectId: number,
  payload: string,
): Promise<ResymbolicatedEvent> {
  if (payload.length <= smallJsonBytesMax) return symbolicateHere(parts, projectId, payload);
  const look = await parts.projectMaps(projectId);
  if (look.worker === undefined) return symbolicateHere(parts, projectId, payload, look);
  try {
    return await symbolicateInWorker(parts, look.worker, projectId, payload);
  } catch (error) {
    // The workers are full or refused it; a background job cannot be asked to retry.
    if (!(error instanceof RestError)) throw error;
    return symbolicateHere(parts, projectId, payload, look);
  }
}

async function symbolicateHere(
  parts: ResymbolicateEventDeps,
  projectId: number,
  payload: string,
  known?: ProjectResymbolication,
): Promise<ResymbolicatedEvent> {
  const stored = JSON.parse(payload) as NormalizedEvent;
  const found = await symbolicateEvent(
    parts,
    projectId,
    restoreSentStacks(removeComponentTag(stored)),
    backgroundBudgetMs,
  );
  if (found.mappedFrames === 0) return { found, payload: null, regrouped: null };
  const { scrub, keyOf } = known ?? (await parts.projectMaps(projectId));
  const event = tagged(scrub(found.event));
  const text = JSON.stringify(event);
  if (text === payload) return { found, payload: null, regrouped: null };
  return { found, payload: text, regrouped: regroupedOf(keyOf(stored), keyOf(event)) };
}

async function symbolicateInWorker(
  parts: ResymbolicateEventDeps,
  largeBodyReader: StoredEventWorker,
  projectId: number,
  payload: string,
): Promise<ResymbolicatedEvent> {
  const { view, sent, key } = await largeBodyReader.read(payload);
  const found = await symbolicateEvent(parts, projectId, view, backgroundBudgetMs);
  if (found.mappedFrames === 0) return { found, payload: null, regrouped: null };
  const finished = await largeBodyReader.finish(sent, found.event);
  if (decompressPayload(finished.payload).payload === payload)
    return { found, payload: null, regrouped: null };
  return { found, payload: finished.payload, regrouped: regroupedOf(key, finished.key) };
}

function regroupedOf(before: EventGroupingKey, after: EventGroupingKey): RegroupingChange | null {
  const isSame =
    before.grouping.hash === after.grouping.hash &&
    before.title === after.title &&
    before.culprit === after.culprit;
  if (isSame) return null;
  const { secondaryHash, ...key } = after;
  const secondary = typeof secondaryHash === 'function' ? secondaryHash() : (secondaryHash ?? null);
  return { ...key, grouping: { ...key.grouping, secondary }, hashBefore: before.grouping.hash };
}

/** A source map may reveal the suspect plugin or theme. */
function tagged(event: NormalizedEvent): NormalizedEvent {
  return addComponentTag(event, findSuspectComponent(event));
}
