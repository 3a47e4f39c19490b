import type { ReportModel } from '../../core/page-models/reports/report.ts';
import { confirmPage } from '../components/dialog-forms.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { periodName } from './labels.ts';

export function deleteReportPage({ period }: ReportModel, context: PageContext): PageContent {
  const path = `/reports/${period.id}`;
  return confirmPage(context, {
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
