// One look at a stored event whose map may have come. What is to be stored of it is answered; nothing is
// stored.
import { hash } from 'node:crypto';
import type { NormalizedEvent } from '../../../schemas/event.ts';
import { RestError } from '../errors.ts';
import { lightBytesMax } from '../reading/json-weight.ts';
import { faultyCodeOf, withCodeTag, withoutCodeTag } from '../site-code/faulty.ts';
import type { PackedPayload } from '../store/events.ts';
import { asSent, type MappedEvent, type MappingParts, mapEvent } from './map-event.ts';

/** Nobody waits for these: a map may take its whole time. */
const backgroundBudgetMs = 4_000;

/** What threads do for heavy stored events (D-84): as the live path does, without its holding the loop up. */
export interface StoredReader {
  /** The event as it was sent: of it what mapping looks at, and the whole for `finish` alone. */
  read(payload: string): Promise<{ readonly view: NormalizedEvent; readonly sent: Uint8Array }>;
  /** The event with the stacks of its view as they were mapped, scrubbed again. */
  finish(projectId: number, sent: Uint8Array, mapped: NormalizedEvent): Promise<PackedPayload>;
}

export interface LookParts extends MappingParts {
  /** Filters again what mapping brought in: source lines can hold what must not be kept. */
  scrub(projectId: number, event: NormalizedEvent): Promise<NormalizedEvent>;
  /** Without one, heavy events are looked at here. */
  readonly heavy?: StoredReader | undefined;
}

export interface Looked {
  readonly found: MappedEvent;
  /** The event as it is to be stored now; null where it stays as it is. */
  readonly payload: string | PackedPayload | null;
}

/** Maps a stored event with the maps that are there now, from the stacks that were sent. */
export async function lookAtStored(parts: LookParts, projectId: number, payload: string): Promise<Looked> {
  if (parts.heavy === undefined || payload.length <= lightBytesMax) {
    return lookHere(parts, projectId, payload);
  }
  try {
    return await lookInThread(parts, parts.heavy, projectId, payload);
  } catch (error) {
    // No room, or too much for a thread: it is no request that could be told to come again.
    if (!(error instanceof RestError)) throw error;
    return lookHere(parts, projectId, payload);
  }
}

async function lookHere(parts: LookParts, projectId: number, payload: string): Promise<Looked> {
  const stored = JSON.parse(payload) as NormalizedEvent;
  const found = await mapEvent(parts, projectId, asSent(withoutCodeTag(stored)), backgroundBudgetMs);
  const event = found.mappedFrames === 0 ? stored : tagged(await parts.scrub(projectId, found.event));
  const text = JSON.stringify(event);
  return { found, payload: text === payload ? null : text };
}

async function lookInThread(
  parts: LookParts,
  heavy: StoredReader,
  projectId: number,
  payload: string,
): Promise<Looked> {
  const { view, sent } = await heavy.read(payload);
  const found = await mapEvent(parts, projectId, view, backgroundBudgetMs);
  if (found.mappedFrames === 0) return { found, payload: null };
  const packed = await heavy.finish(projectId, sent, found.event);
  const isSame = hash('sha256', payload, 'buffer').equals(packed.sha256);
  return { found, payload: isSame ? null : packed };
}

/** A map may show the plugin or theme at fault. */
function tagged(event: NormalizedEvent): NormalizedEvent {
  return withCodeTag(event, faultyCodeOf(event));
}
