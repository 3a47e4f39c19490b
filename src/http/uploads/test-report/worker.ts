// Worker that reads test reports, one at a time; sends the cases in portions, then the rest.
import type { TestCase } from '../../../core/store/test-runs.ts';
import { handleTasks, sendPart } from '../../../workers/handle-tasks.ts';
import { readUpload, type UploadBytes } from './read-upload.ts';

/** Small messages, so that receiving them does not block the main thread. */
const portionCases = 100;
const portionCharacters = 262_144;

handleTasks(async (upload: UploadBytes) => {
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
