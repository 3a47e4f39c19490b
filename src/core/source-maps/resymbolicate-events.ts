import { setImmediate } from 'node:timers/promises';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { Log } from '../ports/log.ts';
import type { PendingSelection, PendingSymbolicationEvent, SymbolicationStore } from '../store/artifacts.ts';
import type { PendingRegroupingStore } from '../store/pending-regrouping.ts';
import { type ResymbolicateEventDeps, resymbolicateStoredEvent } from './resymbolicate-event.ts';

const actor = 'maps';

const pageEvents = 10;
const progressEvery = 100;
const markEvery = 1_000;

export const pendingNamesPerQueryMax = 100;

/** Marks an event whose map exists but that ran out of time. */
export const timedOutMarker = 'time';

export interface ResymbolicationDeps extends ResymbolicateEventDeps {
  readonly store: ResymbolicateEventDeps['store'] & SymbolicationStore & PendingRegroupingStore;
  now(): EpochMs;
}

export interface ResymbolicationPassOptions {
  /** Checked between events; true ends the pass. */
  readonly isOver?: () => boolean;
  /** Where an earlier process stopped; default is the newest event. */
  readonly beforeRow?: number;
  /** Called from time to time: all events from this row on are done. */
  readonly reached?: (row: number) => Promise<void>;
}

export interface ResymbolicationPass {
  readonly looked: number;
  readonly mapped: number;
  readonly beforeRow: number;
  readonly isWhole: boolean;
}

/** Symbolicates the events that `awaiting` names, newest first, if their map is there now. */
export async function resymbolicateEvents(
  parts: ResymbolicationDeps,
  projectId: number,
  awaiting: PendingSelection,
  options: ResymbolicationPassOptions = {},
): Promise<ResymbolicationPass> {
  const isOver = options.isOver ?? (() => false);
  const about = { projectId, ...(awaiting.of === 'release' ? awaiting : { of: awaiting.of }) };
  const mappedByIssue = new Map<number, number>();
  let [looked, mapped, beforeRow] = [0, 0, options.beforeRow ?? Number.MAX_SAFE_INTEGER];
  let isWhole = false;
  while (!isWhole && !isOver()) {
    const page = await parts.store.listPendingSymbolications(projectId, awaiting, beforeRow, pageEvents);
    for (const event of page) {
      if (isOver()) break;
      // SQLite answers synchronously, so let requests run in between.
      await setImmediate();
      looked += 1;
      beforeRow = event.row;
      if (await saveResymbolicatedEvent(parts, projectId, event)) {
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
  await regroupResymbolicatedIssues(parts, projectId, isOver);
  const release = awaiting.of === 'release' ? awaiting.release : null;
  for (const [issueId, events] of mappedByIssue) {
    await parts.store.addSymbolicationActivity({ projectId, issueId, events, release, atMs: parts.now() });
  }
  if (mapped > 0) parts.log.info({ ...about, looked, mapped }, 'earlier events symbolicated');
  return { looked, mapped, beforeRow, isWhole };
}

/** True if frames were symbolicated. An event that waits for another map stays marked with it. */
async function saveResymbolicatedEvent(
  parts: ResymbolicationDeps,
  projectId: number,
  awaiting: PendingSymbolicationEvent,
): Promise<boolean> {
  if (awaiting.payload === null) return false;
  const { found, payload, regrouped } = await resymbolicateStoredEvent(parts, projectId, awaiting.payload);
  const isChanged = payload !== null;
  // It had enough time; what is missing is a map.
  const awaits = found.needsMapping ? found.missing : [];
  if (isChanged || !found.needsMapping || !isSame(awaits, awaiting.awaits)) {
    const { needsMapping } = found;
    await parts.store.storeSymbolication(projectId, awaiting.row, {
      payload,
      needsMapping,
      awaits,
      regrouped,
    });
  }
  return isChanged && found.mappedFrames > 0;
}

function isSame(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name) => others.includes(name));
}

/** Regroups the issues whose events changed by symbolication; `isOver` is checked between slices. */
export async function regroupResymbolicatedIssues(
  parts: { readonly store: PendingRegroupingStore; readonly log: Log; now(): EpochMs },
  projectId: number,
  isOver: () => boolean,
): Promise<void> {
  const { store } = parts;
  for (const issueId of await store.issuesToRegroup(projectId)) {
    if (isOver()) return;
    const act = { actor, nowMs: parts.now() };
    const decision = await store.planRegrouping(projectId, issueId, act);
    for (const move of decision.moves) {
      while ((await store.moveRegroupedEvents(projectId, issueId, move, act)) > 0) {
        if (isOver()) return;
        await setImmediate();
      }
    }
    await store.finishRegrouping(projectId, issueId, decision, act);
    parts.log.info(
      { projectId, issueId, moves: decision.moves.length, joinInto: decision.joinInto },
      'issue regrouped',
    );
  }
}
