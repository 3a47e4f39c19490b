// /test-runs: runs of tests, one run with its cases, and the history of a case.
import { testCaseModel } from '../../src/core/workspace/delivery/test-case.ts';
import { runCasesModel, testRunModel } from '../../src/core/workspace/delivery/test-run.ts';
import { exportedRuns, type ListedRun, testRunsModel } from '../../src/core/workspace/delivery/test-runs.ts';
import type { Visit } from '../../src/core/workspace/visit.ts';
import { type CsvColumn, csvOf } from '../../src/http/pages/csv.ts';
import { type Declaration, type FileAnswer, file, page } from '../../src/http/pages/declare.ts';
import { runCasesPage } from '../../src/pages/delivery/run-cases.ts';
import { testCasePage } from '../../src/pages/delivery/test-case.ts';
import { testRunPage } from '../../src/pages/delivery/test-run.ts';
import { testRunsPage } from '../../src/pages/delivery/test-runs.ts';

/** The pages of test runs, and the runs to take away. */
export function testRunPages(): Declaration[] {
  return [
    page({ path: '/test-runs', model: testRunsModel, view: testRunsPage }),
    file({ path: '/test-runs.csv', answer: exportCsv }),
    page({ path: '/test-runs/cases/{case_id}', model: testCaseModel, view: testCasePage }),
    page({ path: '/test-runs/{test_run_id}', model: testRunModel, view: testRunPage }),
    page({ path: '/test-runs/{test_run_id}/cases', model: runCasesModel, view: runCasesPage }),
  ];
}

const columns: ReadonlyArray<CsvColumn<ListedRun>> = [
  ['test_run_id', (run) => run.test_run_id],
  ['created_at', (run) => run.created_at],
  ['project_id', ({ project }) => project.project_id],
  ['project', ({ project }) => project.name],
  ['result', ({ result }) => result],
  ['suite', ({ suite }) => suite],
  ['branch', ({ branch }) => branch],
  ['commit', ({ commit }) => commit],
  ['release', ({ release }) => release],
  ['environment', ({ environment }) => environment],
  ['tests', ({ tests }) => tests],
  ['passed', ({ passed }) => passed],
  ['failed', ({ failed }) => failed],
  ['skipped', ({ skipped }) => skipped],
  ['flaky', ({ flaky }) => flaky],
  ['duration_ms', (run) => run.duration_ms],
  ['tool', ({ tool }) => tool],
  ['ci', ({ ci }) => ci],
  ['run_key', (run) => run.run_key],
];

async function exportCsv(visit: Visit): Promise<FileAnswer> {
  const { text } = await csvOf(columns, exportedRuns(visit));
  return { contentType: 'text/csv; charset=utf-8', bytes: text, filename: 'test-runs.csv' };
}
