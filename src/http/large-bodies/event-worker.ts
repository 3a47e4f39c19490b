// A worker for ordinary events when many wait in the main thread. Large bodies never go to it.
import type { Worker } from 'node:worker_threads';
import { createOverloadError } from '../../core/errors.ts';
import { isLargeJson, smallJsonBytesMax } from '../../core/parsing/item-json.ts';
import type { EventReader, LargeBodyReader, WorkerSlot } from '../../core/ports/large-body-reader.ts';
import { unwrapReply } from '../../workers/error-codec.ts';
import { openPool, type Pool, type Reply, type Work } from '../../workers/pool.ts';
import {
  type RunTask,
  type Task,
  type TaskKind,
  type TaskResult,
  type Tasks,
  toTransferList,
} from './tasks.ts';

/** For smaller events the transfer costs more than reading them here. */
const eventBytesMin = 12 * 1024;
/** With more than this waiting for the main thread, the worker is started: some 6 ms of work. */
const busyBytes = 128 * 1024;
/** The worker may hold this many times what waits here, since it does nothing else. */
const workerTimes = 4;
/** Some 50 ms of work. */
const heldBytesMax = 1024 * 1024;
/** The worker takes memory, so it starts only when wanted for `wantedMs` without a longer pause. */
const startAfterMs = 1_000;
const pauseMs = 250;
/** Interval of checks, before it ends, whether the worker is still in use. */
const restMs = 50;
/** 500 times the worst ordinary event. */
const taskMsMax = 10_000;

interface EventWorkerOptions {
  start(): Worker;
  readonly createReader: (runTask: RunTask) => EventReader;
  readonly fallback: EventReader;
  readonly nowMs?: (() => number) | undefined;
  /** Idle time before the worker ends; default one minute. */
  readonly idleMs?: number;
}

export function openEventWorker({
  start,
  createReader,
  fallback,
  nowMs = () => performance.now(),
  idleMs = 60_000,
}: EventWorkerOptions) {
  let heldBytes = 0;
  const thread = createThread({ start, nowMs, idleMs, isEmpty: () => heldBytes === 0 });
  const events = withFallback(
    createReader((kind, takes, bytes) => requestFromWorker(thread, kind, takes, bytes)),
    fallback,
  );
  const reserveWorker: LargeBodyReader['reserveWorker'] = (body, waitingBytes, eventIn) => {
    if (body.length < eventBytesMin) return 'never';
    const event = eventIn === undefined ? body : eventIn(body);
    if (event === null || event.length < eventBytesMin || isLargeJson(event)) return 'never';
    if (waitingBytes > busyBytes) thread.request();
    // A slow worker keeps its events and gets no more.
    if (!thread.isReady() || heldBytes >= waitingBytes * workerTimes) return 'not now';
    if (heldBytes + smallJsonBytesMax > heldBytesMax) return 'not now';
    const { length } = event;
    heldBytes += length;
    return createSlot(events, () => {
      heldBytes -= length;
    });
  };
  return { reserveWorker, close: thread.close };
}

/** The worker ended or is full; the event itself is fine. */
class WorkerUnavailable extends Error {}

async function requestFromWorker<Kind extends TaskKind>(
  thread: ReturnType<typeof createThread>,
  kind: Kind,
  takes: Tasks[Kind]['takes'],
  bytes: Uint8Array,
): Promise<TaskResult<Kind>> {
  const work = { task: { kind, ...takes } as unknown as Task, transfer: toTransferList(bytes) };
  const reply = await thread.run(work);
  if (reply === null) throw new WorkerUnavailable();
  return unwrapReply(reply, 'reading an event in a worker') as TaskResult<Kind>;
}

function withFallback(reader: EventReader, fallback: EventReader): EventReader {
  const orFallback =
    <Read>(read: () => Promise<Read>) =>
    (error: unknown): Promise<Read> => {
      if (error instanceof WorkerUnavailable) return read();
      throw error;
    };
  return {
    readStore: (...args) => reader.readStore(...args).catch(orFallback(() => fallback.readStore(...args))),
    readEvent: (...args) => reader.readEvent(...args).catch(orFallback(() => fallback.readEvent(...args))),
    finishEvent: (...args) =>
      reader.finishEvent(...args).catch(orFallback(() => fallback.finishEvent(...args))),
  };
}

function createSlot(events: EventReader, onLeave: () => void): WorkerSlot {
  let isLeft = false;
  const leave = (): void => {
    if (!isLeft) onLeave();
    isLeft = true;
  };
  return {
    readStore: (...args) => events.readStore(...args).finally(leave),
    readEvent: (...args) => events.readEvent(...args).finally(leave),
    finishEvent: events.finishEvent,
    leave,
  };
}

interface WorkerThreadOptions {
  start(): Worker;
  nowMs(): number;
  readonly idleMs: number;
  isEmpty(): boolean;
}

function createThread({ start, nowMs, idleMs, isEmpty }: WorkerThreadOptions) {
  let pool: Pool | null = null;
  let isReady = false;
  let isClosed = false;
  let requestedSinceMs = 0;
  let lastRequestedMs = Number.NEGATIVE_INFINITY;
  let idle: NodeJS.Timeout | undefined;
  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ended = pool;
    pool = null;
    isReady = false;
    requestedSinceMs = nowMs();
    await ended?.close();
  };
  const endIn = (milliseconds: number): void => {
    clearTimeout(idle);
    idle = setTimeout(() => (isEmpty() ? void end() : endIn(restMs)), milliseconds).unref();
  };
  const begin = (): void => {
    const started = openPool({ ...poolLimits, start });
    pool = started;
    endIn(idleMs);
    started
      .run(() => ({ task: firstTask, transfer: [] }))
      .then(
        () => {
          isReady = pool === started;
        },
        () => {
          if (pool === started) void end();
        },
      );
  };
  return {
    request() {
      const now = nowMs();
      if (now - lastRequestedMs > pauseMs) requestedSinceMs = now;
      lastRequestedMs = now;
      if (pool !== null) endIn(idleMs);
      else if (!isClosed && now - requestedSinceMs >= startAfterMs) begin();
    },
    isReady: () => isReady,
    /** Null if there is no worker or it is lost. */
    async run(work: Work): Promise<Reply | null> {
      const current = pool;
      try {
        return current === null ? null : await current.run(() => work);
      } catch {
        // A new worker would not be loaded yet.
        if (pool === current) void end();
        return null;
      }
    },
    close() {
      isClosed = true;
      return end();
    },
  };
}

/** The pool never queues more than this module admits. */
const poolLimits = {
  workersMax: 1,
  aheadMax: heldBytesMax / eventBytesMin,
  waitingMax: heldBytesMax / eventBytesMin,
  waitMsMax: taskMsMax,
  taskMsMax,
  refusal: createOverloadError,
};

const firstTask: Task = { kind: 'json', bytes: Buffer.from('{}'), names: [] };
