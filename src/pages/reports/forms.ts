// What asks before a report that was kept goes.
import type { ReportModel } from '../../core/workspace/reports/report.ts';
import type { Frame, PageContent } from '../frame.ts';
import { dangerPage } from '../parts/asking.ts';
import { periodName } from './words.ts';

/** Asks before a report goes. */
export function deleteReportPage({ period }: ReportModel, frame: Frame): PageContent {
  const path = `/reports/${period.id}`;
  return dangerPage(frame, {
    title: 'Delete a report',
    crumbs: [
      { name: 'Reports', path: '/reports' },
      { name: periodName(period), path },
    ],
    heading: `Delete the report of ${periodName(period)}`,
    why: 'What it says is computed anew from then on, of what is still there, as long as that can be counted.',
    act: `${path}/delete`,
    verb: 'Delete the report',
  });
}
