// A few threads that do tasks one after the other, for callers that wait their turn. Knows nothing of what
// the tasks are.
import type { TransferListItem, Worker } from 'node:worker_threads';
import { createTurns, type Leaving } from '../../core/turns.ts';

/** What a thread answers to a task: something that can be posted, or what kept it from that. */
export type Reply = { readonly answer: unknown } | { readonly refusal: unknown } | { readonly fault: string };
/** What it may say before: a part of a long answer. It sends the next one when it is told that this came. */
export type Part = { readonly part: unknown };
/** The word for that. No task looks like it. */
export const partCame = 'part came';

/** The thread was lost over the task: it took too long, or needed too much memory. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
}

export interface PoolOptions {
  readonly threadsMax: number;
  /**
   * Tasks that a thread is given at once: it goes on with the next without being told, and loses them all
   * when it is lost. 1 where absent.
   */
  readonly aheadMax?: number;
  readonly waitingMax: number;
  readonly waitMsMax: number;
  /**
   * A task that takes longer, once those before it are done, costs its thread its life; four times as long
   * where the process was given less than half a processor meanwhile.
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
   * Runs a task in its turn on a thread, which is started with the first task that finds none idle. The task
   * is made when its turn has come: what it copies, nobody holds who waits. Rejects with the refusal of the
   * limits, the reason of `leaving` while it waits, `ThreadLost`, or an error for a thread that failed or
   * ended without a word.
   */
  run(make: () => Work, options?: RunOptions): Promise<Reply>;
  /** Ends the threads; a task under way rejects. */
  close(): Promise<void>;
}

/** A task, and what of it is handed over instead of copied. */
export interface Work {
  readonly task: unknown;
  readonly transfer: readonly TransferListItem[];
}

interface RunOptions {
  /** Ends the waiting for a turn. */
  readonly leaving?: Leaving;
  /** Takes the parts of the answer, a turn of the loop each. */
  readonly onPart?: (part: unknown) => void;
}

interface Job extends RunOptions {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

interface Thread {
  readonly worker: Worker;
  /** Given and not answered, in their order: the first is under way. */
  readonly jobs: Job[];
  /** Of the first. */
  timer: NodeJS.Timeout | undefined;
}

/** Opens a pool; its first thread starts with the first task. */
export function openPool(options: PoolOptions): Pool {
  const { threadsMax, aheadMax = 1 } = options;
  const turns = createTurns({ ...options, atOnceMax: threadsMax * aheadMax });
  const threads = new Set<Thread>();
  let closed = false;
  return {
    run: (make, runOptions = {}) =>
      turns.run(async () => {
        if (closed) throw options.refusal();
        const idlest = idlestOf(threads);
        const isAnother = idlest === undefined || (idlest.jobs.length > 0 && threads.size < threadsMax);
        const thread = isAnother ? startThread(threads, options) : idlest;
        return await give(thread, make(), runOptions, () => watch(threads, thread, options));
      }, runOptions.leaving),
    async close() {
      closed = true;
      await Promise.all([...threads].map((thread) => thread.worker.terminate()));
    },
  };
}

/** Of several with as little to do the one that was started first. */
function idlestOf(threads: ReadonlySet<Thread>): Thread | undefined {
  let idlest: Thread | undefined;
  for (const thread of threads) {
    if (idlest === undefined || thread.jobs.length < idlest.jobs.length) idlest = thread;
  }
  return idlest;
}

function startThread(threads: Set<Thread>, options: PoolOptions): Thread {
  const thread: Thread = { worker: options.start(), jobs: [], timer: undefined };
  threads.add(thread);
  thread.worker.unref();
  const lost = (error: Error): void => lose(threads, thread, error);
  thread.worker.on('message', (words: Reply | Part) => {
    if ('part' in words) {
      thread.jobs[0]?.onPart?.(words.part);
      // A port hands over all that waits in it at once: one part at a time lets others have their turn.
      setImmediate(() => thread.worker.postMessage(partCame));
      return;
    }
    const done = thread.jobs.shift();
    watch(threads, thread, options);
    done?.resolve(words);
  });
  thread.worker.on('messageerror', lost);
  thread.worker.on('error', (error: Error & { code?: string }) =>
    lost(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadLost(error.message) : error),
  );
  // A thread can end without an error: whoever waits for its answer must not wait for ever.
  thread.worker.on('exit', () => lost(new Error('a thread ended without an answer')));
  return thread;
}

function lose(threads: Set<Thread>, thread: Thread, error: Error): void {
  threads.delete(thread);
  clearTimeout(thread.timer);
  for (const job of thread.jobs.splice(0)) job.reject(error);
  void thread.worker.terminate();
}

/** Has a thread do a task; `watch` is called when it is the first of the thread's. */
function give(
  thread: Thread,
  { task, transfer }: Work,
  runOptions: RunOptions,
  watch: () => void,
): Promise<Reply> {
  return new Promise<Reply>((resolve, reject) => {
    // What cannot be posted throws here, and was never given.
    thread.worker.postMessage(task, transfer);
    thread.jobs.push({ ...runOptions, resolve, reject });
    if (thread.jobs.length === 1) watch();
  });
}

/** Times that a task is given its time again on a machine that is busy with something else. */
const starvedMax = 3;

/** Begins the time of the task that a thread is at now. Only a thread that works keeps the process alive. */
function watch(threads: Set<Thread>, thread: Thread, options: PoolOptions): void {
  clearTimeout(thread.timer);
  if (thread.jobs.length === 0) {
    thread.worker.unref();
    return;
  }
  thread.worker.ref();
  const { taskMsMax, processorMs = usedProcessorMs } = options;
  const begin = (starved: number): void => {
    const beganMs = processorMs();
    thread.timer = setTimeout(() => {
      if (starved < starvedMax && processorMs() - beganMs < taskMsMax / 2) begin(starved + 1);
      else lose(threads, thread, new ThreadLost('it took too long'));
    }, taskMsMax);
  };
  begin(0);
}

function usedProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
