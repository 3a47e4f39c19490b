// /test-runs/{test_run_id}/cases: every case of a run, failures first, a page at a time.

import type { VNode } from 'preact';
import { caseEnds } from '../../core/workspace/delivery/kinds.ts';
import type { CaseLine, RunCasesModel } from '../../core/workspace/delivery/test-run.ts';
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { askForm, searchField, submit } from '../parts/controls.ts';
import { hiddenCaption, nothingFits, pageHead, tabs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { capitalized, shapeMark } from '../parts/mark.ts';
import { cell, columnHead, headRow, titleCell } from '../parts/table.ts';
import { count, counted } from '../words/numbers.ts';
import { span } from '../words/times.ts';
import { code, runName, told } from './words.ts';

/** The page. */
export function runCasesPage(model: RunCasesModel, frame: Frame): PageContent {
  const { run, asked, cases } = model;
  const path = `/test-runs/${run.test_run_id}/cases`;
  const counts = { failed: run.failed, flaky: run.flaky, skipped: run.skipped, passed: run.passed };
  const all = [null, ...caseEnds].map((result) => ({
    name: result === null ? 'All' : capitalized(result),
    path,
    query: { result, q: asked.q },
    // A case that passed and was flaky counts among both, as in the totals of its run.
    count: count(result === null ? run.tests : counts[result]),
    isCurrent: asked.result === result,
  }));
  return {
    title: `Tests of run ${run.test_run_id}`,
    crumbs: [
      { name: 'Test runs', path: '/test-runs' },
      { name: `Run ${run.test_run_id}`, path: `/test-runs/${run.test_run_id}` },
    ],
    main: [
      pageHead({
        above: [told(run.project.name), ', ', told(runName(run)), `, run ${run.test_run_id}`],
        title: counted(run.tests, 'test'),
      }),
      tabs(frame, 'Result', all),
      askForm(
        frame,
        { path, label: 'Filter', kept: { result: asked.result } },
        searchField('q', 'Search tests', 'Name, suite or file', asked.q),
        submit('Apply'),
      ),
      cases.length === 0
        ? nothingFits(
            frame,
            'No test fits',
            'None of this run is called so, or ended so.',
            pageLink(frame, { path }, null, 'Show all of its tests'),
          )
        : list(model, path, frame),
    ],
  };
}

function list({ cases, more, asked }: RunCasesModel, path: string, frame: Frame): VNode {
  const head = headRow(
    el('td', { class: 'lv' }),
    columnHead('Test'),
    columnHead('Suite', 'd2 w13'),
    columnHead('Took', 'r d3 w7'),
  );
  const next =
    more === null
      ? null
      : pageLink(
          frame,
          { path, query: { ...asked, after: more } },
          { class: 'btn small', rel: 'next' },
          'More',
        );
  const first = frame.query.has('after')
    ? pageLink(frame, { path, query: { ...asked } }, { class: 'btn small' }, 'From the beginning')
    : null;
  return el(
    'div',
    { class: 'sec' },
    el(
      'table',
      { class: 't list' },
      hiddenCaption('Tests of the run, failures first'),
      head,
      el('tbody', null, ...cases.map((each) => row(each, frame))),
    ),
    el(
      'nav',
      { class: 'pager', 'aria-label': 'Pages' },
      el('span', { class: 'dim' }, `${counted(cases.length, 'test')} here`),
      el('span', { class: 'acts' }, first, ' ', next),
    ),
  );
}

function row(one: CaseLine, frame: Frame): VNode {
  const suite = Array.isArray(one.suite) ? one.suite.map(String).join(' › ') : '';
  const took = one.duration_ms === null ? '–' : span(one.duration_ms);
  return el(
    'tr',
    null,
    cell(shapeMark(one.result), 'lv'),
    titleCell(frame, {
      path: `/test-runs/cases/${encodeURIComponent(one.case_id)}`,
      title: one.name,
      place: one.file === null ? undefined : code(one.file),
      folded: [
        suite === '' ? null : el('span', { class: 'f2' }, told(suite)),
        el('span', { class: 'f4' }, took),
      ],
    }),
    cell(told(suite), 'd2 soft'),
    cell(took, 'r d3 soft nowrap'),
  );
}
