import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { createBadRequestError, createOverloadError, type RestError } from '../../core/errors.ts';
import type { EventReader, LargeBodyReader, LargeBodyRequest } from '../../core/ports/large-body-reader.ts';
import type {
  HealthReadContext,
  PreparedFeedback,
  ReleaseReadContext,
} from '../../core/ports/prepared-data.ts';
import type { ParsedParameters } from '../../wordpress/request/parameters.ts';
import { unwrapReply } from '../../workers/error-codec.ts';
import { openPool, type Pool, WorkerLostError } from '../../workers/pool.ts';
import { startWorker } from '../../workers/start-worker.ts';
import { freeBuffer } from '../bodies/free-buffer.ts';
import { openEventWorker } from './event-worker.ts';
import {
  copyBytes,
  ownsItsMemory,
  type RequestTask,
  type RunTask,
  type Task,
  type TaskKind,
  type TaskResult,
  type Tasks,
  toTransferList,
  type WorkerOptions,
} from './tasks.ts';

/** The main thread needs a core; more than two workers would only wait for the store. */
const workersMax = Math.max(1, Math.min(2, availableParallelism() - 1));
const waitingMax = 64;
const usualWaitMsMax = 20_000;
const usualTaskMsMax = 30_000;
/** Twice what the worst known 8 MB of JSON need: exceeding the heap in one step aborts the process. */
const heapLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 12 };

export interface LargeBodyReaderOptions {
  readonly start?: (options: WorkerOptions) => Worker;
  /** With one core there is no worker for ordinary events. */
  readonly cores?: number;
  readonly nowMs?: () => number;
  readonly waitMsMax?: number | undefined;
  readonly taskMsMax?: number | undefined;
}

/** Workers start with the first large body and stay; close the reader when done. */
export function openLargeBodyReader({
  start = (options) => startWorker(import.meta.url, heapLimits, options),
  cores = availableParallelism(),
  nowMs,
  waitMsMax = usualWaitMsMax,
  taskMsMax = usualTaskMsMax,
}: LargeBodyReaderOptions = {}): LargeBodyReader {
  const pool = openPool({
    workersMax,
    waitingMax,
    waitMsMax,
    taskMsMax,
    start: () => start({ yieldsToOthers: true }),
    refusal: createOverloadError,
  });
  const runTask: RunTask = (kind, takes, bytes) => requestFromPool(pool, kind, takes, bytes);
  const events = eventReaderBy(runTask, transferBytes);
  const eventWorker =
    cores < 2
      ? null
      : openEventWorker({
          // Requests wait for it as others wait for the main thread, so its priority is normal.
          start: () => start({ yieldsToOthers: false }),
          createReader: (by) => eventReaderBy(by, copyBytes),
          fallback: events,
          nowMs,
        });
  const runForRequest = requestRunner(runTask, transferBytes);
  return {
    ...events,
    reserveWorker: eventWorker?.reserveWorker ?? (() => 'never'),
    async readParameters(request): Promise<ParsedParameters> {
      const { body, isDialects } = request as RequestTask;
      const work = { isDialects, body: { ...body, bytes: copyBytes(body.bytes) } };
      const read = await runTask('parameters', { request: work }, work.body.bytes);
      return { ...read, files: read.files.map((file) => ({ ...file, bytes: bufferOf(file.bytes) })) };
    },
    readStored: (payload) => runTask('stored', { payload }, payload),
    finishStored: (sent, mapped, scrub) => runTask('finish-stored', { sent, mapped, scrub }, sent),
    async outline(document) {
      const bytes = copyBytes(document);
      return runTask('outline', { bytes }, bytes);
    },
    readFeedback: async (request, facts) => withBuffers(await runForRequest('feedback', request, { facts })),
    async readReport(sent, facts) {
      const bytes = copyBytes(sent);
      return withBuffers(await runTask('report', { bytes, facts }, bytes));
    },
    async readHealth(type, sent, of) {
      const bytes = copyBytes(sent);
      return (await runTask('health', { type, bytes, of: ofProject(of) }, bytes)) as never;
    },
    readRelease: (request, of) => runForRequest('release', request, { of: ofProject(of) }),
    async readReleaseJson(sent, version, of) {
      const bytes = copyBytes(sent);
      return runTask('release-json', { bytes, version, of: ofProject(of) }, bytes);
    },
    async readJson(sent, names) {
      const bytes = copyBytes(sent);
      return runTask('json', { bytes, names }, bytes);
    },
    async close() {
      await eventWorker?.close();
      await pool.close();
    },
  };
}

