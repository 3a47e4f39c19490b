// Schedules the symbolication of late events after uploads and starts; one run per project, with stored progress.
import { ProjectDeletedError } from '../errors.ts';
import type { UploadedArtifacts } from '../ports/symbolication-workers.ts';
import type { PendingSelection } from '../store/artifacts.ts';
import type { Project, SettingStore } from '../store/projects.ts';
import {
  pendingNamesPerQueryMax,
  type ResymbolicationDeps,
  type ResymbolicationPassOptions,
  resymbolicateEvents,
  timedOutMarker,
} from './resymbolicate-events.ts';

/** An event that ran out of time, or arrived during the upload of its map, is stored by then. */
const soonMs = 500;
/** With more than this waiting, all events of the project are processed instead. */
const waitingReleasesMax = 100;
const waitingNamesMax = 10_000;
// Ids become visible in the order of commits, so the newest ones are queried again at a start.
const overlapArtifacts = 1_000;

export interface ResymbolicationScheduler {
  arrived(projectId: number, arrival: UploadedArtifacts): void;
  /** The event is about to be stored; its maps exist. */
  ranOutOfTime(projectId: number): void;
  /** Resumes what an earlier process (`isStart`) or a failed run left undone. */
  resume(projects: readonly Project[], options: { readonly isStart: boolean }): Promise<void>;
  /** Starts delayed runs at once, and resolves when no run is active. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export type ResymbolicationSchedulerDeps = Omit<ResymbolicationDeps, 'store'> & {
  readonly store: ResymbolicationDeps['store'] & SettingStore;
};

interface Waiting {
  readonly releases: Set<string>;
  readonly names: Set<string>;
  /** Events below this row are still to be processed; null for none. */
  allBelow: number | null;
}

interface Runs {
  readonly waiting: Waiting;
  running: Promise<void> | null;
}

/** Progress: all artifacts up to `artifactId`, all events but those below `allBelow`. */
interface Mark {
  readonly artifactId: number;
  readonly allBelow: number | null;
}

export function createResymbolicationScheduler(
  parts: ResymbolicationSchedulerDeps,
): ResymbolicationScheduler {
  const runs = new Map<number, Runs>();
  const timers = new Map<NodeJS.Timeout, () => void>();
  let closed = false;

  function schedule(projectId: number, add: (waiting: Waiting) => void): void {
    if (closed) return;
    const own = runs.get(projectId) ?? { waiting: nothing(), running: null };
    runs.set(projectId, own);
    add(own.waiting);
    own.running ??= work({ parts, projectId, isClosed: () => closed }, own.waiting).finally(() =>
      runs.delete(projectId),
    );
  }

  function scheduleSoon(projectId: number, add: (waiting: Waiting) => void): void {
    const run = (): void => {
      clearTimeout(timer);
      timers.delete(timer);
      schedule(projectId, add);
    };
    const timer = setTimeout(run, soonMs).unref();
    timers.set(timer, run);
  }

  return {
    arrived(projectId, arrival) {
      schedule(projectId, (waiting) => addArrival(waiting, arrival));
      // Again later: an event that just missed its map may be stored after this run has passed it.
      scheduleSoon(projectId, (waiting) => addArrival(waiting, arrival));
    },
    ranOutOfTime: (projectId) => scheduleSoon(projectId, (waiting) => waiting.names.add(timedOutMarker)),
    async resume(projects, { isStart }) {
      for (const { id } of projects) {
        const left = await leftUndone(parts.store, id, isStart);
        if (left !== null) schedule(id, left);
      }
    },
    async settled() {
      while (runs.size > 0 || timers.size > 0) {
        for (const run of timers.values()) run();
        await Promise.all([...runs.values()].map((own) => own.running));
      }
    },
    async close() {
      closed = true;
      for (const timer of timers.keys()) clearTimeout(timer);
      timers.clear();
      await Promise.all([...runs.values()].map((own) => own.running));
    },
  };
}

/** Returns a function that adds the unfinished work to `waiting`; null if there is none. */
async function leftUndone(
  store: ResymbolicationSchedulerDeps['store'],
  projectId: number,
  isStart: boolean,
): Promise<((waiting: Waiting) => void) | null> {
  const mark = await readMark(store, projectId);
  const since = (mark?.artifactId ?? 0) - (isStart ? overlapArtifacts : 0);
  const news = await store.artifactsSince(projectId, since);
  const isDone = mark !== null && mark.allBelow === null && news.releases.length + news.debugIds.length === 0;
  if (isDone && !isStart) return null;
  return (waiting) => {
    if (isStart) waiting.names.add(timedOutMarker);
    if (mark === null || news.isMore) waiting.allBelow = Number.MAX_SAFE_INTEGER;
    else waiting.allBelow ??= mark.allBelow;
    for (const release of news.releases) addArrival(waiting, { release, debugIds: [] });
    addArrival(waiting, { release: null, debugIds: news.debugIds });
  };
}

