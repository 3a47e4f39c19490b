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
/** With more than this waiting here the worker is wanted: some 6 ms of work. */
const busyBytes = 128 * 1024;
/** The worker may hold this many times what waits here, since it does nothing else. */
const workerTimes = 4;
/** Some 50 ms of work. */
const heldBytesMax = 1024 * 1024;
/** The worker takes memory, so it starts only when wanted for `wantedMs` without a longer pause. */
const wantedMs = 1_000;
const pauseMs = 250;
/** Interval of checks, before it ends, whether the worker is still in use. */
const restMs = 50;
/** 500 times the worst ordinary event. */
const taskMsMax = 10_000;

export interface EventWorker {
  readonly takePlace: LargeBodyReader['reserveWorker'];
  close(): Promise<void>;
}

export interface EventWorkerOptions {
  start(): Worker;
  readonly readerBy: (ask: RunTask) => EventReader;
  readonly otherwise: EventReader;
  readonly nowMs?: (() => number) | undefined;
  /** Idle time before the worker ends; default one minute. */
  readonly idleMs?: number;
}

export function openEventWorker({
  start,
  readerBy,
  otherwise,
  nowMs = () => performance.now(),
  idleMs = 60_000,
}: EventWorkerOptions): EventWorker {
  let heldBytes = 0;
  const thread = createThread({ start, nowMs, idleMs, isEmpty: () => heldBytes === 0 });
  const events = withOther(
    readerBy((kind, takes, bytes) => requestFromWorker(thread, kind, takes, bytes)),
    otherwise,
  );
  return {
    takePlace(body, waitingBytes, eventIn) {
      if (body.length < eventBytesMin) return 'never';
      if (waitingBytes > busyBytes) thread.want();
      // A slow worker keeps its events and gets no more.
      if (!thread.isReady() || heldBytes >= waitingBytes * workerTimes) return 'not now';
      if (heldBytes + smallJsonBytesMax > heldBytesMax) return 'not now';
      const event = eventIn === undefined ? body : eventIn(body);
      if (event === null || event.length < eventBytesMin || isLargeJson(event)) return 'never';
      const { length } = event;
      heldBytes += length;
      return placeIn(events, () => {
        heldBytes -= length;
      });
    },
    close: thread.close,
  };
}

/** The worker ended or is full; the event itself is fine. */
class WorkerUnavailable extends Error {}

async function requestFromWorker<Kind extends TaskKind>(
  thread: Thread,
  kind: Kind,
  takes: Tasks[Kind]['takes'],
  bytes: Uint8Array,
): Promise<TaskResult<Kind>> {
  const work = { task: { kind, ...takes } as unknown as Task, transfer: toTransferList(bytes) };
  const reply = await thread.run(work);
  if (reply === null) throw new WorkerUnavailable();
  return unwrapReply(reply, 'reading an event in a worker') as TaskResult<Kind>;
}

function withOther(reader: EventReader, other: EventReader): EventReader {
  const orBy =
    <Read>(read: () => Promise<Read>) =>
    (error: unknown): Promise<Read> => {
      if (error instanceof WorkerUnavailable) return read();
      throw error;
    };
  return {
    readStore: (...args) => reader.readStore(...args).catch(orBy(() => other.readStore(...args))),
    readEvent: (...args) => reader.readEvent(...args).catch(orBy(() => other.readEvent(...args))),
    finishEvent: (...args) => reader.finishEvent(...args).catch(orBy(() => other.finishEvent(...args))),
  };
}

function placeIn(events: EventReader, left: () => void): WorkerSlot {
  let isLeft = false;
  const leave = (): void => {
    if (!isLeft) left();
    isLeft = true;
  };
  return {
    readStore: (...args) => events.readStore(...args).finally(leave),
    readEvent: (...args) => events.readEvent(...args).finally(leave),
    finishEvent: events.finishEvent,
    leave,
  };
}

interface Thread {
  want(): void;
  isReady(): boolean;
  /** Null if there is no worker or it is lost. */
  run(work: Work): Promise<Reply | null>;
  close(): Promise<void>;
}

interface WorkerThreadOptions {
  start(): Worker;
  nowMs(): number;
  readonly idleMs: number;
  isEmpty(): boolean;
}

function createThread({ start, nowMs, idleMs, isEmpty }: WorkerThreadOptions): Thread {
  let pool: Pool | null = null;
  let isReady = false;
  let isClosed = false;
  let wantedSinceMs = 0;
  let lastWantedMs = Number.NEGATIVE_INFINITY;
  let idle: NodeJS.Timeout | undefined;
  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ended = pool;
    pool = null;
    isReady = false;
    wantedSinceMs = nowMs();
    await ended?.close();
  };
  const endIn = (milliseconds: number): void => {
    clearTimeout(idle);
    idle = setTimeout(() => (isEmpty() ? void end() : endIn(restMs)), milliseconds).unref();
  };
  const begin = (): void => {
    const begun = openPool({ ...poolLimits, start });
    pool = begun;
    endIn(idleMs);
    begun
      .run(() => ({ task: firstTask, transfer: [] }))
      .then(
        () => {
          isReady = pool === begun;
        },
        () => {
          if (pool === begun) void end();
        },
      );
  };
  return {
    want() {
      const now = nowMs();
      if (now - lastWantedMs > pauseMs) wantedSinceMs = now;
      lastWantedMs = now;
      if (pool !== null) endIn(idleMs);
      else if (!isClosed && now - wantedSinceMs >= wantedMs) begin();
    },
    isReady: () => isReady,
    async run(work) {
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
