// The worker thread of one big test report: gets its bytes, sends its cases in portions, then the rest. Lives for one upload.
import { once } from 'node:events';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { RestError } from '../../core/errors.ts';
import type { TestCase } from '../../core/test-reports/report.ts';
import { type ReadUpload, readUpload, type UploadBytes } from './read-upload.ts';

/** What the thread says: a portion of cases, the end, a refusal, or a fault of ours. */
export type WorkerSays =
  | { readonly kind: 'cases'; readonly cases: readonly TestCase[] }
  | { readonly kind: 'done'; readonly upload: ReadUpload }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly message: string;
      readonly status: number;
      readonly extra: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'fault'; readonly message: string };

/** Cases of one message: the other side must not be kept busy taking it in. */
const portionCases = 100;
const portionCharacters = 262_144;

const say = (words: WorkerSays): void => parentPort?.postMessage(words);

parentPort?.once('message', async (upload: UploadBytes) => {
  try {
    const read = await readUpload(upload);
    for (const cases of portions(read.report.cases)) {
      say({ kind: 'cases', cases });
      // A port hands over all that waits in it at once: one portion at a time lets the other side breathe.
      await once(parentPort as MessagePort, 'message');
    }
    say({ kind: 'done', upload: { ...read, report: { ...read.report, cases: [] } } });
  } catch (error) {
    if (error instanceof RestError) {
      const { code, message, status, extra } = error;
      say({ kind: 'refused', code, message, status, extra });
    } else {
      say({
        kind: 'fault',
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  }
});

function* portions(cases: readonly TestCase[]): Generator<readonly TestCase[]> {
  let portion: TestCase[] = [];
  let characters = 0;
  for (const one of cases) {
    portion.push(one);
    characters += (one.message?.length ?? 0) + (one.trace?.length ?? 0) + (one.stdout?.length ?? 0);
    if (portion.length >= portionCases || characters >= portionCharacters) {
      yield portion;
      portion = [];
      characters = 0;
    }
  }
  yield portion;
}
