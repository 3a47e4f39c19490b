// One set of worker pools for all test files of a Jest worker, since threads start slowly. Long time limits.
import type { Readers } from '../../src/program/readers.ts';

const kept = globalThis as { readersOfTests?: Readers };
const taskMsMax = 600_000;

export async function generousOptions() {
  const { openReaders } = await import('../../src/program/readers.ts');
  kept.readersOfTests ??= keptOpen(openReaders(taskMsMax));
  return { readers: kept.readersOfTests, eventMappingMs: 60_000 };
}

function keptOpen({ heavy, reports, maps }: Readers): Readers {
  const close = async (): Promise<void> => {};
  return { heavy: { ...heavy, close }, reports: { ...reports, close }, maps: { ...maps, close } };
}
