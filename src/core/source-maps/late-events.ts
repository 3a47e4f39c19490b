// Maps events whose maps came later than they did, in the background, and has the issues grouped again whose
// events are found otherwise by it. The issues say so.

import { setImmediate } from 'node:timers/promises';
import type { Log } from '../ports/log.ts';
import type { EpochMs } from '../reading/moments.ts';
import type { Awaiting, AwaitingEvent, MappingStore } from '../store/artifacts.ts';
import type { LateGroupingStore } from '../store/late-groupings.ts';
import { type LookParts, lookAtStored } from './late-look.ts';

/** Who acts, in the activity of the issues. */
const actor = 'maps';

const pageEvents = 10;
const progressEvery = 100;
/** Events after which a pass through all of them writes down how far it came. */
const markEvery = 1_000;

/** Names that one look asks for. */
export const awaitedMax = 100;

/** What an event waits for whose map is there and whose time was too short: another look. */
export const moreTime = 'time';

export interface LateMapsParts extends LookParts {
  readonly store: LookParts['store'] & MappingStore & LateGroupingStore;
  now(): EpochMs;
}

export interface PassOptions {
  /** Asked between events: closing ends the pass. */
  readonly isOver?: () => boolean;
  /** Where an earlier process stopped; the newest event unless said. */
  readonly beforeRow?: number;
  /** Told from time to time that all events from this row on were looked at. */
  readonly reached?: (row: number) => Promise<void>;
}

export interface Pass {
  readonly looked: number;
  readonly mapped: number;
  /** All events from this row on were looked at. */
  readonly beforeRow: number;
  /** Whether the oldest was. */
  readonly isWhole: boolean;
}

/**
 * Goes once through all events of a project that `awaiting` names, the newest first, and maps those whose map
 * is there now. Answers how many were looked at and mapped, and how far it came.
 */
export async function mapLateEvents(
  parts: LateMapsParts,
  projectId: number,
  awaiting: Awaiting,
  options: PassOptions = {},
): Promise<Pass> {
  const isOver = options.isOver ?? (() => false);
  const about = { projectId, ...(awaiting.of === 'release' ? awaiting : { of: awaiting.of }) };
  const mappedByIssue = new Map<number, number>();
  let [looked, mapped, beforeRow] = [0, 0, options.beforeRow ?? Number.MAX_SAFE_INTEGER];
  let isWhole = false;
  while (!isWhole && !isOver()) {
    const page = await parts.store.eventsAwaitingMapping(projectId, awaiting, beforeRow, pageEvents);
    for (const event of page) {
      if (isOver()) break;
      // A database in this process answers without a turn of the loop: requests get theirs here.
      await setImmediate();
      looked += 1;
      beforeRow = event.row;
      if (await mapLate(parts, projectId, event)) {
        mapped += 1;
        mappedByIssue.set(event.issueId, (mappedByIssue.get(event.issueId) ?? 0) + 1);
      }
      if (looked % progressEvery === 0) {
        parts.log.info({ ...about, looked, mapped }, 'symbolicating earlier events');
      }
      if (looked % markEvery === 0) await options.reached?.(beforeRow);
    }
    isWhole = page.length < pageEvents && !isOver();
  }
  await regroupLate(parts, projectId, isOver);
  const release = awaiting.of === 'release' ? awaiting.release : null;
  for (const [issueId, events] of mappedByIssue) {
    await parts.store.addMappingActivity({ projectId, issueId, events, release, atMs: parts.now() });
  }
  if (mapped > 0) parts.log.info({ ...about, looked, mapped }, 'earlier events symbolicated');
  return { looked, mapped, beforeRow, isWhole };
}

/**
 * True when frames of the event were mapped. What still waits for another map stays marked, and says for
 * which.
 */
async function mapLate(parts: LateMapsParts, projectId: number, awaiting: AwaitingEvent): Promise<boolean> {
  if (awaiting.payload === null) return false;
  const { found, payload, regrouped } = await lookAtStored(parts, projectId, awaiting.payload);
  const isChanged = payload !== null;
  // It had all its time: what is still missing is a map.
  const awaits = found.needsMapping ? found.missing : [];
  if (isChanged || !found.needsMapping || !isSame(awaits, awaiting.awaits)) {
    const { needsMapping } = found;
    await parts.store.storeLook(projectId, awaiting.row, { payload, needsMapping, awaits, regrouped });
  }
  return isChanged && found.mappedFrames > 0;
}

function isSame(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name) => others.includes(name));
}

/** Groups all such issues of a project again; `isOver` is asked between slices. */
export async function regroupLate(
  parts: { readonly store: LateGroupingStore; readonly log: Log; now(): EpochMs },
  projectId: number,
  isOver: () => boolean,
): Promise<void> {
  const { store } = parts;
  for (const issueId of await store.issuesToRegroup(projectId)) {
    if (isOver()) return;
    const act = { actor, nowMs: parts.now() };
    const decision = await store.decideLate(projectId, issueId, act);
    for (const move of decision.moves) {
      while ((await store.moveLate(projectId, issueId, move, act)) > 0) {
        if (isOver()) return;
        await setImmediate();
      }
    }
    await store.finishLate(projectId, issueId, decision, act);
    parts.log.info(
      { projectId, issueId, moves: decision.moves.length, joinInto: decision.joinInto },
      'issue regrouped',
    );
  }
}
