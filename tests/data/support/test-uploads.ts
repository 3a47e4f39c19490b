// Uploads of test runs for the store, each with what a test needs to say about it.

import type { NewTestUpload } from '../../../src/core/store/test-runs.ts';
import {
  countCases,
  createBudget,
  createCollector,
} from '../../../src/core/test-runs/reports/cases/normalize.ts';
import { startMs } from './events.ts';

const noFacts: NewTestUpload['facts'] = {
  release: null,
  environment: null,
  commit: null,
  branch: null,
  repository: null,
  suite: null,
  tool: null,
  runKey: null,
  shard: null,
  ci: null,
  build: null,
  tags: null,
  metadata: null,
  exitCode: null,
  startedAtMs: null,
  finishedAtMs: null,
  durationMs: 5,
};

/** An upload whose cases are written as "name status". */
export function testUploadOf(
  digest: string,
  cases: readonly string[],
  facts: Partial<NewTestUpload['facts']> = {},
  nowMs = startMs,
): NewTestUpload {
  const collector = createCollector(createBudget());
  for (const text of cases) {
    const [name = '', status = ''] = text.split(' ');
    collector.add({ name, status, suite: [], path: '', trace: `trace of ${name}` });
  }
  const done = collector.finish();
  return {
    projectId: 1,
    digest,
    facts: { ...noFacts, ...facts },
    shard: facts.shard ?? '',
    format: 'flat',
    status: done.totals.failed > 0 ? 'failed' : 'passed',
    totals: countCases(done.cases),
    reported: null,
    warnings: [],
    cases: done.cases,
    nowMs,
  };
}
