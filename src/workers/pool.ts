// A few worker threads that do tasks one after the other, for callers that wait their turn: large bodies,
// test reports, uploads and source maps. Knows nothing of what the tasks are. Not piscina: it has no time
// limit of a task, no answer in parts, and no rule for a machine that is busy with something else.
import type { TransferListItem, Worker } from 'node:worker_threads';
import { createTurns, type Leaving } from '../core/turns.ts';

/** What a worker answers to a task: something that can be posted, or what kept it from that. */
export type Reply = { readonly answer: unknown } | { readonly refusal: unknown } | { readonly fault: string };
/** What it may say before: a part of a long answer. It sends the next one when it is told that this came. */
export type Part = { readonly part: unknown };
/** The word for that. No task looks like it. */
export const partCame = 'part came';

/** The worker was lost over the task; the message is a sentence about the task without its end. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
  /** Whether the task took too long or needed too much memory: given again it would do so again. */
  readonly isOverLimit: boolean;

  constructor(message: string, isOverLimit: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isOverLimit = isOverLimit;
  }
}

export interface PoolOptions {
  readonly workersMax: number;
  /**
   * Tasks that a worker is given at once: it goes on with the next without being told, and loses them all
   * when it is lost. 1 where absent.
   */
  readonly aheadMax?: number;
  readonly waitingMax: number;
  /** How long one may wait for its turn; for ever where it is absent. */
  readonly waitMsMax?: number;
  /**
   * A task that takes longer, once those before it are done, ends its worker; four times as long where the
   * process was given less than half a processor meanwhile.
   */
  readonly taskMsMax: number;
  /** Processor time of the process so far, in milliseconds. */
  readonly processorMs?: () => number;
  start(): Worker;
  /** The refusal of whom there is no room for, or who has waited too long. */
  readonly refusal: () => Error;
}

export interface Pool {
  /**
   * Runs a task in its turn on a worker, which is started with the first task that finds none idle. The task
   * is made when its turn has come: what it copies, nobody holds who waits, and `make` may throw where it is
   * no longer wanted. Rejects with that, with the refusal of the limits, the reason of `leaving` while it
   * waits, or `WorkerLost`.
   */
  run(make: () => Work, options?: RunOptions): Promise<Reply>;
  /** Ends the workers; a task under way rejects. */
  close(): Promise<void>;
}

/** A task, and what of it is handed over instead of copied. */
export interface Work {
  readonly task: unknown;
  readonly transfer: readonly TransferListItem[];
}

interface RunOptions {
  /** The time limit of this task, instead of the pool's. */
  readonly taskMsMax?: number;
  /** Ends the waiting for a turn. */
  readonly leaving?: Leaving;
  /** Takes the parts of the answer, a turn of the loop each. */
  readonly onPart?: (part: unknown) => void;
}

interface Job extends RunOptions {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

interface PoolWorker {
  readonly worker: Worker;
  /** Given and not answered, in their order: the first is under way. */
  readonly jobs: Job[];
  /** Of the first. */
  timer: NodeJS.Timeout | undefined;
}

/** Opens a pool; its first worker starts with the first task. */
export function openPool(options: PoolOptions): Pool {
  const { workersMax, aheadMax = 1 } = options;
  const turns = createTurns({ ...options, atOnceMax: workersMax * aheadMax });
  const workers = new Set<PoolWorker>();
  let closed = false;
  return {
    run: (make, runOptions = {}) =>
      turns.run(async () => {
        if (closed) throw options.refusal();
        const work = make();
        const idlest = idlestOf(workers);
        const isAnother = idlest === undefined || (idlest.jobs.length > 0 && workers.size < workersMax);
        const worker = isAnother ? addWorker(workers, options) : idlest;
        return await give(worker, work, runOptions, () => watch(workers, worker, options));
      }, runOptions.leaving),
    async close() {
      closed = true;
      await Promise.all([...workers].map(({ worker }) => worker.terminate()));
    },
  };
}

/** Of several with as little to do the one that was started first. */
function idlestOf(workers: ReadonlySet<PoolWorker>): PoolWorker | undefined {
  let idlest: PoolWorker | undefined;
  for (const worker of workers) {
    if (idlest === undefined || worker.jobs.length < idlest.jobs.length) idlest = worker;
  }
  return idlest;
}

function addWorker(workers: Set<PoolWorker>, options: PoolOptions): PoolWorker {
  const worker = options.start();
  const added: PoolWorker = { worker, jobs: [], timer: undefined };
  workers.add(added);
  worker.unref();
  const lost = (error: Error): void => lose(workers, added, error);
  worker.on('message', (words: Reply | Part) => {
    if ('part' in words) {
      added.jobs[0]?.onPart?.(words.part);
      // A port hands over all that waits in it at once: one part at a time lets others have their turn.
      setImmediate(() => worker.postMessage(partCame));
      return;
    }
    const done = added.jobs.shift();
    watch(workers, added, options);
    done?.resolve(words);
  });
  worker.on('messageerror', lost);
  worker.on('error', (cause: Error & { code?: string }) => {
    const isOverLimit = cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
    lost(new WorkerLost(isOverLimit ? 'it needed too much memory' : 'it failed', isOverLimit, { cause }));
  });
  // A worker can end without an error: whoever waits for its answer must not wait for ever.
  worker.on('exit', () => lost(new WorkerLost('it exited without a result', false)));
  return added;
}

function lose(workers: Set<PoolWorker>, lost: PoolWorker, error: Error): void {
  workers.delete(lost);
  clearTimeout(lost.timer);
  for (const job of lost.jobs.splice(0)) job.reject(error);
  void lost.worker.terminate();
}

/** Has a worker do a task; `watch` is called when it is the first of the worker's. */
function give(
  { worker, jobs }: PoolWorker,
  { task, transfer }: Work,
  runOptions: RunOptions,
  watch: () => void,
): Promise<Reply> {
  return new Promise<Reply>((resolve, reject) => {
    // What cannot be posted throws here, and was never given.
    worker.postMessage(task, transfer);
    jobs.push({ ...runOptions, resolve, reject });
    if (jobs.length === 1) watch();
  });
}

/** Times that a task is given its time again on a machine that is busy with something else. */
const starvedMax = 3;

/** Begins the time of the task that a worker is at now. Only a worker with a task keeps the process alive. */
function watch(workers: Set<PoolWorker>, watched: PoolWorker, options: PoolOptions): void {
  clearTimeout(watched.timer);
  const [job] = watched.jobs;
  if (job === undefined) {
    watched.worker.unref();
    return;
  }
  watched.worker.ref();
  const { processorMs = usedProcessorMs } = options;
  const { taskMsMax = options.taskMsMax } = job;
  const begin = (starved: number): void => {
    const beganMs = processorMs();
    watched.timer = setTimeout(() => {
      if (starved < starvedMax && processorMs() - beganMs < taskMsMax / 2) begin(starved + 1);
      else lose(workers, watched, new WorkerLost('it took too long', true));
    }, taskMsMax);
  };
  begin(0);
}

function usedProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
