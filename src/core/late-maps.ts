// Maps events whose maps came later than they did, in the background: they stay in their issues, and the issues say so.
import { setImmediate } from 'node:timers/promises';
import type { NormalizedEvent } from '../../schemas/event.ts';
import type { EpochMs } from './store.ts';
import { asSent, type SymbolicateParts, symbolicateEvent } from './symbolicate.ts';

/** Nobody waits for these: a map may take its whole time. */
const backgroundBudgetMs = 4_000;
const pageEvents = 10;
/** Events looked at in one run; older ones wait for the next. */
const runEventsMax = 10_000;
const progressEvery = 100;

export interface AwaitingEvent {
  /** Row number: newer events have higher ones. */
  readonly row: number;
  readonly eventId: string;
  /** The issue shown for it, after merges. */
  readonly issueId: number;
  /** Null where the stored bytes are damaged: such an event is left alone. */
  readonly payload: string | null;
}

export interface MappingStore {
  /** Events that await a map, newest first, below `beforeRow`; of one release, or of any with null. */
  eventsAwaitingMapping(
    projectId: number,
    release: string | null,
    beforeRow: number,
    limit: number,
  ): Promise<AwaitingEvent[]>;
  /** Puts the mapped event in the place of the stored one; its issue and counts stay. */
  storeMappedEvent(projectId: number, row: number, payload: string, needsMapping: boolean): Promise<void>;
  /** Writes into an issue that events of it were mapped late. */
  addMappingActivity(activity: {
    projectId: number;
    issueId: number;
    events: number;
    release: string | null;
    atMs: EpochMs;
  }): Promise<void>;
}

export interface LateMapsParts extends SymbolicateParts {
  readonly store: SymbolicateParts['store'] & MappingStore;
  now(): EpochMs;
  /** Filters again what mapping brought in: source lines can hold what must not be kept. */
  scrub(projectId: number, event: NormalizedEvent): Promise<NormalizedEvent>;
}

/**
 * Goes once through the events of a project (of one release, or all with null) that await a map, and maps those whose
 * map is there now. Answers how many were mapped. `isOver` is asked between events: closing ends the run.
 */
export async function mapLateEvents(
  parts: LateMapsParts,
  projectId: number,
  release: string | null,
  isOver: () => boolean = () => false,
): Promise<{ looked: number; mapped: number }> {
  const mappedByIssue = new Map<number, number>();
  let [looked, mapped, beforeRow] = [0, 0, Number.MAX_SAFE_INTEGER];
  while (looked < runEventsMax && !isOver()) {
    const page = await parts.store.eventsAwaitingMapping(projectId, release, beforeRow, pageEvents);
    for (const awaiting of page) {
      if (isOver()) break;
      // A database in this process answers without a turn of the loop: requests get theirs here.
      await setImmediate();
      looked += 1;
      beforeRow = awaiting.row;
      if (await mapLate(parts, projectId, awaiting)) {
        mapped += 1;
        mappedByIssue.set(awaiting.issueId, (mappedByIssue.get(awaiting.issueId) ?? 0) + 1);
      }
      if (looked % progressEvery === 0)
        parts.log.info({ projectId, release, looked, mapped }, 'mapping late events');
    }
    if (page.length < pageEvents) break;
  }
  for (const [issueId, events] of mappedByIssue) {
    await parts.store.addMappingActivity({ projectId, issueId, events, release, atMs: parts.now() });
  }
  if (mapped > 0) parts.log.info({ projectId, release, looked, mapped }, 'late events mapped');
  return { looked, mapped };
}

/** True when frames of the event were mapped. What still waits for another map stays marked. */
async function mapLate(parts: LateMapsParts, projectId: number, awaiting: AwaitingEvent): Promise<boolean> {
  if (awaiting.payload === null) return false;
  const stored = JSON.parse(awaiting.payload) as NormalizedEvent;
  const found = await symbolicateEvent(parts, projectId, asSent(stored), backgroundBudgetMs);
  if (found.mappedFrames === 0 && found.needsMapping) return false;
  const event = found.mappedFrames === 0 ? stored : await parts.scrub(projectId, found.event);
  const payload = JSON.stringify(event);
  const isChanged = payload !== awaiting.payload;
  if (isChanged || !found.needsMapping) {
    await parts.store.storeMappedEvent(projectId, awaiting.row, payload, found.needsMapping);
  }
  return isChanged && found.mappedFrames > 0;
}
