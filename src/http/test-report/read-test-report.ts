// Reads the body of POST /test-runs. Light bodies in place; heavy ones and compressed ones in a worker
// thread, so that the loop goes on turning and a report that needs too much memory costs that thread its life
// and nothing else.
import type { IncomingMessage } from 'node:http';
import { Worker } from 'node:worker_threads';
import { badRequest, RestError, rateLimited } from '../../core/errors.ts';
import { isHeavy } from '../../core/json-weight.ts';
import type { ScrubbedProject } from '../../core/scrub-record.ts';
import type { TestCase } from '../../core/test-reports/report.ts';
import { createTurns } from '../../core/turns.ts';
import { withSentBytes } from '../body-bytes.ts';
import { lifeOf } from '../body-life.ts';
import { type Encoding, encodingOf } from '../inflate.ts';
import { contextOfQuery } from './form-context.ts';
import { type ReadUpload, readUpload, type UploadBytes } from './read-upload.ts';
import type { WorkerSays } from './worker.ts';

/** D-18. */
const testRunSentBytesMax = 10 * 1024 * 1024;
const testRunInflatedBytesMax = 50 * 1024 * 1024;

const turns = createTurns({
  atOnceMax: 2,
  waitingMax: 16,
  waitMsMax: 60_000,
  refusal: () => rateLimited(2, { reason: 'overload' }),
});
/** Heap of the thread. The reader bounds what it keeps; a thread that meets its limit in one big step ends the process. */
const workerLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
const readingMsMax = 30_000;

/** The report in a request's body. @throws RestError 400 for what cannot be read, 429 when too many wait */
export async function readTestReport(
  incoming: IncomingMessage,
  query: Readonly<Record<string, unknown>>,
  project: ScrubbedProject,
): Promise<ReadUpload> {
  const encoding = encodingOf(incoming.headers['content-encoding']);
  return withSentBytes(incoming, testRunSentBytesMax, (sent) =>
    readSent(incoming, query, sent, encoding, project),
  );
}

async function readSent(
  incoming: IncomingMessage,
  query: Readonly<Record<string, unknown>>,
  sent: Buffer,
  encoding: Encoding,
  { scrubFields, storeIpAddresses }: ScrubbedProject,
): Promise<ReadUpload> {
  const upload: UploadBytes = {
    bytes: sent,
    encoding,
    contentType: incoming.headers['content-type'] ?? '',
    inflatedBytesMax: testRunInflatedBytesMax,
    query: contextOfQuery(query),
    project: { scrubFields, storeIpAddresses },
  };
  if (encoding === 'identity' && !isHeavy(sent)) {
    return readUpload(upload);
  }
  return turns.run(() => readInWorker(upload), lifeOf(incoming));
}

function readInWorker(upload: UploadBytes): Promise<ReadUpload> {
  const url = new URL(`./worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
  return readWith(new Worker(url, { resourceLimits: workerLimits }), upload);
}

/** What a worker makes of an upload; it is ended then. Rejects in every case in which it does not say. */
export function readWith(worker: Worker, upload: UploadBytes): Promise<ReadUpload> {
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
    // After any other word this says nothing: a promise hears its first end only.
    worker.on('exit', () => {
      clearTimeout(timer);
      reject(tooComplex());
    });
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
