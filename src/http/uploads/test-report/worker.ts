// The thread that reads big test reports, one at a time: gets the bytes of one, sends its cases in portions,
// then the rest. It holds nothing between two of them.
import { once } from 'node:events';
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { TestCase } from '../../../core/store/test-runs.ts';
import { type Part, partCame, type Reply } from '../../threads/pool.ts';
import { failureReply } from '../../threads/replies.ts';
import { readUpload, type UploadBytes } from './read-upload.ts';

/** Cases of one message: the other side must not be kept busy taking it in. */
const portionCases = 100;
const portionCharacters = 262_144;

const say = (words: Reply | Part): void => parentPort?.postMessage(words);

parentPort?.on('message', async (words: UploadBytes | typeof partCame) => {
  // Whoever sends portions listens for this.
  if (words === partCame) return;
  try {
    const read = await readUpload(words);
    for (const cases of portions(read.report.cases)) {
      say({ part: cases });
      await once(parentPort as MessagePort, 'message');
    }
    say({ answer: { ...read, report: { ...read.report, cases: [] } } });
  } catch (error) {
    say(failureReply(error));
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
