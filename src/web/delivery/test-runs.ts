import type { RunResult } from '../../core/page-models/delivery/kinds.ts';
import type { ListedRun, StreakView, TestRunsModel } from '../../core/page-models/delivery/test-runs.ts';
import { swatch } from '../charts/chart-figure.ts';
import { lineChart } from '../charts/line-chart.ts';
import { dash, noResults } from '../components/elements.ts';
import { listPage } from '../components/list.ts';
import { type Column, column, titleCell } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import {
  count,
  counted,
  formatShortTime,
  percent,
  replaceInvisible,
  span,
  timeAgo,
  untrustedCode,
  untrustedText,
} from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { emptyWithSnippets } from './empty-with-snippets.ts';
import { markedCount, runIcon, runName, shortCommitCode, suiteLabel } from './labels.ts';

const path = '/test-runs';

export function testRunsPage(model: TestRunsModel, context: PageContext): PageContent {
  const { how_to_send: lines, filters, branches, counts, runs, newer, older } = model;
  const results = tabNames.filter(([result]) => result !== 'empty' || counts.empty > 0);
  const countOf = (result: RunResult | null): number => (result === null ? allOf(model) : counts[result]);
  return listPage(context, {
    path,
    title: 'Test runs',
    head: { actions: lines === null ? csvLink(model, context) : null },
    empty: emptyWithSnippets(
      'No test runs yet',
      'CI uploads test reports as the test tool writes them. Shards with the same key are one run.',
      lines,
    ),
    intro: lines === null ? html`<p class="bulletin">${summaryText(model, context)}</p>` : null,
    tabs: {
      label: 'Result',
      name: 'result',
      current: filters.result,
      query: { ...filters },
      all: results.map(([result, name]) => [result, name, countOf(result)]),
    },
    filters: {
      preserved: { result: filters.result },
      search: { label: 'Search test runs', hint: 'Suite, branch, commit or release', value: filters.q },
      choices: [
        { name: 'branch', label: 'Branch', any: 'Any branch', choices: branches, chosen: filters.branch },
      ],
    },
    plot: passed(model),
    noRows: emptyList(model, context),
    isSection: true,
    caption: 'Test runs, newest first',
    columns: columns(context),
    rows: runs,
    pages: { query: { ...filters }, newer, older, all: countOf(filters.result), noun: ['run'] },
  });
}

function csvLink({ filters }: TestRunsModel, context: PageContext): VNode {
  return pageLink(context, { path: `${path}.csv`, query: { ...filters } }, { class: 'btn' }, 'CSV');
}

function allOf({ counts }: TestRunsModel): number {
  return counts.failed + counts.flaky + counts.passed + counts.empty;
}

function summaryText({ streaks, points }: TestRunsModel, context: PageContext): Content {
  const [longest, ...others] = streaks;
  if (longest === undefined) {
    return points.length === 0
      ? 'No run has come yet.'
      : 'No failing suites: the latest run of each suite passed.';
  }
  const link = pageLink(
    context,
    `${path}/${longest.newest_test_run_id}`,
    null,
    longest.runs === 1 ? 'its latest run' : `${count(longest.runs)} runs`,
  );
  const since = formatShortTime(Date.parse(longest.since), context.nowMs);
  const first =
    longest.runs === 1
      ? [suiteLabel(longest), ' failed in ', link, `, ${since}.`]
      : [suiteLabel(longest), ' has been failing for ', link, `, since ${since}.`];
  return [first, lastPassedRun(longest, context), otherFailingSuites(others, context)];
}

function lastPassedRun({ last_good: good }: StreakView, context: PageContext): Content {
  if (good === null) return ' No earlier run passed.';
  const link = pageLink(context, `${path}/${good.test_run_id}`, null, `run ${good.test_run_id}`);
  return [
    ' The last run that passed was ',
    link,
    good.release === null ? null : [', of ', untrustedText(good.release)],
    '.',
  ];
}

function otherFailingSuites(others: readonly StreakView[], context: PageContext): Content {
  const [one] = others;
  if (one === undefined) return null;
  const link = (streak: StreakView): VNode =>
    pageLink(context, `${path}/${streak.newest_test_run_id}`, null, suiteLabel(streak));
  if (others.length === 1) return [' ', link(one), ' is failing too.'];
  return ` ${others.length} others are failing too.`;
}

