// /test-runs: runs of tests, one run with its cases, and the history of a case.
import { testCaseModel } from '../../src/core/workspace/delivery/test-case.ts';
import { runCasesModel, testRunModel } from '../../src/core/workspace/delivery/test-run.ts';
import { testRunsModel } from '../../src/core/workspace/delivery/test-runs.ts';
import { type Declaration, page } from '../../src/http/pages/declare.ts';
import { runCasesPage } from '../../src/pages/delivery/run-cases.ts';
import { testCasePage } from '../../src/pages/delivery/test-case.ts';
import { testRunPage } from '../../src/pages/delivery/test-run.ts';
import { testRunsPage } from '../../src/pages/delivery/test-runs.ts';

/** The pages of test runs. */
export function testRunPages(): Declaration[] {
  return [
    page({ path: '/test-runs', model: testRunsModel, view: testRunsPage }),
    page({ path: '/test-runs/cases/{case_id}', model: testCaseModel, view: testCasePage }),
    page({ path: '/test-runs/{test_run_id}', model: testRunModel, view: testRunPage }),
    page({ path: '/test-runs/{test_run_id}/cases', model: runCasesModel, view: runCasesPage }),
  ];
}