interface Run {
  readonly parts: ResymbolicationSchedulerDeps;
  readonly projectId: number;
  isClosed(): boolean;
}

/** New uploads are handled before a pass through all events continues. */
async function work(run: Run, waiting: Waiting): Promise<void> {
  const { parts, projectId, isClosed } = run;
  try {
    while (!isClosed() && isWaiting(waiting)) {
      const mark = await readMark(parts.store, projectId);
      // Queried for the newest id only; later artifacts are announced by `arrived`.
      const { lastId } = await parts.store.artifactsSince(projectId, Number.MAX_SAFE_INTEGER);
      for (const awaiting of takePasses(waiting)) {
        await resymbolicateEvents(parts, projectId, awaiting, { isOver: isClosed });
      }
      const wasAll = waiting.allBelow !== null;
      if (wasAll) await goThroughAll(run, waiting, mark?.artifactId ?? 0);
      // A project never processed as a whole keeps no mark, so that the next start does it.
      if (!isClosed() && (wasAll || mark !== null)) {
        await writeMark(parts.store, projectId, { artifactId: lastId, allBelow: waiting.allBelow });
      }
    }
  } catch (error) {
    if (error instanceof ProjectDeletedError) return;
    parts.log.error({ projectId, error: String(error) }, 'symbolication of earlier events failed');
  }
}

async function goThroughAll(run: Run, waiting: Waiting, artifactId: number): Promise<void> {
  const { parts, projectId, isClosed } = run;
  const options: ResymbolicationPassOptions = {
    beforeRow: waiting.allBelow ?? Number.MAX_SAFE_INTEGER,
    isOver: () => isClosed() || waiting.releases.size + waiting.names.size > 0,
    reached: (row) => writeMark(parts.store, projectId, { artifactId, allBelow: row }),
  };
  waiting.allBelow = null;
  const pass = await resymbolicateEvents(parts, projectId, { of: 'all' }, options);
  // If too much arrived meanwhile, the pass starts again at the newest event.
  if (!pass.isWhole) waiting.allBelow = Math.max(waiting.allBelow ?? 0, pass.beforeRow);
}

function nothing(): Waiting {
  return { releases: new Set(), names: new Set(), allBelow: null };
}

function isWaiting(waiting: Waiting): boolean {
  return waiting.releases.size > 0 || waiting.names.size > 0 || waiting.allBelow !== null;
}

function addArrival(waiting: Waiting, { release, debugIds }: UploadedArtifacts): void {
  if (release !== null) waiting.releases.add(release);
  for (const debugId of debugIds) waiting.names.add(debugId);
  if (waiting.releases.size <= waitingReleasesMax && waiting.names.size <= waitingNamesMax) return;
  waiting.releases.clear();
  waiting.names.clear();
  waiting.allBelow = Number.MAX_SAFE_INTEGER;
}

/** Removes what waits by release or name, and returns it as passes. */
function takePasses(waiting: Waiting): PendingSelection[] {
  const names = [...waiting.names];
  const passes: PendingSelection[] = [...waiting.releases].map((release) => ({ of: 'release', release }));
  for (let at = 0; at < names.length; at += pendingNamesPerQueryMax) {
    passes.push({ of: 'names', names: names.slice(at, at + pendingNamesPerQueryMax) });
  }
  waiting.releases.clear();
  waiting.names.clear();
  return passes;
}

export function resymbolicationProgressKey(projectId: number): string {
  return `resymbolication_${projectId}`;
}

/** New projects have no unprocessed events; without this the first start would go through all of them. */
export const initialResymbolicationProgress = JSON.stringify({
  artifactId: 0,
  allBelow: null,
} satisfies Mark);

async function readMark(store: SettingStore, projectId: number): Promise<Mark | null> {
  const text = await store.findSetting(resymbolicationProgressKey(projectId));
  return text === null ? null : (JSON.parse(text) as Mark);
}

async function writeMark(store: SettingStore, projectId: number, mark: Mark): Promise<void> {
  await store.setSetting(resymbolicationProgressKey(projectId), JSON.stringify(mark));
}
