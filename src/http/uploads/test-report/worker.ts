// The worker that reads big test reports, one at a time: gets the bytes of one, sends its cases in portions,
// then the rest. It holds nothing between two of them.
import type { TestCase } from '../../../core/store/test-runs.ts';
import { answerTasks, sendPart } from '../../../workers/answer-tasks.ts';
import { readUpload, type UploadBytes } from './read-upload.ts';

/** Cases of one message: the other side must not be kept busy taking it in. */
const portionCases = 100;
const portionCharacters = 262_144;

answerTasks(async (upload: UploadBytes) => {
  const read = await readUpload(upload);
  for (const cases of portions(read.report.cases)) await sendPart(cases);
  return { answer: { ...read, report: { ...read.report, cases: [] } } };
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
