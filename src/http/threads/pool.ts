// A few threads that do tasks one at a time, for callers that wait their turn. Knows nothing of what the
// tasks are.
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
  readonly waitingMax: number;
  readonly waitMsMax: number;
  /** A task that takes longer costs its thread its life. */
  readonly taskMsMax: number;
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
  job: Job | null;
}

/** Opens a pool; its first thread starts with the first task. */
export function openPool(options: PoolOptions): Pool {
  const turns = createTurns({ ...options, atOnceMax: options.threadsMax });
  const threads = new Set<Thread>();
  let closed = false;
  return {
    run: (make, runOptions = {}) =>
      turns.run(async () => {
        if (closed) throw options.refusal();
        const thread = idleThread(threads) ?? startThread(threads, options.start);
        const onLate = (): void => lose(threads, thread, new ThreadLost('it took too long'));
        return runOn(thread, make(), runOptions, options.taskMsMax, onLate);
      }, runOptions.leaving),
    async close() {
      closed = true;
      await Promise.all([...threads].map((thread) => thread.worker.terminate()));
    },
  };
}

function idleThread(threads: ReadonlySet<Thread>): Thread | undefined {
  for (const thread of threads) if (thread.job === null) return thread;
  return undefined;
}

function startThread(threads: Set<Thread>, start: () => Worker): Thread {
  const thread: Thread = { worker: start(), job: null };
  threads.add(thread);
  const lost = (error: Error): void => lose(threads, thread, error);
  thread.worker.on('message', (words: Reply | Part) => {
    if (!('part' in words)) return thread.job?.resolve(words);
    thread.job?.onPart?.(words.part);
    // A port hands over all that waits in it at once: one part at a time lets others have their turn.
    setImmediate(() => thread.worker.postMessage(partCame));
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
  thread.job?.reject(error);
  void thread.worker.terminate();
}

/** Has a thread do a task; `onLate` is told when that takes longer than it may. */
async function runOn(
  thread: Thread,
  { task, transfer }: Work,
  runOptions: RunOptions,
  taskMsMax: number,
  onLate: () => void,
): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined;
  // Only a thread that works keeps the process alive.
  thread.worker.ref();
  try {
    return await new Promise<Reply>((resolve, reject) => {
      thread.job = { ...runOptions, resolve, reject };
      timer = setTimeout(onLate, taskMsMax);
      thread.worker.postMessage(task, transfer);
    });
  } finally {
    clearTimeout(timer);
    thread.job = null;
    thread.worker.unref();
  }
}
