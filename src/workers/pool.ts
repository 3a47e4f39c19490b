// Worker pool. Not piscina: it has no time limit per task, partial answers, or allowance for a busy machine.
import type { TransferListItem, Worker } from 'node:worker_threads';
import { type AbortNotice, createConcurrencyLimit } from '../core/concurrency-limit.ts';

/** A worker's answer: a result, a refusal, or an unexpected error. */
export type Reply = { readonly answer: unknown } | { readonly refusal: unknown } | { readonly fault: string };
/** Part of a long answer. The worker sends the next one after `partReceived`. */
export type Part = { readonly part: unknown };
export const partReceived = 'part came';

/** The worker ended during the task. The message is a sentence fragment about the task. */
export class WorkerLostError extends Error {
  override readonly name = 'WorkerLost';
  /** Whether the task exceeded its time or memory, so that a retry would fail too. */
  readonly isOverLimit: boolean;

  constructor(message: string, isOverLimit: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isOverLimit = isOverLimit;
  }
}

export interface PoolOptions {
  readonly workersMax: number;
  /** Tasks posted to a worker at once, which saves a round trip each; 1 by default. All are lost with it. */
  readonly aheadMax?: number;
  readonly waitingMax: number;
  /** Time limit in the queue; none by default. */
  readonly waitMsMax?: number;
  /** Time limit of a task. Up to four times as long while the process gets less than half a CPU. */
  readonly taskMsMax: number;
  /** CPU time of the process so far, in milliseconds. */
  readonly processorMs?: () => number;
  start(): Worker;
  /** The error when the queue is full or a task waited too long. */
  readonly refusal: () => Error;
}

export interface Pool {
  /** `make` runs when a worker is free: queued tasks hold no copies. Rejects with its error or a refusal. */
  run(make: () => Work, options?: RunOptions): Promise<Reply>;
  close(): Promise<void>;
}

export interface Work {
  readonly task: unknown;
  readonly transfer: readonly TransferListItem[];
}

interface RunOptions {
  readonly taskMsMax?: number;
  readonly leaving?: AbortNotice;
  readonly onPart?: (part: unknown) => void;
}

interface Job extends RunOptions {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

interface PoolWorker {
  readonly worker: Worker;
  /** Posted and unanswered; the first is running. */
  readonly jobs: Job[];
  timer: NodeJS.Timeout | undefined;
}

export function openPool(options: PoolOptions): Pool {
  const { workersMax, aheadMax = 1 } = options;
  const limiter = createConcurrencyLimit({ ...options, atOnceMax: workersMax * aheadMax });
  const workers = new Set<PoolWorker>();
  let closed = false;
  return {
    run: (make, runOptions = {}) =>
      limiter.run(async () => {
        if (closed) throw options.refusal();
        const work = make();
        const idlest = idlestOf(workers);
        const needsWorker = idlest === undefined || (idlest.jobs.length > 0 && workers.size < workersMax);
        const worker = needsWorker ? addWorker(workers, options) : idlest;
        return await postTask(worker, work, runOptions, () => watch(workers, worker, options));
      }, runOptions.leaving),
    async close() {
      closed = true;
      await Promise.all([...workers].map(({ worker }) => worker.terminate()));
    },
  };
}

/** With equal load, the oldest worker. */
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
  const lost = (error: Error): void => dropWorker(workers, added, error);
  worker.on('message', (message: Reply | Part) => {
    if ('part' in message) {
      added.jobs[0]?.onPart?.(message.part);
      // A port delivers all queued messages in one turn; acknowledging each lets other events run between.
      setImmediate(() => worker.postMessage(partReceived));
      return;
    }
    const done = added.jobs.shift();
    watch(workers, added, options);
    done?.resolve(message);
  });
  worker.on('messageerror', lost);
  worker.on('error', (cause: Error & { code?: string }) => {
    const isOverLimit = cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
    lost(
      new WorkerLostError(isOverLimit ? 'it needed too much memory' : 'it failed', isOverLimit, { cause }),
    );
  });
  // A worker can exit without an error event.
  worker.on('exit', () => lost(new WorkerLostError('it exited without a result', false)));
  return added;
}

function dropWorker(workers: Set<PoolWorker>, poolWorker: PoolWorker, error: Error): void {
  workers.delete(poolWorker);
  clearTimeout(poolWorker.timer);
  for (const job of poolWorker.jobs.splice(0)) job.reject(error);
  void poolWorker.worker.terminate();
}

/** Posts a task; `watch` is called when it is the worker's first. */
function postTask(
  { worker, jobs }: PoolWorker,
  { task, transfer }: Work,
  runOptions: RunOptions,
  watch: () => void,
): Promise<Reply> {
  return new Promise<Reply>((resolve, reject) => {
    // postMessage throws for what cannot be cloned.
    worker.postMessage(task, transfer);
    jobs.push({ ...runOptions, resolve, reject });
    if (jobs.length === 1) watch();
  });
}

/** How often a task's time limit is extended on a busy machine. */
const starvedMax = 3;

/** Starts the time limit of the running task. Only workers with tasks keep the process alive. */
function watch(workers: Set<PoolWorker>, poolWorker: PoolWorker, options: PoolOptions): void {
  clearTimeout(poolWorker.timer);
  const [job] = poolWorker.jobs;
  if (job === undefined) {
    poolWorker.worker.unref();
    return;
  }
  poolWorker.worker.ref();
  const { processorMs = usedProcessorMs } = options;
  const { taskMsMax = options.taskMsMax } = job;
  const begin = (starved: number): void => {
    const beganMs = processorMs();
    poolWorker.timer = setTimeout(() => {
      if (starved < starvedMax && processorMs() - beganMs < taskMsMax / 2) begin(starved + 1);
      else dropWorker(workers, poolWorker, new WorkerLostError('it took too long', true));
    }, taskMsMax);
  };
  begin(0);
}

function usedProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
