// When late events are looked at: after an upload those that it may help, after a start those that an earlier
// process left. One run a project at a time; how far it came is written down, so that nothing is gone through
// for nothing.
import { ProjectEnded } from '../errors.ts';
import type { Arrival } from '../ports/mapping.ts';
import type { Awaiting } from '../store/artifacts.ts';
import type { Project, SettingStore } from '../store/projects.ts';
import { awaitedMax, type LateMapsParts, mapLateEvents, moreTime, type PassOptions } from './late-events.ts';

/**
 * An event that ran out of time, or came while a map was uploaded, is looked at after so long: by then it is
 * stored.
 */
const soonMs = 500;
/** Releases and names of a project that wait for a run; with more, all its events are gone through. */
const waitingReleasesMax = 100;
const waitingNamesMax = 10_000;
/**
 * An artifact has its number from its insertion and is seen from its commit on, so that a lower number may
 * appear after a higher one: the newest ones, so many, are asked for again.
 */
const overlapArtifacts = 1_000;

export interface LateMapRuns {
  /** Says that artifacts were filed. */
  arrived(projectId: number, arrival: Arrival): void;
  /** Says that an event which is about to be stored had its maps and too little time. */
  ranOutOfTime(projectId: number): void;
  /** Takes up what an earlier process left undone (`isStart`), or an earlier run that failed. */
  resume(projects: readonly Project[], options: { readonly isStart: boolean }): Promise<void>;
  /** Does at once what waits for its time, and resolves when no run is under way. */
  settled(): Promise<void>;
  /** Ends the runs between two events. */
  close(): Promise<void>;
}

export type LateMapRunsParts = Omit<LateMapsParts, 'store'> & {
  readonly store: LateMapsParts['store'] & SettingStore;
};

interface Waiting {
  readonly releases: Set<string>;
  readonly names: Set<string>;
  /** All events below this row are still to be gone through; null when none are. */
  allBelow: number | null;
}

interface Runs {
  readonly waiting: Waiting;
  running: Promise<void> | null;
}

/**
 * How far a project was gone through: all artifacts up to `artifactId`, and all events but those below
 * `allBelow`.
 */
interface Mark {
  readonly artifactId: number;
  readonly allBelow: number | null;
}

/** Opens the runs of all projects. */
export function openLateMapRuns(parts: LateMapRunsParts): LateMapRuns {
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
      // An event that looked for its map just before may be stored just after the run has passed.
      scheduleSoon(projectId, (waiting) => addArrival(waiting, arrival));
    },
    ranOutOfTime: (projectId) => scheduleSoon(projectId, (waiting) => waiting.names.add(moreTime)),
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

/** What an earlier process or run left, as what adds it to what waits; null where nothing is left. */
async function leftUndone(
  store: LateMapRunsParts['store'],
  projectId: number,
  isStart: boolean,
): Promise<((waiting: Waiting) => void) | null> {
  const mark = await readMark(store, projectId);
  const since = (mark?.artifactId ?? 0) - (isStart ? overlapArtifacts : 0);
  const news = await store.artifactsSince(projectId, since);
  const isDone = mark !== null && mark.allBelow === null && news.releases.length + news.debugIds.length === 0;
  if (isDone && !isStart) return null;
  return (waiting) => {
    if (isStart) waiting.names.add(moreTime);
    if (mark === null || news.isMore) waiting.allBelow = Number.MAX_SAFE_INTEGER;
    else waiting.allBelow ??= mark.allBelow;
    for (const release of news.releases) addArrival(waiting, { release, debugIds: [] });
    addArrival(waiting, { release: null, debugIds: news.debugIds });
  };
}

/** The run of one project. */
interface Run {
  readonly parts: LateMapRunsParts;
  readonly projectId: number;
  isClosed(): boolean;
}

