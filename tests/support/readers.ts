// One set of worker pools for all test files of a Jest worker, since threads start slowly. Long time limits.
import type { openWorkerPools } from '../../src/app/open-deps.ts';

const kept = globalThis as { readersOfTests?: ReturnType<typeof openWorkerPools> };
const taskMsMax = 600_000;

export async function generousOptions() {
  const { openWorkerPools: openReaders } = await import('../../src/app/open-deps.ts');
  kept.readersOfTests ??= keptOpen(openReaders(taskMsMax));
  return { readers: kept.readersOfTests, eventMappingMs: 60_000 };
}

function keptOpen({
  largeBodyReader,
  reports,
  maps,
}: ReturnType<typeof openWorkerPools>): ReturnType<typeof openWorkerPools> {
  const close = async (): Promise<void> => {};
  return {
    largeBodyReader: { ...largeBodyReader, close },
    reports: { ...reports, close },
    maps: { ...maps, close },
  };
}
