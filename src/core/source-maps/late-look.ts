// One look at a stored event whose map may have come. What is to be stored of it is answered; nothing is
// stored.
import { hash } from 'node:crypto';
import type { NormalizedEvent } from '../../../schemas/event.ts';
import { RestError } from '../errors.ts';
import type { EventKey } from '../ports/readings.ts';
import { lightBytesMax } from '../reading/json-weight.ts';
import { faultyCodeOf, withCodeTag, withoutCodeTag } from '../site-code/faulty.ts';
import type { Regrouped } from '../store/artifacts.ts';
import type { PackedPayload } from '../store/events.ts';
import { asSent, type MappedEvent, type MappingParts, mapEvent } from './map-event.ts';

/** Nobody waits for these: a map may take its whole time. */
const backgroundBudgetMs = 4_000;

/** A stored event, read in a thread. */
interface StoredReading {
  readonly view: NormalizedEvent;
  readonly sent: Uint8Array;
  /** As it is stored. */
  readonly key: EventKey;
}

/** What threads do for heavy stored events (D-84): as the live path does, without its holding the loop up. */
export interface StoredReader {
  /** The event as it was sent: of it what mapping looks at, and the whole for `finish` alone. */
  read(payload: string): Promise<StoredReading>;
  /** The event with the stacks of its view as they were mapped, scrubbed and grouped again. */
  finish(
    sent: Uint8Array,
    mapped: NormalizedEvent,
  ): Promise<{ readonly payload: PackedPayload; readonly key: EventKey }>;
}

/** How events of one project are looked at, by its settings of this moment. */
export interface ProjectLook {
  /** Filters again what mapping brought in: source lines can hold what must not be kept. */
  scrub(event: NormalizedEvent): NormalizedEvent;
  /** By what an event is found and called. */
  keyOf(event: NormalizedEvent): EventKey;
  /** Without one, heavy events are looked at here. */
  readonly heavy?: StoredReader | undefined;
}

export interface LookParts extends MappingParts {
  /** Asked once an event, and not for one that no map helps. */
  projectLook(projectId: number): Promise<ProjectLook>;
}

export interface Looked {
  readonly found: MappedEvent;
  /** The event as it is to be stored now; null where it stays as it is. */
  readonly payload: string | PackedPayload | null;
  /** Null where it is found and called as before. */
  readonly regrouped: Regrouped | null;
}

/** Maps a stored event with the maps that are there now, from the stacks that were sent. */
export async function lookAtStored(parts: LookParts, projectId: number, payload: string): Promise<Looked> {
  if (payload.length <= lightBytesMax) return lookHere(parts, projectId, payload);
  const look = await parts.projectLook(projectId);
  if (look.heavy === undefined) return lookHere(parts, projectId, payload, look);
  try {
    return await lookInThread(parts, look.heavy, projectId, payload);
  } catch (error) {
    // No room, or too much for a thread: it is no request that could be told to come again.
    if (!(error instanceof RestError)) throw error;
    return lookHere(parts, projectId, payload, look);
  }
}

async function lookHere(
  parts: LookParts,
  projectId: number,
  payload: string,
  known?: ProjectLook,
): Promise<Looked> {
  const stored = JSON.parse(payload) as NormalizedEvent;
  const found = await mapEvent(parts, projectId, asSent(withoutCodeTag(stored)), backgroundBudgetMs);
  if (found.mappedFrames === 0) return { found, payload: null, regrouped: null };
  const { scrub, keyOf } = known ?? (await parts.projectLook(projectId));
  const event = tagged(scrub(found.event));
  const text = JSON.stringify(event);
  if (text === payload) return { found, payload: null, regrouped: null };
  return { found, payload: text, regrouped: regroupedOf(keyOf(stored), keyOf(event)) };
}

async function lookInThread(
  parts: LookParts,
  heavy: StoredReader,
  projectId: number,
  payload: string,
): Promise<Looked> {
  const { view, sent, key } = await heavy.read(payload);
  const found = await mapEvent(parts, projectId, view, backgroundBudgetMs);
  if (found.mappedFrames === 0) return { found, payload: null, regrouped: null };
  const finished = await heavy.finish(sent, found.event);
  const isSame = hash('sha256', payload, 'buffer').equals(finished.payload.sha256);
  if (isSame) return { found, payload: null, regrouped: null };
  return { found, payload: finished.payload, regrouped: regroupedOf(key, finished.key) };
}

function regroupedOf(before: EventKey, after: EventKey): Regrouped | null {
  const isSame =
    before.grouping.hash === after.grouping.hash &&
    before.title === after.title &&
    before.culprit === after.culprit;
  if (isSame) return null;
  const { plainKey, ...key } = after;
  const plain = typeof plainKey === 'function' ? plainKey() : (plainKey ?? null);
  return { ...key, grouping: { ...key.grouping, plain }, hashBefore: before.grouping.hash };
}

/** A map may show the plugin or theme at fault. */
function tagged(event: NormalizedEvent): NormalizedEvent {
  return withCodeTag(event, faultyCodeOf(event));
}
