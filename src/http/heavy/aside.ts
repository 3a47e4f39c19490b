// Events that are light enough to be read where they came in, and are read in a thread beside it since many
// waited there: a second core would stand idle else (D-237). No heavy body ever comes between them.
import type { Worker } from 'node:worker_threads';
import { overloaded } from '../../core/errors.ts';
import type { EventReader, HeavyReader, PlaceAside } from '../../core/ports/heavy-reader.ts';
import { isHeavy, lightBytesMax } from '../../core/reading/json-weight.ts';
import { openPool, type Pool, type Reply, type Work } from '../../workers/pool.ts';
import { answerIn } from '../../workers/replies.ts';
import { memoryOf } from './own-bytes.ts';
import type { AnswerTo, Ask, Task, TaskKind, Tasks } from './tasks.ts';

/** Of a smaller event the way to the thread and back costs more than reading it here. */
const eventBytesMin = 12 * 1024;
/** With more than this waiting to be read here the thread is wanted: some 6 ms of work. */
const busyBytes = 128 * 1024;
/** So many times what waits here may be in the thread, for it has nothing else to do. */
const asideTimes = 4;
/** And no more than this: some 50 ms of work. */
const heldBytesMax = 1024 * 1024;
/** The thread is started when it has been wanted for so long with no longer pause, for it takes memory. */
const wantedMs = 1_000;
const pauseMs = 250;
/** Who is in the thread when it is to end is waited for: so often it is looked whether anybody is. */
const restMs = 50;
/** Five hundred times what the worst light event takes. */
const taskMsMax = 10_000;

export interface Aside {
  readonly takePlace: HeavyReader['takePlaceAside'];
  close(): Promise<void>;
}

export interface AsideParts {
  start(): Worker;
  /** A reader of events that asks this way. */
  readonly readerBy: (ask: Ask) => EventReader;
  /** Reads what the thread was lost with. */
  readonly otherwise: EventReader;
  /** A clock that only goes forward, in milliseconds. */
  readonly nowMs?: (() => number) | undefined;
  /** How long the thread is kept without being wanted; a minute unless said. */
  readonly idleMs?: number;
}

/**
 * Opens the way aside. Its thread is started when it has been wanted for a second, and ends when it was not
 * wanted for a minute, which gives its memory back.
 */
export function openAside({
  start,
  readerBy,
  otherwise,
  nowMs = () => performance.now(),
  idleMs = 60_000,
}: AsideParts): Aside {
  let heldBytes = 0;
  const thread = createThread({ start, nowMs, idleMs, isEmpty: () => heldBytes === 0 });
  const events = withOther(
    readerBy((kind, takes, bytes) => askThread(thread, kind, takes, bytes)),
    otherwise,
  );
  return {
    takePlace(body, waitingBytes, eventIn) {
      if (body.length < eventBytesMin) return 'never';
      if (waitingBytes > busyBytes) thread.want();
      // A thread that is slow, or has no core, keeps what it has, and is given no more.
      if (!thread.isReady() || heldBytes >= waitingBytes * asideTimes) return 'not now';
      if (heldBytes + lightBytesMax > heldBytesMax) return 'not now';
      const event = eventIn === undefined ? body : eventIn(body);
      if (event === null || event.length < eventBytesMin || isHeavy(event)) return 'never';
      const { length } = event;
      heldBytes += length;
      return placeIn(events, () => {
        heldBytes -= length;
      });
    },
    close: thread.close,
  };
}

/** The thread ended, or does not take more: nothing is wrong with the event. */
class NotRead extends Error {}

async function askThread<Kind extends TaskKind>(
  thread: Thread,
  kind: Kind,
  takes: Tasks[Kind]['takes'],
  bytes: Uint8Array,
): Promise<AnswerTo<Kind>> {
  const work = { task: { kind, ...takes } as unknown as Task, transfer: memoryOf(bytes) };
  const reply = await thread.run(work);
  if (reply === null) throw new NotRead();
  return answerIn(reply, 'reading an event aside') as AnswerTo<Kind>;
}

/** What `reader` could not read is read by the other one. */
function withOther(reader: EventReader, other: EventReader): EventReader {
  const orBy =
    <Read>(read: () => Promise<Read>) =>
    (error: unknown): Promise<Read> => {
      if (error instanceof NotRead) return read();
      throw error;
    };
  return {
    readStore: (...asked) => reader.readStore(...asked).catch(orBy(() => other.readStore(...asked))),
    readEvent: (...asked) => reader.readEvent(...asked).catch(orBy(() => other.readEvent(...asked))),
    finishEvent: (...asked) => reader.finishEvent(...asked).catch(orBy(() => other.finishEvent(...asked))),
  };
}

/** A place that is `left` once its event was read. */
function placeIn(events: EventReader, left: () => void): PlaceAside {
  let isLeft = false;
  const leave = (): void => {
    if (!isLeft) left();
    isLeft = true;
  };
  return {
    readStore: (...asked) => events.readStore(...asked).finally(leave),
    readEvent: (...asked) => events.readEvent(...asked).finally(leave),
    finishEvent: events.finishEvent,
    leave,
  };
}

interface Thread {
  /** Says that it is wanted. */
  want(): void;
  /** Whether it would do at once what it is given. */
  isReady(): boolean;
  /** What it answers; null where it is not there, or is lost: then it has to be wanted anew. */
  run(work: Work): Promise<Reply | null>;
  close(): Promise<void>;
}

interface ThreadParts {
  start(): Worker;
  nowMs(): number;
  readonly idleMs: number;
  /** Whether nobody has a place in it. */
  isEmpty(): boolean;
}

function createThread({ start, nowMs, idleMs, isEmpty }: ThreadParts): Thread {
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
    // Answered as soon as its program is loaded.
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
      const asked = pool;
      try {
        return asked === null ? null : await asked.run(() => work);
      } catch {
        // The next one would not be loaded when it is given what this one was.
        if (pool === asked) void end();
        return null;
      }
    },
    close() {
      isClosed = true;
      return end();
    },
  };
}

/** All that may have a place are given to it at once. */
const poolLimits = {
  workersMax: 1,
  aheadMax: heldBytesMax / eventBytesMin,
  waitingMax: heldBytesMax / eventBytesMin,
  waitMsMax: taskMsMax,
  taskMsMax,
  refusal: overloaded,
};

const firstTask: Task = { kind: 'json', bytes: Buffer.from('{}'), names: [] };
