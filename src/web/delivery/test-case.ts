import type { VNode } from 'preact';
import type { CaseRunLine, TestCaseModel } from '../../core/page-models/delivery/test-case.ts';
import { facts, pageHead, section } from '../components/elements.ts';
import type { FormEntry } from '../components/form.ts';
import { pageLink } from '../components/link.ts';
import { listSection } from '../components/list.ts';
import { capitalize, iconMark } from '../components/mark.ts';
import { titleCell } from '../components/table.ts';
import { timeAgo } from '../components/time.ts';
import { type Content, html } from '../el.ts';
import { count, counted } from '../formatters/numbers.ts';
import { span } from '../formatters/times.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { caseLocation, durationAndTries, failureDetails } from './failures.ts';
import { caseMark, shortCommitCode, untrustedCode, untrustedText } from './labels.ts';
import { quarantinePart } from './quarantine.ts';
import { resultLegend, resultRow } from './result-glyphs.ts';

const endsShown = 20;

export function testCasePage(model: TestCaseModel, context: PageContext, entry?: FormEntry): PageContent {
  const { project, runs } = model;
  const path = `/test-runs/cases/${encodeURIComponent(model.case.case_id)}`;
  return {
    title: model.case.name,
    crumbs: [
      { name: 'Test runs', path: '/test-runs' },
      { name: project.name, path: null },
    ],
    main: [
      pageHead({ above: untrustedText(project.name), title: untrustedText(model.case.name) }),
      caseLocation(model.case),
      stateOf(model, context),
      figures(model, context),
      section(
        {
          id: 'ends',
          title: `The last ${counted(Math.min(endsShown, runs.length), 'run')}`,
          beside: resultLegend(),
        },
        html`<p class="under">${resultRow(
          runs
            .slice(0, endsShown)
            .map(({ result }) => result)
            .reverse(),
        )}</p>`,
      ),
      newest(model),
      quarantinePart(model, context, entry),
      section({ id: 'runs', title: 'Runs' }, list(model, path, context)),
    ],
  };
}

function stateOf({ case: one, also_in: others }: TestCaseModel, frame: PageContext): Content {
  const flaky =
    one.case_flaky === null
      ? null
      : [
          caseMark('flaky'),
          one.case_flaky.last_at === null ? '' : [', last ', timeAgo(one.case_flaky.last_at, frame.nowMs)],
          one.case_flaky.rule === 'same_run'
            ? ': it failed and passed within one run. '
            : ': it failed and passed at one commit. ',
        ];
  const also = others.map(({ project_id: id, name }, index) => [
    index === 0 ? 'A test case of this name is also in ' : ', ',
    pageLink(frame, { path: frame.path, query: { project: id } }, null, untrustedText(name)),
  ]);
  if (flaky === null && also.length === 0) return null;
  return html`<p class="note">${flaky}${also.length === 0 ? null : [...also, '.']}</p>`;
}

function figures({ runs, case: one }: TestCaseModel, frame: PageContext): VNode {
  const failed = runs.filter(({ result }) => result === 'failed').length;
  const flaky = runs.filter(({ result }) => result === 'flaky').length;
  const times = runs.flatMap(({ duration_ms: took }) => took ?? []).sort((left, right) => left - right);
  const median = times[Math.floor(times.length / 2)];
  const newest = runs[0];
  return facts([
    {
      label: 'Latest',
      figure: caseMark(one.result),
      small: newest ? timeAgo(newest.created_at, frame.nowMs) : null,
    },
    { label: 'Failed', figure: count(failed), small: `of the ${counted(runs.length, 'run')} here` },
    { label: 'Flaky', figure: count(flaky), small: `of the ${counted(runs.length, 'run')} here` },
    {
      label: 'Duration',
      figure: durationAndTries(one) === '' ? '–' : durationAndTries(one),
      small: 'latest run',
    },
    { label: 'Median', figure: median === undefined ? '–' : span(median), small: 'duration' },
  ]);
}

function newest({ case: one, runs }: TestCaseModel): Content {
  const details = failureDetails(one).filter((part) => part !== null);
  const tries = one.tries.map(
    (each) =>
      html`<li>
        ${capitalize(each.status)}${each.duration_ms === null ? '' : ` after ${span(each.duration_ms)}`}
        ${each.message === null ? null : [': ', untrustedText(each.message.split('\n', 1)[0] ?? '')]}
      </li>`,
  );
  if (details.length === 0 && tries.length === 0) return null;
  return section(
    { id: 'newest', title: `Result in run ${runs[0]?.test_run_id ?? ''}` },
    html`<div class="case">${details}${tries.length === 0 ? null : html`<ol class="small">${tries}</ol>`}</div>`,
  );
}

function list({ runs, newer, older }: TestCaseModel, path: string, frame: PageContext): Content {
  const took = ({ duration_ms: ms }: CaseRunLine): string => (ms === null ? '–' : span(ms));
  const came = ({ created_at: at }: CaseRunLine): VNode => timeAgo(at, frame.nowMs);
  return listSection<CaseRunLine>(frame, {
    path,
    caption: 'Runs of this test, newest first',
    columns: [
      { class: 'lv', cell: ({ result }) => iconMark(result) },
      { name: 'Run', row: (run) => title(run, [took(run), came(run)], frame) },
      {
        name: 'Branch',
        head: 'd2 w9',
        class: 'd2',
        cell: ({ branch }) => (branch === null ? '–' : untrustedCode(branch, 'soft')),
      },
      {
        name: 'Release',
        head: 'd2 w9',
        class: 'd2 soft',
        cell: ({ release }) => (release === null ? '–' : untrustedText(release)),
      },
      { name: 'Duration', head: 'r d3 w7', class: 'r d3 soft nowrap', cell: took },
      { name: 'Received', class: 'd5 seen', cell: came },
    ],
    rows: runs,
    pages: { query: {}, newer, older, all: null, noun: ['run'] },
  });
}

function title(run: CaseRunLine, [took, came]: readonly [string, VNode], frame: PageContext): VNode {
  const { test_run_id: id, run_suite: suite, commit, message, branch } = run;
  return titleCell(frame, {
    path: `/test-runs/${id}`,
    title: [`Run ${id}`, suite === null ? null : `, ${suite}`],
    place: [
      commit === null ? null : shortCommitCode(commit),
      message === null ? null : [commit === null ? '' : ', ', untrustedText(message)],
    ],
    folded: [
      ['f2', branch === null ? null : untrustedText(branch)],
      ['f4', took],
      ['f5', came],
    ],
  });
}
