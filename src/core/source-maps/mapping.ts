// Symbolication at ingestion, and background runs for late source maps.

import type { Deps } from '../deps.ts';
import { keyOf } from '../events/key.ts';
import type { HeavyReader } from '../ports/heavy-reader.ts';
import type { MapWorkers } from '../ports/map-workers.ts';
import type { EventMapping } from '../ports/mapping.ts';
import type { ScrubOptions } from '../ports/readings.ts';
import { onceATurn } from '../reading/once-a-turn.ts';
import { hourMs } from '../reading/spans.ts';
import { scrubEvent } from '../scrub/event.ts';
import { moreTime } from './late-events.ts';
import type { ProjectLook, StoredReader } from './late-look.ts';
import { type LateMapRunsParts, openLateMapRuns } from './late-runs.ts';
import { mapEvent } from './map-event.ts';

const retryMs = hourMs;

/** Owns the workers and closes them. */
export function openEventMapping(
  deps: Pick<Deps, 'store' | 'log' | 'now' | 'heavy'> & {
    readonly workers: MapWorkers;
    readonly budgetMs?: number | undefined;
  },
): EventMapping {
  const parts: LateMapRunsParts = {
    ...deps,
    clockMs: () => performance.now(),
    projectLook: (projectId) => projectLook(deps, projectId),
  };
  const runs = openLateMapRuns(parts);
  const hasArtifacts = onceATurn((projectId) => deps.store.hasArtifacts(projectId));
  const atIngestion = { ...parts, hasArtifacts };
  let retrying: NodeJS.Timeout | null = null;

  async function resume(isStart: boolean): Promise<void> {
    try {
      await runs.resume(await deps.store.listProjects(), { isStart });
    } catch (error) {
      parts.log.error({ error: String(error) }, 'symbolication of earlier events failed');
    }
  }

  /** If threads cannot start yet, late events are processed all the same. */
  function readied(): Promise<void> {
    return warm(deps).catch((error: unknown) => {
      parts.log.error({ error: String(error) }, 'the symbolication workers are not ready');
    });
  }

  return {
    workers: parts.workers,
    async mapEvent(project, event) {
      const found = await mapEvent(atIngestion, project.id, event, deps.budgetMs);
      if (found.outOfTime) runs.ranOutOfTime(project.id);
      const awaits = found.outOfTime ? [...found.missing, moreTime] : found.missing;
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
      await parts.workers.close();
    },
  };
}

/** Without uploads no event needs the threads; the first upload starts them. */
async function warm({ store, workers }: Pick<Deps, 'store'> & { workers: MapWorkers }): Promise<void> {
  for (const { id } of await store.listProjects()) {
    if (await store.hasArtifacts(id)) return workers.warm();
  }
}

/** Source lines from a late map are scrubbed like those of the event. */
async function projectLook(
  { store, heavy }: Pick<Deps, 'store' | 'heavy'>,
  projectId: number,
): Promise<ProjectLook> {
  const project = await store.findProject(projectId);
  const scrub: ScrubOptions = {
    extraFields: project?.scrubFields ?? [],
    storeIpAddresses: project?.storeIpAddresses ?? false,
    clientAddress: '',
  };
  return {
    scrub: (event) => scrubEvent(event, scrub).event,
    keyOf: (event) => keyOf(event),
    heavy: heavy === undefined ? undefined : storedReader(heavy, scrub),
  };
}

function storedReader(heavy: HeavyReader, scrub: ScrubOptions): StoredReader {
  return {
    read: (payload) => heavy.readStored(Buffer.from(payload)),
    finish: (sent, mapped) => heavy.finishStored(sent, mapped, scrub),
  };
}
