// Worker pools for symbolication: one thread for uploads and one for stacks, so that no upload delays events.
import type { Worker } from 'node:worker_threads';
import type {
  ArtifactInspection,
  ReadContent,
  ScriptMap,
  SymbolicationWorkers,
  UnpackedBody,
} from '../core/ports/symbolication-workers.ts';
import { unwrapReply } from '../workers/error-codec.ts';
import { openPool, type Pool, type Work, WorkerLostError } from '../workers/pool.ts';
import { startWorker } from '../workers/start-worker.ts';
import { sourceMapErrorCodec } from './source-map-error.ts';
import type {
  ContextAnswer,
  MapAnswer,
  MissingContents,
  ScriptWithUrl,
  Task,
  WantedContent,
} from './worker-messages.ts';

const defaultMapMsMax = 2_000;
const defaultUploadMsMax = 20_000;
const poisonedContentsMax = 1_000;
const waitingMax = 200;
/** Source maps are in buffers outside of the heap. */
const heapLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 24 };

interface Loading {
  /** SHA-256 of contents that crashed a worker. */
  readonly poisoned: Set<string>;
  readonly nowMs: () => number;
}

/** Threads start with their first task or `warm`. An upload starts the one for stacks too, because starting takes
 * longer than an event waits. `nowMs` is monotonic. */
export function openSymbolicator({
  nowMs = () => performance.now(),
  mapMsMax = defaultMapMsMax,
  uploadMsMax = defaultUploadMsMax,
  start = () => startWorker(import.meta.url, heapLimits),
}: {
  nowMs?: () => number;
  mapMsMax?: number | undefined;
  uploadMsMax?: number | undefined;
  start?: () => Worker;
} = {}): SymbolicationWorkers {
  const limits = { workersMax: 1, waitingMax, start, refusal: () => new WorkersBusy('too many tasks wait') };
  const uploads = openPool({ ...limits, taskMsMax: uploadMsMax });
  const stacks = openPool({ ...limits, taskMsMax: mapMsMax });
  const loading: Loading = { poisoned: new Set(), nowMs };
  let ready: Promise<unknown> | null = null;
  const warm = async (): Promise<void> => {
    ready ??= stacks.run(() => workOf({ kind: 'ready' }), { taskMsMax: uploadMsMax });
    await ready.catch(() => {
      ready = null;
    });
  };
  return {
    warm,

    async inspect(file) {
      const [answer] = await Promise.all([
        runTask(uploads, () => workOf({ kind: 'inspect', ...file })),
        warm(),
      ]);
      return answer as ArtifactInspection;
    },

    unpackJson(path, folder, limits) {
      return runTask(uploads, () =>
        workOf({ kind: 'unpack', path, folder, ...limits }),
      ) as Promise<UnpackedBody>;
    },

    async mapStacks(job, read, budgetMs) {
      const scripts = job.scripts.map(toScriptWithUrl);
      const task: Task = { kind: 'map', stacks: job.stacks, scriptOf: job.scriptOf, scripts };
      const answer = await withLoading<MapAnswer>(stacks, task, read, budgetMs, loading);
      return answer === null ? { done: false } : { done: true, ...answer };
    },

    async sourceContext(content, line, read, budgetMs) {
      const contentToRead: WantedContent = { ...content, reading: 'text' };
      const task: Task = { kind: 'context', content: contentToRead, line };
      const answer = await withLoading<ContextAnswer>(stacks, task, read, budgetMs, loading);
      return answer?.context ?? null;
    },

    async close() {
      await Promise.all([uploads.close(), stacks.close()]);
    },
  };
}

/** The queue is full, or the wait exceeded the budget. */
class WorkersBusy extends Error {}

function workOf(task: Task, transfer: readonly ArrayBuffer[] = []): Work {
  return { task, transfer };
}

async function runTask(pool: Pool, make: () => Work): Promise<unknown> {
  return unwrapReply(await pool.run(make), 'a task of symbolication', sourceMapErrorCodec);
}

/** Loads the contents that the worker misses. Null when the time or the worker is lost. */
async function withLoading<Answer>(
  pool: Pool,
  task: Task,
  read: ReadContent,
  budgetMs: number,
  loading: Loading,
): Promise<Answer | null> {
  const { poisoned, nowMs } = loading;
  const until = nowMs() + budgetMs;
  const isStillWanted = (): boolean => nowMs() < until;
  const make = (): Work => {
    if (!isStillWanted()) throw new WorkersBusy('no longer wanted');
    return workOf(withoutPoison(task, poisoned));
  };
  const work = async (): Promise<Answer | null> => {
    // Three rounds: another event's map may evict ours from the worker's cache.
    for (let attempt = 0; attempt < 3 && isStillWanted(); attempt += 1) {
      const answer = (await runTask(pool, make)) as Answer | MissingContents;
      if (!isMissing(answer)) return answer;
      for (const content of answer.missing) await load(pool, content, read, poisoned);
    }
    return null;
  };
  // Work continues after the budget, so that the next event finds the map in the cache.
  const expiry = Promise.withResolvers<null>();
  const timer = setTimeout(() => expiry.resolve(null), budgetMs);
  const answer = await Promise.race([work().catch(() => null), expiry.promise]);
  clearTimeout(timer);
  return answer;
}

async function load(
  pool: Pool,
  content: WantedContent,
  read: ReadContent,
  poisoned: Set<string>,
): Promise<void> {
  const parts = (await read(content.sha256)) ?? [];
  const transfer = parts.flatMap((part) => (ownsBuffer(part) ? [part.buffer] : []));
  try {
    await runTask(pool, () => workOf({ kind: 'load', content, parts }, transfer));
  } catch (error) {
    if (!(error instanceof WorkerLostError)) throw error;
    // Do not lose a worker again with every event.
    if (poisoned.size >= poisonedContentsMax) poisoned.clear();
    poisoned.add(content.sha256);
    throw error;
  }
}

/** Leaves out maps that crashed a worker; their frames stay as sent. */
function withoutPoison(task: Task, poisoned: ReadonlySet<string>): Task {
  if (task.kind !== 'map' || poisoned.size === 0) return task;
  const isPoisoned = (script: ScriptWithUrl | undefined): boolean =>
    script !== undefined && poisoned.has(script.content.sha256);
  const scripts = task.scripts.filter((script) => !isPoisoned(script));
  if (scripts.length === task.scripts.length) return task;
  const scriptOf = task.scriptOf.map((indexes) =>
    indexes.map((index) => {
      const script = task.scripts[index];
      return script === undefined || isPoisoned(script) ? -1 : scripts.indexOf(script);
    }),
  );
  return { ...task, scripts, scriptOf };
}

function toScriptWithUrl(script: ScriptMap): ScriptWithUrl {
  return {
    content: { ...script.content, reading: script.isInline ? 'inline' : 'map' },
    address: script.address,
  };
}

function isMissing(answer: unknown): answer is MissingContents {
  return typeof answer === 'object' && answer !== null && 'missing' in answer;
}

function ownsBuffer(part: Uint8Array): part is Uint8Array<ArrayBuffer> {
  return part.buffer instanceof ArrayBuffer && part.byteLength === part.buffer.byteLength;
}
