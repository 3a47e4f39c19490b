import { setImmediate } from 'node:timers/promises';
import type { NormalizedEvent } from '../../../schemas/event.ts';
import { RestError } from '../errors.ts';
import { decompressPayload } from '../events/compress-payload.ts';
import { groupingKeyOf } from '../events/prepare.ts';
import { smallJsonBytesMax } from '../parsing/item-json.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { LargeBodyReader } from '../ports/large-body-reader.ts';
import type { Log } from '../ports/log.ts';
import type { EventGroupingKey, ScrubOptions } from '../ports/prepared-data.ts';
import { scrubEvent } from '../scrub/event.ts';
import type {
  ArtifactStore,
  PendingSelection,
  PendingSymbolicationEvent,
  RegroupingChange,
  SymbolicationStore,
} from '../store/artifacts.ts';
import type { PackedPayload } from '../store/events.ts';
import type { ProjectStore } from '../store/projects.ts';
import type { PendingRegroupingStore } from '../store/regroup.ts';
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

const actor = 'maps';

const pageEvents = 10;
const progressEvery = 100;

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

/** Symbolicates the events that `awaiting` names, newest first, if their map is there now. */
export async function resymbolicateEvents(
  deps: ResymbolicationDeps,
  projectId: number,
  awaiting: PendingSelection,
  options: ResymbolicationPassOptions = {},
) {
  const isOver = options.isOver ?? (() => false);
  const about = { projectId, ...(awaiting.of === 'release' ? awaiting : { of: awaiting.of }) };
  const mappedByIssue = new Map<number, number>();
  let [checked, mapped, beforeRow] = [0, 0, options.beforeRow ?? Number.MAX_SAFE_INTEGER];
  let isWhole = false;
  while (!isWhole && !isOver()) {
    const page = await deps.store.listPendingSymbolications(projectId, awaiting, beforeRow, pageEvents);
    for (const event of page) {
      if (isOver()) break;
      // SQLite answers synchronously, so let requests run in between.
      await setImmediate();
      checked += 1;
      beforeRow = event.row;
      if (await saveResymbolicatedEvent(deps, projectId, event)) {
        mapped += 1;
        mappedByIssue.set(event.issueId, (mappedByIssue.get(event.issueId) ?? 0) + 1);
      }
      if (checked % progressEvery === 0) {
        deps.log.info({ ...about, checked, mapped }, 'symbolicating earlier events');
        await options.reached?.(beforeRow);
      }
    }
    isWhole = page.length < pageEvents && !isOver();
  }
  await regroupResymbolicatedIssues(deps, projectId, isOver);
  const release = awaiting.of === 'release' ? awaiting.release : null;
  for (const [issueId, events] of mappedByIssue) {
    await deps.store.addSymbolicationActivity({ projectId, issueId, events, release, atMs: deps.now() });
  }
  if (mapped > 0) deps.log.info({ ...about, checked, mapped }, 'earlier events symbolicated');
  return { checked, mapped, beforeRow, isWhole };
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
  deps: { readonly store: PendingRegroupingStore; readonly log: Log; now(): EpochMs },
  projectId: number,
  isOver: () => boolean,
): Promise<void> {
  const { store } = deps;
  for (const issueId of await store.issuesToRegroup(projectId)) {
    if (isOver()) return;
    const action = { actor, nowMs: deps.now() };
    const decision = await store.planRegrouping(projectId, issueId, action);
    for (const move of decision.moves) {
      while ((await store.moveRegroupedEvents(projectId, issueId, move, action)) > 0) {
        if (isOver()) return;
        await setImmediate();
      }
    }
    await store.finishRegrouping(projectId, issueId, decision, action);
    deps.log.info(
      { projectId, issueId, moves: decision.moves.length, joinInto: decision.joinInto },
      'issue regrouped',
    );
  }
}

/** Longer than for live events, because nobody waits. */
const backgroundBudgetMs = 4_000;

export interface ResymbolicateEventDeps extends SymbolicationDeps {
  readonly store: ArtifactStore & Pick<ProjectStore, 'findProject'>;
  /** For large events. */
  readonly largeBodyReader: Pick<LargeBodyReader, 'readStored' | 'finishStored'>;
}

interface ResymbolicatedEvent {
  readonly found: SymbolicatedEvent;
  readonly payload: string | PackedPayload | null;
  /** Null if grouping, title and culprit are unchanged. */
  readonly regrouped: RegroupingChange | null;
}

/** Symbolicates a stored event again from the stacks that were sent. */
export async function resymbolicateStoredEvent(
  deps: ResymbolicateEventDeps,
  projectId: number,
  payload: string,
): Promise<ResymbolicatedEvent> {
  if (payload.length <= smallJsonBytesMax) return symbolicateHere(deps, projectId, payload);
  try {
    return await symbolicateInWorker(deps, projectId, payload);
  } catch (error) {
    // The workers are full or refused it; a background job cannot be asked to retry.
    if (!(error instanceof RestError)) throw error;
    return symbolicateHere(deps, projectId, payload);
  }
}

async function symbolicateHere(
  deps: ResymbolicateEventDeps,
  projectId: number,
  payload: string,
): Promise<ResymbolicatedEvent> {
  const stored = JSON.parse(payload) as NormalizedEvent;
  const sent = restoreSentStacks(removeComponentTag(stored));
  const found = await symbolicateEvent(deps, projectId, sent, backgroundBudgetMs);
  if (found.mappedFrames === 0) return { found, payload: null, regrouped: null };
  const { event: clean } = scrubEvent(found.event, await readScrubOptions(deps, projectId));
  // A source map may reveal the suspect plugin or theme.
  const event = addComponentTag(clean, findSuspectComponent(clean));
  const text = JSON.stringify(event);
  if (text === payload) return { found, payload: null, regrouped: null };
  return { found, payload: text, regrouped: regroupedOf(groupingKeyOf(stored), groupingKeyOf(event)) };
}

async function symbolicateInWorker(
  deps: ResymbolicateEventDeps,
  projectId: number,
  payload: string,
): Promise<ResymbolicatedEvent> {
  const { largeBodyReader } = deps;
  const { view, sent, key } = await largeBodyReader.readStored(Buffer.from(payload));
  const found = await symbolicateEvent(deps, projectId, view, backgroundBudgetMs);
  if (found.mappedFrames === 0) return { found, payload: null, regrouped: null };
  const scrub = await readScrubOptions(deps, projectId);
  const finished = await largeBodyReader.finishStored(sent, found.event, scrub);
  if (decompressPayload(finished.payload).payload === payload)
    return { found, payload: null, regrouped: null };
  return { found, payload: finished.payload, regrouped: regroupedOf(key, finished.key) };
}

/** Source lines from a late map are scrubbed like those of the event. */
async function readScrubOptions({ store }: ResymbolicateEventDeps, projectId: number): Promise<ScrubOptions> {
  const project = await store.findProject(projectId);
  return {
    extraFields: project?.scrubFields ?? [],
    storeIpAddresses: project?.storeIpAddresses ?? false,
    clientAddress: '',
  };
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