const tabNames: ReadonlyArray<readonly [RunResult | null, string]> = [
  [null, 'All'],
  ['failed', 'Failed'],
  ['flaky', 'Flaky'],
  ['passed', 'Passed'],
  ['empty', 'Empty'],
];

function passed({ points, passed_share: share, passed_share_before: before }: TestRunsModel): Content {
  const shares = points.flatMap((point) => point.failed_share ?? []);
  if (shares.length < 2 || share === null) return null;
  const percentage = percent(share * 1000, 1000, 1);
  const runs = counted(points.length, 'run');
  const worst = percent(Math.max(...shares) * 1000, 1000, 1);
  const inPercent = (part: number | null): number | null => (part === null ? null : part * 100);
  return lineChart({
    points: points.map((point) => ({
      atMs: Date.parse(point.created_at),
      value: inPercent(point.failed_share),
      second: inPercent(point.flaky_share),
    })),
    lines: ['failed', 'flaky'],
    word: (value) => `${Number(value.toFixed(2))}%`,
    finding: [html`<b>${percentage}</b>`, ` of tests passed, last ${runs}`],
    aside: html`<span class="key small">
      <span>${swatch('f-ink')}failed</span><span>${swatch('f-info')}flaky</span>
      ${before === null ? null : html`<span class="dim">${changed(share, before)}</span>`}
    </span>`,
    name: `Share of tests that failed over the last ${runs}: ${percentage} passed in all, ${worst} failed in the worst.`,
    height: 108,
  });
}

function changed(share: number, before: number): string {
  const points = Math.round((share - before) * 1000) / 10;
  if (points === 0) return 'same as the previous runs';
  return `${Math.abs(points)} points ${points > 0 ? 'more' : 'less'} than the previous runs`;
}

function emptyList(model: TestRunsModel, context: PageContext): VNode {
  const { filters } = model;
  const isWhole = filters.q === null && filters.branch === null && filters.result === null;
  const emptyTitle =
    filters.result === null ? 'No test runs match' : `No matching test run has the result ${filters.result}`;
  return noResults(
    context,
    emptyTitle,
    isWhole ? 'This page is after the end of the list.' : 'Remove a filter, or choose another branch.',
    pageLink(context, path, null, 'Show all test runs'),
  );
}

function columns(context: PageContext): Array<Column<ListedRun>> {
  const receivedTime = ({ created_at: at }: ListedRun): Content =>
    at === null ? null : timeAgo(at, context.nowMs);
  return [
    { class: 'lv', cell: ({ result }) => runIcon(result) },
    { name: 'Run', row: (run) => title(run, receivedTime(run), context) },
    column('Failed', 'r d3 w5', 'r d3', ({ failed }) => markedCount(failed, 'failed')),
    column('Flaky', 'r d2 w5', 'r d2', ({ flaky }) => markedCount(flaky, 'flaky')),
    column('Passed', 'r d5 w5', 'r d5', ({ passed: good, skipped }) => [
      count(good),
      skipped === 0 ? null : html`<small>${count(skipped)} skipped</small>`,
    ]),
    column('Duration', 'r d1 w7', 'r d1 soft nowrap', ({ duration_ms: ms }) =>
      ms === null ? dash() : span(ms),
    ),
    { name: 'Received', class: 'd2 seen', cell: receivedTime },
    column('Branch', 'd1 w8', 'd1', ({ branch }) =>
      branch === null ? dash() : untrustedCode(branch, 'soft'),
    ),
  ];
}

function title(run: ListedRun, receivedTime: Content, context: PageContext): VNode {
  const { test_run_id: id, failed, branch, commit } = run;
  return titleCell(context, {
    path: `${path}/${id}`,
    title: replaceInvisible(`${run.project.name}, ${runName(run)}`),
    subtitle: [`run ${id}`, commit === null ? null : [', ', shortCommitCode(commit)]],
    folded: [
      ['f4', failed === 0 ? 'none failed' : [markedCount(failed, 'failed'), ' failed']],
      ['f5', `${count(run.passed)} passed`],
      ['f2', receivedTime],
      ['f1', branch === null ? null : untrustedText(branch)],
    ],
  });
}
