// Symbolication as the rules are handed it: mapping at ingestion, and the background runs for maps that come late.
import type { NormalizedEvent } from '../../schemas/event.ts';
import type { Deps } from './deps.ts';
import type { Symbolicate } from './ingest.ts';
import { type LateMapsParts, mapLateEvents } from './late-maps.ts';
import { scrubEvent } from './scrub.ts';
import { symbolicateEvent } from './symbolicate.ts';
import type { Symbolicator } from './symbolicator.ts';

/** An event that ran out of time is looked at again after this: by then it is stored. */
const retryMs = 500;
/** How often artifacts whose time is over are cleared away. */
const housekeepingMs = 3_600_000;
/** A project's releases waiting for a run; with more, all its events are gone through. */
const waitingReleasesMax = 100;

export interface Symbolication {
  /** What `ingestEvent` is handed to map frames with, for at most 250 ms (decision D-30). */
  readonly symbolicate: Symbolicate;
  /** Says that artifacts were filed: events of that release (of any with null) are mapped in the background. */
  artifactsArrived(projectId: number, release: string | null): void;
  /**
   * For a server that starts: readies the threads, takes up what an earlier process left undone, and clears old artifacts
   * away from hour to hour. Never rejects.
   */
  start(): Promise<void>;
  /** The workers, for reading uploads. */
  readonly workers: Symbolicator;
  /** Does at once what waits for its time, and resolves when no background run is under way. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface Runs {
  /** Releases to go through next; null stands for all events. */
  readonly waiting: Set<string | null>;
  running: Promise<void> | null;
}

/** Opens symbolication over a store and workers; it owns the workers and closes them. */
export function openSymbolication(
  deps: Pick<Deps, 'store' | 'log' | 'now'> & { readonly workers: Symbolicator },
): Symbolication {
  const parts: LateMapsParts = {
    ...deps,
    clockMs: () => performance.now(),
    scrub: (projectId, event) => scrubAgain(deps, projectId, event),
  };
  const runs = new Map<number, Runs>();
  const timers = new Map<NodeJS.Timeout, () => void>();
  let housekeeping: NodeJS.Timeout | null = null;
  let closed = false;

  function schedule(projectId: number, release: string | null): void {
    if (closed) return;
    const own = runs.get(projectId) ?? { waiting: new Set<string | null>(), running: null };
    runs.set(projectId, own);
    if (own.waiting.size >= waitingReleasesMax) own.waiting.add(null);
    else own.waiting.add(release);
    own.running ??= work(projectId, own);
  }

  /** One run a project at a time; what arrives meanwhile waits for the next. */
  async function work(projectId: number, own: Runs): Promise<void> {
    try {
      while (own.waiting.size > 0 && !closed) {
        const releases = own.waiting.has(null) ? [null] : [...own.waiting];
        own.waiting.clear();
        for (const release of releases) await mapLateEvents(parts, projectId, release, () => closed);
      }
    } catch (error) {
      parts.log.error({ projectId, error: String(error) }, 'mapping late events failed');
    } finally {
      runs.delete(projectId);
    }
  }

  function scheduleSoon(projectId: number, release: string | null): void {
    const run = (): void => {
      clearTimeout(timer);
      timers.delete(timer);
      schedule(projectId, release);
    };
    const timer = setTimeout(run, retryMs).unref();
    timers.set(timer, run);
  }

  return {
    workers: parts.workers,
    async symbolicate(project, event) {
      const found = await symbolicateEvent(parts, project.id, event);
      if (found.outOfTime) scheduleSoon(project.id, event.release ?? null);
      return { event: found.event, needsMapping: found.needsMapping };
    },
    artifactsArrived(projectId, release) {
      schedule(projectId, release);
      // An event that looked for its map just before may be stored just after the run has passed.
      scheduleSoon(projectId, release);
    },
    async start() {
      housekeeping ??= setInterval(() => void prune(deps), housekeepingMs).unref();
      try {
        await parts.workers.warm();
        for (const project of await deps.store.listProjects()) schedule(project.id, null);
      } catch (error) {
        parts.log.error({ error: String(error) }, 'mapping late events failed');
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
      if (housekeeping !== null) clearInterval(housekeeping);
      for (const timer of timers.keys()) clearTimeout(timer);
      timers.clear();
      await Promise.all([...runs.values()].map((own) => own.running));
      await parts.workers.close();
    },
  };
}

async function prune(deps: Pick<Deps, 'store' | 'log' | 'now'>): Promise<void> {
  try {
    const removed = await deps.store.pruneArtifacts(deps.now());
    if (removed > 0) deps.log.info({ removed }, 'old artifacts cleared away');
  } catch (error) {
    deps.log.warn({ error: String(error) }, 'old artifacts could not be cleared away');
  }
}

/** Source lines that a late map brings are scrubbed as they would have been at the door. */
async function scrubAgain(
  deps: Pick<Deps, 'store'>,
  projectId: number,
  event: NormalizedEvent,
): Promise<NormalizedEvent> {
  const project = await deps.store.findProject(projectId);
  const { event: clean } = scrubEvent(event, {
    extraFields: project?.scrubFields ?? [],
    storeIpAddresses: project?.storeIpAddresses ?? false,
    clientAddress: '',
  });
  return clean;
}