/** What arrives meanwhile comes before the rest of a pass through all events. */
async function work(run: Run, waiting: Waiting): Promise<void> {
  const { parts, projectId, isClosed } = run;
  try {
    while (!isClosed() && isWaiting(waiting)) {
      const mark = await readMark(parts.store, projectId);
      // Only the newest number is asked for: what came after it arrives by itself.
      const { lastId } = await parts.store.artifactsSince(projectId, Number.MAX_SAFE_INTEGER);
      for (const awaiting of takePasses(waiting)) {
        await mapLateEvents(parts, projectId, awaiting, { isOver: isClosed });
      }
      const wasAll = waiting.allBelow !== null;
      if (wasAll) await goThroughAll(run, waiting, mark?.artifactId ?? 0);
      // A project that was never gone through keeps no mark: at the next start it is.
      if (!isClosed() && (wasAll || mark !== null)) {
        await writeMark(parts.store, projectId, { artifactId: lastId, allBelow: waiting.allBelow });
      }
    }
  } catch (error) {
    if (error instanceof ProjectEnded) return;
    parts.log.error({ projectId, error: String(error) }, 'symbolication of earlier events failed');
  }
}

async function goThroughAll(run: Run, waiting: Waiting, artifactId: number): Promise<void> {
  const { parts, projectId, isClosed } = run;
  const options: PassOptions = {
    beforeRow: waiting.allBelow ?? Number.MAX_SAFE_INTEGER,
    isOver: () => isClosed() || waiting.releases.size + waiting.names.size > 0,
    reached: (row) => writeMark(parts.store, projectId, { artifactId, allBelow: row }),
  };
  waiting.allBelow = null;
  const pass = await mapLateEvents(parts, projectId, { of: 'all' }, options);
  // Too much may have arrived meanwhile to be named: then the pass begins anew, at the newest.
  if (!pass.isWhole) waiting.allBelow = Math.max(waiting.allBelow ?? 0, pass.beforeRow);
}

function nothing(): Waiting {
  return { releases: new Set(), names: new Set(), allBelow: null };
}

function isWaiting(waiting: Waiting): boolean {
  return waiting.releases.size > 0 || waiting.names.size > 0 || waiting.allBelow !== null;
}

function addArrival(waiting: Waiting, { release, debugIds }: Arrival): void {
  if (release !== null) waiting.releases.add(release);
  for (const debugId of debugIds) waiting.names.add(debugId);
  if (waiting.releases.size <= waitingReleasesMax && waiting.names.size <= waitingNamesMax) return;
  waiting.releases.clear();
  waiting.names.clear();
  waiting.allBelow = Number.MAX_SAFE_INTEGER;
}

/** What waits by release or name, as passes; it waits no longer. */
function takePasses(waiting: Waiting): Awaiting[] {
  const names = [...waiting.names];
  const passes: Awaiting[] = [...waiting.releases].map((release) => ({ of: 'release', release }));
  for (let at = 0; at < names.length; at += awaitedMax) {
    passes.push({ of: 'names', names: names.slice(at, at + awaitedMax) });
  }
  waiting.releases.clear();
  waiting.names.clear();
  return passes;
}

/** The setting that says how far the late events of a project were gone through. */
export function lateMapsMark(projectId: number): string {
  return `late_maps_${projectId}`;
}

/**
 * What that setting says of a new project: no event of it is older than the writing down of what events wait
 * for. Without it the first start after would go through all that came meanwhile, for nothing.
 */
export const markOfNewProject = JSON.stringify({ artifactId: 0, allBelow: null } satisfies Mark);

async function readMark(store: SettingStore, projectId: number): Promise<Mark | null> {
  const text = await store.findSetting(lateMapsMark(projectId));
  return text === null ? null : (JSON.parse(text) as Mark);
}

async function writeMark(store: SettingStore, projectId: number, mark: Mark): Promise<void> {
  await store.setSetting(lateMapsMark(projectId), JSON.stringify(mark));
}
