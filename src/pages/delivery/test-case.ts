// /test-runs/cases/{case_id}: how a case ended run after run, and the last time in full.
import type { VNode } from 'preact';
import type { CaseRunLine, TestCaseModel } from '../../core/workspace/delivery/test-case.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { facts, hiddenCaption, pageHead, pager, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { capitalized, shapeMark } from '../parts/mark.ts';
import { cell, columnHead, headRow, titleCell } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { count, counted } from '../words/numbers.ts';
import { span } from '../words/times.ts';
import { tookOf, whatHappened, whereOf } from './failures.ts';
import { endsRow, glyphKey } from './glyphs.ts';
import { caseMark, code, commitCode, told } from './words.ts';

const endsShown = 20;

/** The page. */
export function testCasePage(model: TestCaseModel, frame: Frame): PageContent {
  const { project, runs } = model;
  const path = `/test-runs/cases/${encodeURIComponent(model.case.case_id)}`;
  return {
    title: model.case.name,
    crumbs: [
      { name: 'Test runs', path: '/test-runs' },
      { name: project.name, path: null },
    ],
    main: [
      pageHead({ above: told(project.name), title: told(model.case.name) }),
      whereOf(model.case),
      stateOf(model, frame),
      figures(model, frame),
      section(
        {
          id: 'ends',
          title: `The last ${counted(Math.min(endsShown, runs.length), 'run')}`,
          beside: glyphKey(),
        },
        el(
          'p',
          { class: 'under' },
          endsRow(
            runs
              .slice(0, endsShown)
              .map(({ result }) => result)
              .reverse(),
          ),
        ),
      ),
      newest(model),
      section({ id: 'runs', title: 'Runs' }, list(model, path, frame)),
    ],
  };
}

function stateOf({ case: one, also_in: others }: TestCaseModel, frame: Frame): Content {
  const flaky =
    one.case_flaky === null
      ? null
      : [
          caseMark('flaky'),
          one.case_flaky.last_at === null ? '' : [', last ', ago(one.case_flaky.last_at, frame.nowMs)],
          one.case_flaky.rule === 'same_run'
            ? ': it failed and passed within one run. '
            : ': it failed and passed at one commit. ',
        ];
  const also = others.map(({ project_id: id, name }, index) => [
    index === 0 ? 'A case of this name is also in ' : ', ',
    pageLink(frame, { path: frame.path, query: { project: id } }, null, told(name)),
  ]);
  if (flaky === null && also.length === 0) return null;
  return el('p', { class: 'note' }, flaky, also.length === 0 ? null : [...also, '.']);
}

function figures({ runs, case: one }: TestCaseModel, frame: Frame): VNode {
  const failed = runs.filter(({ result }) => result === 'failed').length;
  const flaky = runs.filter(({ result }) => result === 'flaky').length;
  const times = runs.flatMap(({ duration_ms: took }) => took ?? []).sort((left, right) => left - right);
  const median = times[Math.floor(times.length / 2)];
  const newest = runs[0];
  return facts([
    {
      label: 'Newest',
      figure: caseMark(one.result),
      small: newest ? ago(newest.created_at, frame.nowMs) : null,
    },
    { label: 'Failed', figure: count(failed), small: `of the ${counted(runs.length, 'run')} here` },
    { label: 'Flaky', figure: count(flaky), small: `of the ${counted(runs.length, 'run')} here` },
    { label: 'Took', figure: tookOf(one) === '' ? '–' : tookOf(one), small: 'in the newest' },
    { label: 'Usually', figure: median === undefined ? '–' : span(median), small: 'the median' },
  ]);
}

function newest({ case: one, runs }: TestCaseModel): Content {
  const said = whatHappened(one).filter((part) => part !== null);
  const tries = one.tries.map((each) =>
    el(
      'li',
      null,
      capitalized(each.status),
      each.duration_ms === null ? '' : ` after ${span(each.duration_ms)}`,
      each.message === null ? null : [': ', told(each.message.split('\n', 1)[0] ?? '')],
    ),
  );
  if (said.length === 0 && tries.length === 0) return null;
  return section(
    { id: 'newest', title: `As it ended in run ${runs[0]?.test_run_id ?? ''}` },
    el('div', { class: 'case' }, ...said, tries.length === 0 ? null : el('ol', { class: 'small' }, ...tries)),
  );
}

function list({ runs, newer, older }: TestCaseModel, path: string, frame: Frame): Content[] {
  const head = headRow(
    el('td', { class: 'lv' }),
    columnHead('Run'),
    columnHead('Branch', 'd2 w9'),
    columnHead('Release', 'd2 w9'),
    columnHead('Took', 'r d3 w7'),
    columnHead('Came', 'd5 seen'),
  );
  return [
    el(
      'table',
      { class: 't list' },
      hiddenCaption('Runs of this test, newest first'),
      head,
      el('tbody', null, ...runs.map((each) => row(each, frame))),
    ),
    pager(frame, {
      path,
      said: `${counted(runs.length, 'run')} here`,
      newer: newer === null ? null : { before: newer },
      older: older === null ? null : { after: older },
    }),
  ];
}

function row(run: CaseRunLine, frame: Frame): VNode {
  const took = run.duration_ms === null ? '–' : span(run.duration_ms);
  const came = ago(run.created_at, frame.nowMs);
  return el(
    'tr',
    null,
    cell(shapeMark(run.result), 'lv'),
    titleCell(frame, {
      path: `/test-runs/${run.test_run_id}`,
      title: [`Run ${run.test_run_id}`, run.run_suite === null ? null : `, ${run.run_suite}`],
      place: [
        run.commit === null ? null : commitCode(run.commit),
        run.message === null ? null : [run.commit === null ? '' : ', ', told(run.message)],
      ],
      folded: [
        run.branch === null ? null : el('span', { class: 'f2' }, told(run.branch)),
        el('span', { class: 'f4' }, took),
        el('span', { class: 'f5' }, came),
      ],
    }),
    cell(run.branch === null ? '–' : code(run.branch, 'soft'), 'd2'),
    cell(run.release === null ? '–' : told(run.release), 'd2 soft'),
    cell(took, 'r d3 soft nowrap'),
    cell(came, 'd5 seen'),
  );
}
