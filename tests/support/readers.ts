// The threads that read heavy bodies, reports and maps: one set for all test files that a worker runs, for
// each takes longer to start than most tests take. They are generous, for a machine may be slow, and end with
// the worker.
import type { Readers } from '../../src/program/readers.ts';

const kept = globalThis as { readersOfTests?: Readers };
const taskMsMax = 600_000;

/** What an app under test is opened with. */
export async function generousOptions() {
  const { openReaders } = await import('../../src/program/readers.ts');
  kept.readersOfTests ??= keptOpen(openReaders(taskMsMax));
  return { readers: kept.readersOfTests, eventMappingMs: 60_000 };
}

/** No app ends them. */
function keptOpen({ heavy, reports, maps }: Readers): Readers {
  const close = async (): Promise<void> => {};
  return { heavy: { ...heavy, close }, reports: { ...reports, close }, maps: { ...maps, close } };
}
