import type { VNode } from 'preact';
import { caseEnds } from '../../core/workspace/delivery/kinds.ts';
import type { CaseLine, RunCasesModel } from '../../core/workspace/delivery/test-run.ts';
import { html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { pageHead } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { listPart } from '../parts/list.ts';
import { capitalized, shapeMark } from '../parts/mark.ts';
import { type Column, titleCell } from '../parts/table.ts';
import { counted } from '../words/numbers.ts';
import { span } from '../words/times.ts';
import { code, runName, told } from './words.ts';

export function runCasesPage(model: RunCasesModel, frame: Frame): PageContent {
  const { run, asked, cases } = model;
  const runPath = `/test-runs/${run.test_run_id}`;
  const path = `${runPath}/cases`;
  // A case that passed but was flaky counts as both, as in the totals of the run.
  const counts = { failed: run.failed, flaky: run.flaky, skipped: run.skipped, passed: run.passed };
  return {
    title: `Tests of run ${run.test_run_id}`,
    crumbs: [
      { name: 'Test runs', path: '/test-runs' },
      { name: `Run ${run.test_run_id}`, path: runPath },
    ],
    main: [
      pageHead({
        above: [told(run.project.name), ', ', told(runName(run)), `, run ${run.test_run_id}`],
        title: counted(run.tests, 'test'),
      }),
      listPart(frame, {
        path,
        tabs: {
          label: 'Result',
          name: 'result',
          current: asked.result,
          query: { result: null, q: asked.q },
          all: [
            [null, 'All', run.tests],
            ...caseEnds.map((result) => [result, capitalized(result), counts[result]] as const),
          ],
        },
        filters: {
          kept: { result: asked.result },
          search: { label: 'Search tests', hint: 'Name, suite or file', value: asked.q },
        },
        noneFits: ['No tests match', 'No test of this run has this name or result.', 'Show all tests'],
        isSection: true,
        around: (table) => [table, onward(model, path, frame)],
        caption: 'Tests of the run, failures first',
        columns: columns(frame),
        rows: cases,
      }),
    ],
  };
}

function onward({ cases, more, asked }: RunCasesModel, path: string, frame: Frame): VNode {
  const query = { ...asked, after: more };
  const next =
    more === null ? null : pageLink(frame, { path, query }, { class: 'btn small', rel: 'next' }, 'More');
  const first = frame.query.has('after')
    ? pageLink(frame, { path, query: { ...asked } }, { class: 'btn small' }, 'First page')
    : null;
  return html`<nav class="pager" aria-label="Pages">
    <span class="dim">${counted(cases.length, 'test')} here</span><span class="acts">${first} ${next}</span>
  </nav>`;
}

function columns(frame: Frame): Array<Column<CaseLine>> {
  const suiteOf = ({ suite }: CaseLine): string =>
    Array.isArray(suite) ? suite.map(String).join(' › ') : '';
  const took = ({ duration_ms: ms }: CaseLine): string => (ms === null ? '–' : span(ms));
  return [
    { class: 'lv', cell: ({ result }) => shapeMark(result) },
    {
      name: 'Test',
      row: (one) =>
        titleCell(frame, {
          path: `/test-runs/cases/${encodeURIComponent(one.case_id)}`,
          title: one.name,
          place: one.file === null ? undefined : code(one.file),
          folded: [
            ['f2', suiteOf(one) === '' ? null : told(suiteOf(one))],
            ['f4', took(one)],
          ],
        }),
    },
    { name: 'Suite', head: 'd2 w13', class: 'd2 soft', cell: (one) => told(suiteOf(one)) },
    { name: 'Duration', head: 'r d3 w7', class: 'r d3 soft nowrap', cell: took },
  ];
}
