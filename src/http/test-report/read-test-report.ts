// Reads the body of POST /test-runs. Small bodies in place; big ones and compressed ones in a worker thread, so that the loop
// goes on turning and a report that needs too much memory costs that thread its life and nothing else.
import type { IncomingMessage } from 'node:http';
import { Worker } from 'node:worker_threads';
import { badRequest, payloadTooLarge, RestError, rateLimited } from '../../core/errors.ts';
import type { TestCase } from '../../core/test-reports/report.ts';
import { takePlace } from '../body-room.ts';
import { collect, type Encoding, encodingOf } from '../inflate.ts';
import { contextOfQuery } from './form-context.ts';
import { type ReadUpload, readUpload, type UploadBytes } from './read-upload.ts';
import type { WorkerSays } from './worker.ts';

/** D-18. */
const testRunSentBytesMax = 10 * 1024 * 1024;
const testRunInflatedBytesMax = 50 * 1024 * 1024;

/** Up to this a plain body is read in place: it takes a few milliseconds, a thread takes a hundred. */
const inPlaceBytesMax = 64 * 1024;
const workersMax = 2;
const waitingMax = 16;
/** Heap of the thread. The reader bounds what it keeps; a thread that meets its limit in one big step ends the process. */
const workerLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
const readingMsMax = 30_000;

/** The report in a request's body. @throws RestError 400 for what cannot be read, 429 when too many wait */
export async function readTestReport(
  incoming: IncomingMessage,
  query: Readonly<Record<string, unknown>>,
): Promise<ReadUpload> {
  const encoding = encodingOf(incoming.headers['content-encoding']);
  if (Number(incoming.headers['content-length'] ?? 0) > testRunSentBytesMax) {
    throw payloadTooLarge(testRunSentBytesMax);
  }
  const place = takePlace();
  try {
    const sent = await collect(incoming, testRunSentBytesMax, place);
    return await readSent(incoming, query, sent, encoding);
  } finally {
    place.leave();
  }
}

async function readSent(
  incoming: IncomingMessage,
  query: Readonly<Record<string, unknown>>,
  sent: Buffer,
  encoding: Encoding,
): Promise<ReadUpload> {
  const upload: UploadBytes = {
    bytes: sent,
    encoding,
    contentType: incoming.headers['content-type'] ?? '',
    inflatedBytesMax: testRunInflatedBytesMax,
    query: contextOfQuery(query),
  };
  if (encoding === 'identity' && sent.length <= inPlaceBytesMax) {
    return readUpload(upload);
  }
  await turn();
  try {
    return await readInWorker(upload);
  } finally {
    release();
  }
}

function readInWorker(upload: UploadBytes): Promise<ReadUpload> {
  const url = new URL(`./worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
  const worker = new Worker(url, { resourceLimits: workerLimits });
  const cases: TestCase[] = [];
  return new Promise<ReadUpload>((resolve, reject) => {
    const timer = setTimeout(() => reject(tooComplex()), readingMsMax);
    worker.on('message', (words: WorkerSays) => {
      if (words.kind === 'cases') {
        cases.push(...words.cases);
        setImmediate(() => worker.postMessage('more'));
      } else if (words.kind === 'done') {
        resolve({ ...words.upload, report: { ...words.upload.report, cases } });
      } else if (words.kind === 'refused') {
        reject(new RestError(words.code, words.message, words.status, words.extra));
      } else {
        reject(new Error(`reading a test report failed: ${words.message}`));
      }
    });
    worker.on('error', (error: Error & { code?: string }) => {
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooComplex() : error);
    });
    worker.on('exit', () => clearTimeout(timer));
    // A copy of its own: what a socket handed over may share its memory with other requests.
    const bytes = new Uint8Array(upload.bytes);
    worker.postMessage({ ...upload, bytes }, [bytes.buffer]);
  }).finally(() => worker.terminate());
}

function tooComplex(): RestError {
  return badRequest(
    'notifier_test_run_too_complex',
    'The report takes too much time or memory to read. Split it into parts with one run_key and a shard each.',
  );
}

let running = 0;
const waiting: Array<() => void> = [];

async function turn(): Promise<void> {
  if (running < workersMax) {
    running += 1;
    return;
  }
  if (waiting.length >= waitingMax) {
    throw rateLimited(2, { reason: 'overload' });
  }
  await new Promise<void>((resolve) => waiting.push(resolve));
}

function release(): void {
  const next = waiting.shift();
  if (next === undefined) {
    running -= 1;
  } else {
    next();
  }
}
