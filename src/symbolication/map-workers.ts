// The main thread's side of symbolication: promises over two worker threads, one for uploads and one for
// stacks, so that reading a large upload never delays an event.

import type { StackFrame } from '../../schemas/event.ts';
import type { SourceContext } from './context.ts';
import type { MappedFrame } from './map-stack.ts';
import type {
  ContextAnswer,
  InspectAnswer,
  MapAnswer,
  Missing,
  PlacedScript,
  Task,
  UnpackAnswer,
  Wanted,
} from './tasks.ts';
import { openChannel, type WorkerChannel, WorkerLost } from './worker-channel.ts';

/** A map that is not read in this time is not read at all. */
const usualMapMsMax = 2_000;
/** An upload has longer: nobody's event waits for it. */
const usualUploadMsMax = 20_000;
const poisonedMax = 1_000;

interface Content {
  readonly sha256: string;
  readonly size: number;
}

interface Script {
  readonly content: Content;
  readonly isInline: boolean;
  readonly address: string;
}

interface StacksOfFrames {
  readonly stacks: readonly (readonly StackFrame[])[];
  readonly scriptOf: readonly (readonly number[])[];
  readonly scripts: readonly Script[];
}

type Read = (sha256: string) => Promise<Uint8Array[] | null>;
interface Loading {
  /** What cost a thread its life, by its hash, and how. */
  readonly poisoned: Map<string, string>;
  readonly nowMs: () => number;
  readonly mapMsMax: number;
}
type Outcome = { done: true; stacks: MappedFrame[][] } | { done: false };

/**
 * Opens the workers. A thread starts with its first task, or with `warm`; starting takes longer than an event
 * waits, so an upload starts the thread for stacks as well. What is answered is the `MapWorkers` of src/core.
 * `nowMs` is a clock that never goes back, for budgets.
 */
export function openMapWorkers({
  nowMs = () => performance.now(),
  mapMsMax = usualMapMsMax,
  uploadMsMax = usualUploadMsMax,
}: {
  nowMs?: () => number;
  mapMsMax?: number | undefined;
  uploadMsMax?: number | undefined;
} = {}) {
  const uploads = openChannel();
  const stacks = openChannel();
  const loading: Loading = { poisoned: new Map(), nowMs, mapMsMax };
  let ready: Promise<unknown> | null = null;
  const warm = async (): Promise<void> => {
    ready ??= stacks.run({ kind: 'ready' }, uploadMsMax);
    await ready.catch(() => {
      ready = null;
    });
  };
  return {
    warm,

    async inspect(file: { path: string; name: string; declaredType: string | null }): Promise<InspectAnswer> {
      const [answer] = await Promise.all([uploads.run({ kind: 'inspect', ...file }, uploadMsMax), warm()]);
      return answer as InspectAnswer;
    },

    unpackJson(
      path: string,
      folder: string,
      limits: { filesMax: number; fileBytesMax: number },
    ): Promise<UnpackAnswer> {
      return uploads.run({ kind: 'unpack', path, folder, ...limits }, uploadMsMax) as Promise<UnpackAnswer>;
    },

    async mapStacks(job: StacksOfFrames, read: Read, budgetMs: number): Promise<Outcome> {
      const scripts = job.scripts.map(placedScript);
      const task: Task = { kind: 'map', stacks: job.stacks, scriptOf: job.scriptOf, scripts };
      const answer = await withLoading<MapAnswer>(stacks, task, read, budgetMs, loading);
      return answer === null ? { done: false } : { done: true, ...answer };
    },

    async sourceContext(
      content: Content,
      line: number,
      read: Read,
      budgetMs: number,
    ): Promise<SourceContext | null> {
      const wanted: Wanted = { ...content, reading: 'text' };
      const task: Task = { kind: 'context', wanted, line };
      const answer = await withLoading<ContextAnswer>(stacks, task, read, budgetMs, loading);
      return answer?.context ?? null;
    },

    async close(): Promise<void> {
      await Promise.all([uploads.close(), stacks.close()]);
    },
  };
}

/**
 * Runs a task within the budget, loading what the worker says it is missing; null when time or worker ran
 * out.
 */
async function withLoading<Answer>(
  channel: WorkerChannel,
  task: Task,
  read: Read,
  budgetMs: number,
  loading: Loading,
): Promise<Answer | null> {
  const { poisoned, nowMs, mapMsMax } = loading;
  const until = nowMs() + budgetMs;
  const isStillWanted = (): boolean => nowMs() < until;
  const work = async (): Promise<Answer | null> => {
    // The second round may find that another event's map pushed ours out; the third is the last.
    for (let round = 0; round < 3 && isStillWanted(); round += 1) {
      const answer = (await channel.run(withoutPoison(task, poisoned), mapMsMax, { isStillWanted })) as
        | Answer
        | Missing;
      if (!isMissing(answer)) return answer;
      for (const wanted of answer.missing) await load(channel, wanted, read, loading);
    }
    return null;
  };
  // The work goes on after the budget and fills the cache: the next event finds the map read.
  const expiry = Promise.withResolvers<null>();
  const timer = setTimeout(() => expiry.resolve(null), budgetMs);
  const answer = await Promise.race([work().catch(() => null), expiry.promise]);
  clearTimeout(timer);
  return answer;
}

async function load(
  channel: WorkerChannel,
  wanted: Wanted,
  read: Read,
  { poisoned, mapMsMax }: Loading,
): Promise<void> {
  const parts = (await read(wanted.sha256)) ?? [];
  const transfer = parts.flatMap((part) => (ownsBuffer(part) ? [part.buffer] : []));
  try {
    await channel.run({ kind: 'load', wanted, parts }, mapMsMax, { transfer });
  } catch (error) {
    if (!(error instanceof WorkerLost)) throw error;
    // It cost a thread once; it shall not cost one with every event.
    if (poisoned.size >= poisonedMax) poisoned.clear();
    poisoned.set(wanted.sha256, error.message);
    throw error;
  }
}

/** A map that killed a worker is left out: its frames stay as sent. */
function withoutPoison(task: Task, poisoned: ReadonlyMap<string, string>): Task {
  if (task.kind !== 'map' || poisoned.size === 0) return task;
  const isPoisoned = (script: PlacedScript | undefined): boolean =>
    script !== undefined && poisoned.has(script.wanted.sha256);
  const kept = task.scripts.filter((script) => !isPoisoned(script));
  if (kept.length === task.scripts.length) return task;
  const scriptOf = task.scriptOf.map((indexes) =>
    indexes.map((index) => {
      const script = task.scripts[index];
      return script === undefined || isPoisoned(script) ? -1 : kept.indexOf(script);
    }),
  );
  return { ...task, scripts: kept, scriptOf };
}

function placedScript(script: Script): PlacedScript {
  return {
    wanted: { ...script.content, reading: script.isInline ? 'inline' : 'map' },
    address: script.address,
  };
}

function isMissing(answer: unknown): answer is Missing {
  return typeof answer === 'object' && answer !== null && 'missing' in answer;
}

function ownsBuffer(part: Uint8Array): part is Uint8Array<ArrayBuffer> {
  return part.buffer instanceof ArrayBuffer && part.byteLength === part.buffer.byteLength;
}
