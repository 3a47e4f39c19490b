// /reports: weeks and months over all projects.
import { reportsModel } from '../../src/core/workspace/reports/list.ts';
import { reportModel } from '../../src/core/workspace/reports/report.ts';
import { type Declaration, page } from '../../src/http/pages/declare.ts';
import { reportsPage } from '../../src/pages/reports/list.ts';
import { reportPage } from '../../src/pages/reports/report.ts';

/** The list of reports and the report of one period. */
export function reportPages(): Declaration[] {
  return [
    page({ path: '/reports', model: reportsModel, view: reportsPage }),
    page({ path: '/reports/{period}', model: reportModel, view: reportPage }),
  ];
}
