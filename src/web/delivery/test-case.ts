import { z } from 'zod';
import { quarantineReasonMax } from '../../../schemas/quarantine.ts';
import type { CaseRunLine, TestCaseModel } from '../../core/page-models/delivery/test-case.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { facts, pageHead, section } from '../components/elements.ts';
import {
  choicesFromLabels,
  defineForm,
  enteredFields,
  type FormEntry,
  requiredTextField,
  selectField,
  textField,
} from '../components/form.ts';
import { capitalize, iconMark, statusMark } from '../components/icons.ts';
import { listSection } from '../components/list.ts';
import { column, titleCell } from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { count, counted, fullTime, span, timeAgo, untrustedCode, untrustedText } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { caseLocation, durationAndTries, failureDetails } from './failures.ts';
import { shortCommitCode } from './labels.ts';
import { resultLegend, resultRow } from './result-glyphs.ts';

const endsShown = 20;

export function testCasePage(model: TestCaseModel, context: PageContext, entry?: FormEntry): PageContent {
  const { project, runs } = model;
  const path = `/test-runs/cases/${encodeURIComponent(model.case.case_id)}`;
  return {
    title: model.case.name,
    breadcrumbs: [
      { name: 'Test runs', path: '/test-runs' },
      { name: project.name, path: null },
    ],
    main: [
      pageHead({ above: untrustedText(project.name), title: untrustedText(model.case.name) }),
      caseLocation(model.case),
      stateOf(model, context),
      testCaseFacts(model, context),
      section(
        {
          id: 'ends',
          title: `The last ${counted(Math.min(endsShown, runs.length), 'run')}`,
          aside: resultLegend(),
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

function stateOf({ case: one, also_in: others }: TestCaseModel, context: PageContext): Content {
  const flaky =
    one.case_flaky === null
      ? null
      : [
          statusMark('flaky'),
          one.case_flaky.last_at === null ? '' : [', last ', timeAgo(one.case_flaky.last_at, context.nowMs)],
          one.case_flaky.rule === 'same_run'
            ? ': it failed and passed within one run. '
            : ': it failed and passed at one commit. ',
        ];
  const otherProjects = others.map(({ project_id: id, name }, index) => [
    index === 0 ? 'A test case of this name is also in ' : ', ',
    pageLink(context, { path: context.path, query: { project: id } }, null, untrustedText(name)),
  ]);
  if (flaky === null && otherProjects.length === 0) return null;
  return html`<p class="note">${flaky}${otherProjects.length === 0 ? null : [...otherProjects, '.']}</p>`;
}

function testCaseFacts({ runs, case: one }: TestCaseModel, context: PageContext): VNode {
  const failed = runs.filter(({ result }) => result === 'failed').length;
  const flaky = runs.filter(({ result }) => result === 'flaky').length;
  const times = runs.flatMap(({ duration_ms: took }) => took ?? []).sort((left, right) => left - right);
  const median = times[Math.floor(times.length / 2)];
  const newest = runs[0];
  return facts([
    ['Latest', statusMark(one.result), newest ? timeAgo(newest.created_at, context.nowMs) : null],
    ['Failed', count(failed), `of the ${counted(runs.length, 'run')} here`],
    ['Flaky', count(flaky), `of the ${counted(runs.length, 'run')} here`],
    ['Duration', durationAndTries(one) === '' ? '–' : durationAndTries(one), 'latest run'],
    ['Median', median === undefined ? '–' : span(median), 'duration'],
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

function list({ runs, newer, older }: TestCaseModel, path: string, context: PageContext): Content {
  const took = ({ duration_ms: ms }: CaseRunLine): string => (ms === null ? '–' : span(ms));
  const receivedTime = ({ created_at: at }: CaseRunLine): VNode => timeAgo(at, context.nowMs);
  return listSection<CaseRunLine>(context, {
    path,
    caption: 'Runs of this test, newest first',
    columns: [
      { class: 'lv', cell: ({ result }) => iconMark(result) },
      { name: 'Run', row: (run) => title(run, [took(run), receivedTime(run)], context) },
      column('Branch', 'd2 w9', 'd2', ({ branch }) =>
        branch === null ? '–' : untrustedCode(branch, 'soft'),
      ),
      column('Release', 'd2 w9', 'd2 soft', ({ release }) =>
        release === null ? '–' : untrustedText(release),
      ),
      column('Duration', 'r d3 w7', 'r d3 soft nowrap', took),
      { name: 'Received', class: 'd5 seen', cell: receivedTime },
    ],
    rows: runs,
    pages: { query: {}, newer, older, all: null, noun: ['run'] },
  });
}

function title(run: CaseRunLine, [took, receivedTime]: readonly [string, VNode], context: PageContext) {
  const { test_run_id: id, run_suite: suite, commit, message, branch } = run;
  return titleCell(context, {
    path: `/test-runs/${id}`,
    title: [`Run ${id}`, suite === null ? null : `, ${suite}`],
    subtitle: [
      commit === null ? null : shortCommitCode(commit),
      message === null ? null : [commit === null ? '' : ', ', untrustedText(message)],
    ],
    folded: [
      ['f2', branch === null ? null : untrustedText(branch)],
      ['f4', took],
      ['f5', receivedTime],
    ],
  });
}

const periods = { 7: '7 days', 14: '14 days', 30: '30 days', 90: '90 days' };

export const quarantineForm = defineForm({
  reason: requiredTextField('Reason', 'Enter a reason.', { attributes: { maxlength: quarantineReasonMax } }),
  days: selectField('For', z.enum(['7', '14', '30', '90'], 'Choose how long.'), {
    choices: choicesFromLabels(periods),
  }),
  issue: textField('Issue number', { isOptional: true, attributes: { maxlength: 20 } }),
});

/** Null where nobody may quarantine it and nobody has. */
function quarantinePart(model: TestCaseModel, context: PageContext, entry?: FormEntry): VNode | null {
  const { project, quarantine, case: one } = model;
  const path = `/test-runs/cases/${encodeURIComponent(one.case_id)}/quarantine`;
  const projectField = el('input', { type: 'hidden', name: 'project', value: String(project.project_id) });
  if (quarantine !== null) {
    const end = `${path}/${quarantine.quarantine_id}/remove`;
    return section(
      { id: 'quarantine', title: 'Quarantine' },
      quarantineSentence(quarantine, context),
      actionForm(
        context,
        end,
        null,
        projectField,
        html`<p>${submitButton('End quarantine', { class: 'btn' })}</p>`,
      ),
    );
  }
  if (one.result !== 'failed' && one.result !== 'flaky' && one.case_flaky === null) return null;
  const form = actionForm(
    context,
    path,
    { class: 'stack narrow' },
    projectField,
    ...enteredFields(quarantineForm, entry),
    html`<p>${submitButton('Quarantine test', { class: 'btn' })}</p>`,
  );
  if (form === null) return null;
  return section(
    { id: 'quarantine', title: 'Quarantine' },
    html`<p class="soft">Not in quarantine. In quarantine, failures of a test do not fail the verdict of a release.</p>`,
    html`<details open=${entry !== undefined}><summary>Quarantine this test</summary>${form}</details>`,
  );
}

function quarantineSentence(
  { until, reason, issue_id: issue, created_by: by }: NonNullable<TestCaseModel['quarantine']>,
  context: PageContext,
): Content {
  const link = issue === null ? null : [', ', pageLink(context, `/issues/${issue}`, null, `#${issue}`)];
  return html`<p>
    Failures are excused until ${fullTime(until)}, by ${untrustedText(by)}: ${untrustedText(reason)}${link}
  </p>`;
}
