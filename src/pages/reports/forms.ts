import type { ReportModel } from '../../core/workspace/reports/report.ts';
import type { Frame, PageContent } from '../frame.ts';
import { dangerPage } from '../parts/asking.ts';
import { periodName } from './words.ts';

export function deleteReportPage({ period }: ReportModel, frame: Frame): PageContent {
  const path = `/reports/${period.id}`;
  return dangerPage(frame, {
    title: 'Delete report',
    crumbs: [
      { name: 'Reports', path: '/reports' },
      { name: periodName(period), path },
    ],
    heading: `Delete the report of ${periodName(period)}`,
    why: 'The saved copy is deleted. The report is computed again from the data that still exists.',
    act: `${path}/delete`,
    verb: 'Delete report',
  });
}
