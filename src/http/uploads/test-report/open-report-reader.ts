// Worker pool for large test reports, started with the first one and kept.
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import {
  addJitter,
  createBadRequestError,
  createRateLimitError,
  type RestError,
} from '../../../core/errors.ts';
import type { ParsedUpload, TestReportReader } from '../../../core/ports/test-report-reader.ts';
import type { TestCase } from '../../../core/store/test-runs.ts';
import { unwrapReply } from '../../../workers/error-codec.ts';
import { openPool, type Work, WorkerLostError } from '../../../workers/pool.ts';
import { startWorker } from '../../../workers/start-worker.ts';
import type { UploadBytes } from './read-upload.ts';

const workersMax = Math.max(1, Math.min(2, availableParallelism() - 1));
const waitingMax = 16;
const waitMsMax = 60_000;
const usualTaskMsMax = 30_000;
/** The margin is needed: a worker that exceeds its heap in one big step ends the process. */
const heapLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

interface ReportReaderOptions {
  readonly start?: () => Worker;
  readonly taskMsMax?: number | undefined;
}

export function openReportReader({
  start = () => startWorker(import.meta.url, heapLimits),
  taskMsMax = usualTaskMsMax,
}: ReportReaderOptions = {}): TestReportReader {
  const refusal = () => createRateLimitError(addJitter(2), { reason: 'overload' });
  const pool = openPool({ workersMax, waitingMax, waitMsMax, taskMsMax, start, refusal });
  return {
    async readUpload(input, leaving) {
      const upload = input as UploadBytes;
      const cases: TestCase[] = [];
      const onPart = (part: unknown): void => void cases.push(...(part as readonly TestCase[]));
      // A copy, since a socket's buffer may be shared with other requests.
      const make = (): Work => {
        const bytes = new Uint8Array(upload.bytes);
        return { task: { ...upload, bytes }, transfer: [bytes.buffer] };
      };
      try {
        const reply = await pool.run(make, { onPart, ...(leaving && { leaving }) });
        const read = unwrapReply(reply, 'reading a test report') as ParsedUpload;
        return { ...read, report: { ...read.report, cases } };
      } catch (error) {
        throw error instanceof WorkerLostError && error.isOverLimit ? tooComplex() : error;
      }
    },
    close: () => pool.close(),
  };
}

function tooComplex(): RestError {
  return createBadRequestError(
    'notifier_test_run_too_complex',
    'The report takes too much time or memory to read. Split it into parts with the same run_key and different shards.',
  );
}
