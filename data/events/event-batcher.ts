// Events that wait share one transaction. When a batch fails, its events are tried one by one.
import { StoreBusyError, StoreUnavailableError } from '../../src/core/errors.ts';
import type { Meter } from '../../src/core/ports/metrics.ts';
import type { NewEvent, RecordedEvent } from '../../src/core/store/events.ts';
import type { Db } from '../db.ts';
import type { WriteQueueLimits } from '../drivers/write-queue.ts';
import { batchEventsMax, ChangedMeanwhile } from '../issues/counters/find-issues.ts';
import { insertBatch } from './insert-batch.ts';
import { clearInsertCaches, type InsertContext, type PackedEvent, packEvent } from './insert-context.ts';

export interface EventBatcher {
  record(event: NewEvent): Promise<RecordedEvent>;
  waiting(): { readonly jobs: number; readonly bytes: number };
  /** Accepts no more events; resolves when all accepted ones are answered. */
  close(): Promise<void>;
}

type WaitingEvent = PackedEvent & {
  readonly resolve: (recorded: RecordedEvent) => void;
  readonly reject: (reason: unknown) => void;
};

type BatchLimits = Pick<
  WriteQueueLimits,
  'waitingJobsMax' | 'waitingBytesMax' | 'batchJobsMax' | 'batchBytesMax'
>;

export function createEventBatcher(
  db: Db,
  context: InsertContext,
  limits: BatchLimits,
  meter?: Meter,
): EventBatcher {
  const queue = createWaitingQueue(limits, meter);
  let closed = false;
  let draining: Promise<void> | null = null;
  const order = createPackingOrder();

  async function insertNextBatch(): Promise<void> {
    const waitingCount = queue.length;
    let batch: WaitingEvent[] | null = null;
    try {
      const { recorded, learned } = await db.write((tx) => {
        // The transaction runs again: what the first attempt cached was not committed.
        if (batch !== null) clearInsertCaches(context);
        // As late as possible, so that all events that arrived by now take part.
        batch ??= queue.takeBatch();
        return insertBatch(tx, context, batch, { isolateComplex: db.dbms === 'postgres' });
      });
      const done = (batch ?? []) as readonly WaitingEvent[];
      context.names.add({ release: null, environment: null, learned: [...learned] });
      queue.putBack(done.slice(recorded.length));
      for (const [at, each] of recorded.entries()) done[at]?.resolve(each);
    } catch (error) {
      clearInsertCaches(context);
      await settleFailed({ db, context, queue }, batch, waitingCount, error);
    }
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) await insertNextBatch();
    // In the same step as the check: an event added later must start a new run.
    draining = null;
  }

  return {
    async record(event) {
      if (closed) throw new StoreUnavailableError('The store is closed.');
      // Packed before the transaction begins, which is kept short.
      const packed = packEvent(event);
      return new Promise((resolve, reject) => {
        const add = (packedEvent: PackedEvent): void => {
          queue.add({ ...packedEvent, resolve, reject });
          draining ??= drain();
        };
        order.add(packed, add, reject);
      });
    },
    waiting: queue.held,
    async close() {
      closed = true;
      await order.settled();
      await draining;
    },
  };
}

/** A database error or a full queue concerns all events; any other error may concern one of them. */
async function settleFailed(
  { db, context, queue }: { db: Db; context: InsertContext; queue: WaitingQueue },
  batch: WaitingEvent[] | null,
  waitingCount: number,
  error: unknown,
): Promise<void> {
  if (batch === null || error instanceof StoreBusyError || error instanceof StoreUnavailableError) {
    for (const each of batch ?? queue.take(waitingCount)) each.reject(error);
    return;
  }
  for (const each of batch) await insertPackedEvent(db, context, each).then(each.resolve, each.reject);
}

/** Each attempt fails only when the issue is merged or changed in that moment. */
const triesMax = 5;

export async function insertEvent(db: Db, context: InsertContext, event: NewEvent): Promise<RecordedEvent> {
  return insertPackedEvent(db, context, await packEvent(event));
}

export async function insertPackedEvent(
  db: Db,
  context: InsertContext,
  packedEvent: PackedEvent,
): Promise<RecordedEvent> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { recorded, learned } = await db.write(
        (tx) => insertBatch(tx, context, [packedEvent], { isolateComplex: true }),
        packedEvent.bytes,
      );
      context.names.add({ release: null, environment: null, learned: [...learned] });
      return recorded[0] as RecordedEvent;
    } catch (error) {
      clearInsertCaches(context);
      if (!(error instanceof ChangedMeanwhile)) throw error;
      if (tries >= triesMax)
        throw new StoreBusyError('The issue was changed by others at each attempt.', { cause: error });
    }
  }
}

/** Keeps the order of arrival, however long the attachments of one event take to compress. */
function createPackingOrder() {
  let last: Promise<void> | null = null;
  return {
    settled: () => last,
    add(
      packed: PackedEvent | Promise<PackedEvent>,
      take: (packed: PackedEvent) => void,
      fail: (reason: unknown) => void,
    ): void {
      if (last === null && !(packed instanceof Promise)) {
        take(packed);
        return;
      }
      const added = Promise.all([packed, last])
        .then(([packedEvent]) => take(packedEvent))
        .catch(fail);
      last = added;
      void added.then(() => {
        if (last === added) last = null;
      });
    },
  };
}

type WaitingQueue = ReturnType<typeof createWaitingQueue>;

function createWaitingQueue(limits: BatchLimits, meter: Meter | undefined) {
  let waiting: WaitingEvent[] = [];
  let bytes = 0;
  function take(count: number): WaitingEvent[] {
    const removed = waiting.slice(0, count);
    waiting = waiting.slice(count);
    for (const each of removed) bytes -= each.bytes;
    return removed;
  }
  return {
    get length() {
      return waiting.length;
    },
    held: () => ({ jobs: waiting.length, bytes }),
    /** @throws {StoreBusyError} when the queue is full. */
    add(event: WaitingEvent): void {
      // A single event is always accepted, however large.
      const isFull =
        waiting.length >= limits.waitingJobsMax ||
        (waiting.length > 0 && bytes + event.bytes > limits.waitingBytesMax);
      if (isFull) {
        meter?.count('storeBusy', []);
        throw new StoreBusyError('Too many writes are waiting.');
      }
      waiting.push(event);
      bytes += event.bytes;
    },
    take,
    takeBatch() {
      const batch = take(batchLength(waiting, limits));
      meter?.observe('batchEvents', [], batch.length);
      return batch;
    },
    putBack(events: readonly WaitingEvent[]): void {
      waiting = [...events, ...waiting];
      for (const each of events) bytes += each.bytes;
    },
  };
}

function batchLength(waiting: readonly WaitingEvent[], { batchJobsMax, batchBytesMax }: BatchLimits): number {
  const countMax = Math.min(waiting.length, batchJobsMax, batchEventsMax);
  let bytes = 0;
  for (let count = 0; count < countMax; count += 1) {
    bytes += waiting[count]?.bytes ?? 0;
    if (count > 0 && bytes > batchBytesMax) return count;
  }
  return countMax;
}