type TakeBytes = (bytes: Uint8Array) => Uint8Array<ArrayBuffer>;

/** The bytes are not used again here, so they are transferred unless their memory is shared. */
const transferBytes: TakeBytes = (bytes) => (ownsItsMemory(bytes) ? bytes : copyBytes(bytes));

function eventReaderBy(runTask: RunTask, takeBytes: TakeBytes): EventReader {
  const runForRequest = requestRunner(runTask, takeBytes);
  return {
    readStore: (request, maps, facts) => runForRequest('store', request, { maps, facts: plain(facts) }),
    async readEvent(sent, maps, facts) {
      const bytes = copyBytes(sent);
      return runTask('event', { bytes, maps, facts: plain(facts) }, bytes);
    },
    finishEvent(sent, mapped, mapping, facts) {
      const bytes = takeBytes(sent);
      return runTask('finish', { sent: bytes, mapped, mapping, facts: plain(facts) }, bytes);
    },
  };
}

async function requestFromPool<Kind extends TaskKind>(
  pool: Pool,
  kind: Kind,
  takes: Tasks[Kind]['takes'],
  bytes: Uint8Array,
): Promise<TaskResult<Kind>> {
  try {
    const work = { task: { kind, ...takes } as unknown as Task, transfer: toTransferList(bytes) };
    const reply = await pool.run(() => work);
    return unwrapReply(reply, 'reading a large body') as TaskResult<Kind>;
  } catch (error) {
    throw error instanceof WorkerLostError && error.isOverLimit ? tooComplex() : error;
  }
}

/** Also sets the parameters for the REST server (`_fields`, `_pretty`) on the request. */
function requestRunner(runTask: RunTask, takeBytes: TakeBytes) {
  return async <Kind extends 'store' | 'feedback' | 'release'>(
    kind: Kind,
    request: LargeBodyRequest,
    takes: Omit<Tasks[Kind]['takes'], 'request'>,
  ): Promise<Tasks[Kind]['answers']['answer']> => {
    const { body, isDialects } = request.work as RequestTask;
    const work = { isDialects, body: { ...body, bytes: takeBytes(body.bytes) } };
    const all = { ...takes, request: work } as unknown as Tasks[Kind]['takes'];
    const { answer, parameters } = await runTask(kind, all, work.body.bytes);
    if (work.body.bytes !== body.bytes) freeBuffer(body.bytes);
    request.onQueryParams(parameters);
    return answer;
  };
}

/** Evaluates getters, which cannot be cloned. */
function plain<Facts extends object>(facts: Facts): Facts {
  return { ...facts };
}

function ofProject<Facts extends HealthReadContext | ReleaseReadContext>(facts: Facts): Facts {
  const { id, scrubFields, storeIpAddresses } = facts.project;
  return { ...facts, project: { id, scrubFields, storeIpAddresses } };
}

function withBuffers(report: PreparedFeedback): PreparedFeedback {
  const images = report.images.map(({ bytes, name }) => ({
    name,
    bytes: bytes === null ? null : bufferOf(bytes),
  }));
  return { ...report, images };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The body exceeded the memory or time of two workers, and would do so again. */
function tooComplex(): RestError {
  return createBadRequestError(
    'notifier_body_too_complex',
    'The request body takes too much time or memory to read.',
  );
}
