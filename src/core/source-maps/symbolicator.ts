import type { Deps } from '../deps.ts';
import { hourMs } from '../parsing/durations.ts';
import { cachePerTick } from '../parsing/per-tick-cache.ts';
import type { SymbolicationWorkers, Symbolicator } from '../ports/symbolication-workers.ts';
import { symbolicateEvent } from './apply-source-maps.ts';
import { timedOutMarker } from './resymbolicate-events.ts';
import {
  createResymbolicationScheduler,
  type ResymbolicationSchedulerDeps,
} from './resymbolication-scheduler.ts';

const retryMs = hourMs;

export function createSymbolicator(
  deps: Pick<Deps, 'store' | 'log' | 'now' | 'largeBodyReader'> & {
    readonly workers: SymbolicationWorkers;
    readonly budgetMs?: number | undefined;
  },
): Symbolicator {
  const schedulerDeps: ResymbolicationSchedulerDeps = {
    ...deps,
    clockMs: () => performance.now(),
  };
  const runs = createResymbolicationScheduler(schedulerDeps);
  const hasArtifacts = cachePerTick((projectId) => deps.store.hasArtifacts(projectId));
  const atIngestion = { ...schedulerDeps, hasArtifacts };
  let retrying: NodeJS.Timeout | null = null;

  async function resume(isStart: boolean): Promise<void> {
    try {
      await runs.resume(await deps.store.listProjects(), { isStart });
    } catch (error) {
      schedulerDeps.log.error({ error: String(error) }, 'symbolication of earlier events failed');
    }
  }

  /** If threads cannot start yet, late events are processed all the same. */
  function readied(): Promise<void> {
    return warm(deps).catch((error: unknown) => {
      schedulerDeps.log.error({ error: String(error) }, 'the symbolication workers are not ready');
    });
  }

  return {
    workers: schedulerDeps.workers,
    async mapEvent(project, event) {
      const found = await symbolicateEvent(atIngestion, project.id, event, deps.budgetMs);
      if (found.outOfTime) runs.ranOutOfTime(project.id);
      const awaits = found.outOfTime ? [...found.missing, timedOutMarker] : found.missing;
      return { event: found.event, needsMapping: found.needsMapping, awaits };
    },
    artifactsArrived: runs.arrived,
    warm: readied,
    async start() {
      retrying ??= setInterval(() => void resume(false), retryMs).unref();
      await readied();
      await resume(true);
    },
    settled: runs.settled,
    async close() {
      if (retrying !== null) clearInterval(retrying);
      await runs.close();
      await schedulerDeps.workers.close();
    },
  };
}

/** Without uploads no event needs the threads; the first upload starts them. */
async function warm({
  store,
  workers,
}: Pick<Deps, 'store'> & { workers: SymbolicationWorkers }): Promise<void> {
  for (const { id } of await store.listProjects()) {
    if (await store.hasArtifacts(id)) return workers.warm();
  }
}
