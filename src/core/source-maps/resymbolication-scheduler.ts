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
const startDelayMs = 500;
/** With more than this waiting, all events of the project are processed instead. */
const waitingReleasesMax = 100;
const waitingNamesMax = 10_000;
// Ids become visible in the order of commits, so the newest ones are queried again at a start.
const overlapArtifacts = 1_000;

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
interface Progress {
  readonly artifactId: number;
  readonly allBelow: number | null;
}

export function createResymbolicationScheduler(deps: ResymbolicationSchedulerDeps) {
  const runs = new Map<number, Runs>();
  const timers = new Map<NodeJS.Timeout, () => void>();
  let closed = false;

  function schedule(projectId: number, add: (waiting: Waiting) => void): void {
    if (closed) return;
    const entry = runs.get(projectId) ?? { waiting: emptyWaiting(), running: null };
    runs.set(projectId, entry);
    add(entry.waiting);
    entry.running ??= work({ deps, projectId, isClosed: () => closed }, entry.waiting).finally(() =>
      runs.delete(projectId),
    );
  }

  function scheduleSoon(projectId: number, add: (waiting: Waiting) => void): void {
    const run = (): void => {
      clearTimeout(timer);
      timers.delete(timer);
      schedule(projectId, add);
    };
    const timer = setTimeout(run, startDelayMs).unref();
    timers.set(timer, run);
  }

  return {
    arrived(projectId: number, arrival: UploadedArtifacts): void {
      schedule(projectId, (waiting) => addArrival(waiting, arrival));
      // Again later: an event that just missed its map may be stored after this run has passed it.
      scheduleSoon(projectId, (waiting) => addArrival(waiting, arrival));
    },
    /** The event is about to be stored; its maps exist. */
    ranOutOfTime: (projectId: number) =>
      scheduleSoon(projectId, (waiting) => waiting.names.add(timedOutMarker)),
    /** Resumes what an earlier process (`isStart`) or a failed run left undone. */
    async resume(projects: readonly Project[], { isStart }: { readonly isStart: boolean }): Promise<void> {
      for (const { id } of projects) {
        const addUnfinished = await findUnfinished(deps.store, id, isStart);
        if (addUnfinished !== null) schedule(id, addUnfinished);
      }
    },
    /** Starts delayed runs at once, and resolves when no run is active. */
    async settled(): Promise<void> {
      while (runs.size > 0 || timers.size > 0) {
        for (const run of timers.values()) run();
        await Promise.all([...runs.values()].map((entry) => entry.running));
      }
    },
    async close(): Promise<void> {
      closed = true;
      for (const timer of timers.keys()) clearTimeout(timer);
      timers.clear();
      await Promise.all([...runs.values()].map((entry) => entry.running));
    },
  };
}

/** Returns a function that adds the unfinished work to `waiting`; null if there is none. */
async function findUnfinished(
  store: ResymbolicationSchedulerDeps['store'],
  projectId: number,
  isStart: boolean,
): Promise<((waiting: Waiting) => void) | null> {
  const progress = await readProgress(store, projectId);
  const since = (progress?.artifactId ?? 0) - (isStart ? overlapArtifacts : 0);
  const newArtifacts = await store.artifactsSince(projectId, since);
  const isDone =
    progress !== null &&
    progress.allBelow === null &&
    newArtifacts.releases.length + newArtifacts.debugIds.length === 0;
  if (isDone && !isStart) return null;
  return (waiting) => {
    if (isStart) waiting.names.add(timedOutMarker);
    if (progress === null || newArtifacts.isMore) waiting.allBelow = Number.MAX_SAFE_INTEGER;
    else waiting.allBelow ??= progress.allBelow;
    for (const release of newArtifacts.releases) addArrival(waiting, { release, debugIds: [] });
    addArrival(waiting, { release: null, debugIds: newArtifacts.debugIds });
  };
}

interface Run {
  readonly deps: ResymbolicationSchedulerDeps;
  readonly projectId: number;
  isClosed(): boolean;
}

/** New uploads are handled before a pass through all events continues. */
async function work(run: Run, waiting: Waiting): Promise<void> {
  const { deps, projectId, isClosed } = run;
  try {
    while (!isClosed() && isWaiting(waiting)) {
      const progress = await readProgress(deps.store, projectId);
      // Queried for the newest id only; later artifacts are announced by `arrived`.
      const { lastId } = await deps.store.artifactsSince(projectId, Number.MAX_SAFE_INTEGER);
      for (const awaiting of takePasses(waiting)) {
        await resymbolicateEvents(deps, projectId, awaiting, { isOver: isClosed });
      }
      const wasAll = waiting.allBelow !== null;
      if (wasAll) await resymbolicateAll(run, waiting, progress?.artifactId ?? 0);
      // A project never processed as a whole stores no progress, so that the next start does it.
      if (!isClosed() && (wasAll || progress !== null)) {
        await writeProgress(deps.store, projectId, { artifactId: lastId, allBelow: waiting.allBelow });
      }
    }
  } catch (error) {
    if (error instanceof ProjectDeletedError) return;
    deps.log.error({ projectId, error: String(error) }, 'symbolication of earlier events failed');
  }
}

async function resymbolicateAll(run: Run, waiting: Waiting, artifactId: number): Promise<void> {
  const { deps, projectId, isClosed } = run;
  const options: ResymbolicationPassOptions = {
    beforeRow: waiting.allBelow ?? Number.MAX_SAFE_INTEGER,
    isOver: () => isClosed() || waiting.releases.size + waiting.names.size > 0,
    reached: (row) => writeProgress(deps.store, projectId, { artifactId, allBelow: row }),
  };
  waiting.allBelow = null;
  const pass = await resymbolicateEvents(deps, projectId, { of: 'all' }, options);
  // If too much arrived meanwhile, the pass starts again at the newest event.
  if (!pass.isWhole) waiting.allBelow = Math.max(waiting.allBelow ?? 0, pass.beforeRow);
}

function emptyWaiting(): Waiting {
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
} satisfies Progress);

async function readProgress(store: SettingStore, projectId: number): Promise<Progress | null> {
  const text = await store.findSetting(resymbolicationProgressKey(projectId));
  return text === null ? null : (JSON.parse(text) as Progress);
}

async function writeProgress(store: SettingStore, projectId: number, progress: Progress): Promise<void> {
  await store.setSetting(resymbolicationProgressKey(projectId), JSON.stringify(progress));
}
