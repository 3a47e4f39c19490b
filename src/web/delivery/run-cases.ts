import { caseResults } from '../../core/page-models/delivery/kinds.ts';
import type { CaseLine, RunCasesModel } from '../../core/page-models/delivery/test-run.ts';
import { pageHead } from '../components/elements.ts';
import { capitalize, iconMark } from '../components/icons.ts';
import { listSection } from '../components/list.ts';
import { type Column, column, titleCell } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { counted, span, untrustedCode, untrustedText } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { runName } from './labels.ts';

export function runCasesPage(model: RunCasesModel, context: PageContext): PageContent {
  const { run, filters, cases } = model;
  const runPath = `/test-runs/${run.test_run_id}`;
  const path = `${runPath}/cases`;
  // A case that passed but was flaky counts as both, as in the totals of the run.
  const counts = { failed: run.failed, flaky: run.flaky, skipped: run.skipped, passed: run.passed };
  return {
    title: `Tests of run ${run.test_run_id}`,
    breadcrumbs: [
      { name: 'Test runs', path: '/test-runs' },
      { name: `Run ${run.test_run_id}`, path: runPath },
    ],
    main: [
      pageHead({
        above: [
          untrustedText(run.project.name),
          ', ',
          untrustedText(runName(run)),
          `, run ${run.test_run_id}`,
        ],
        title: counted(run.tests, 'test'),
      }),
      listSection(context, {
        path,
        tabs: {
          label: 'Result',
          name: 'result',
          current: filters.result,
          query: { result: null, q: filters.q },
          all: [
            [null, 'All', run.tests],
            ...caseResults.map((result) => [result, capitalize(result), counts[result]] as const),
          ],
        },
        filters: {
          preserved: { result: filters.result },
          search: { label: 'Search tests', hint: 'Name, suite or file', value: filters.q },
        },
        noneFits: ['No tests match', 'No test of this run has this name or result.', 'Show all tests'],
        isSection: true,
        around: (table) => [table, pagerLinks(model, path, context)],
        caption: 'Tests of the run, failures first',
        columns: columns(context),
        rows: cases,
      }),
    ],
  };
}

function pagerLinks({ cases, more, filters }: RunCasesModel, path: string, context: PageContext): VNode {
  const query = { ...filters, after: more };
  const next =
    more === null ? null : pageLink(context, { path, query }, { class: 'btn small', rel: 'next' }, 'More');
  const first = context.query.has('after')
    ? pageLink(context, { path, query: { ...filters } }, { class: 'btn small' }, 'First page')
    : null;
  return html`<nav class="pager" aria-label="Pages">
    <span class="dim">${counted(cases.length, 'test')} here</span><span class="acts">${first} ${next}</span>
  </nav>`;
}

function locationOf({ file, quarantined }: CaseLine): Content {
  const fileText = file === null ? null : untrustedCode(file);
  if (!quarantined) return fileText ?? undefined;
  return fileText === null ? 'Quarantined' : ['Quarantined, ', fileText];
}

function columns(context: PageContext): Array<Column<CaseLine>> {
  const suiteOf = ({ suite }: CaseLine): string =>
    Array.isArray(suite) ? suite.map(String).join(' › ') : '';
  const took = ({ duration_ms: ms }: CaseLine): string => (ms === null ? '–' : span(ms));
  return [
    { class: 'lv', cell: ({ result }) => iconMark(result) },
    {
      name: 'Test',
      row: (one) =>
        titleCell(context, {
          path: `/test-runs/cases/${encodeURIComponent(one.case_id)}`,
          title: one.name,
          subtitle: locationOf(one),
          folded: [
            ['f2', suiteOf(one) === '' ? null : untrustedText(suiteOf(one))],
            ['f4', took(one)],
          ],
        }),
    },
    column('Suite', 'd2 w13', 'd2 soft', (one) => untrustedText(suiteOf(one))),
    column('Duration', 'r d3 w7', 'r d3 soft nowrap', took),
  ];
}
