import type { VNode } from 'preact';
import type { RunEnd } from '../../core/workspace/delivery/kinds.ts';
import type { ListedRun, StreakView, TestRunsModel } from '../../core/workspace/delivery/test-runs.ts';
import { type Content, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { dash, nothingFits } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { listPage } from '../parts/list.ts';
import { type Column, titleCell } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { swatch } from '../plots/figure.ts';
import { series } from '../plots/series.ts';
import { count, counted, percent } from '../words/numbers.ts';
import { shortMoment, span } from '../words/times.ts';
import { visible } from '../words/visible.ts';
import { emptyWithLines } from './send-lines.ts';
import { code, commitCode, lineName, markedCount, runName, runShape, told } from './words.ts';

const path = '/test-runs';

export function testRunsPage(model: TestRunsModel, frame: Frame): PageContent {
  const { how_to_send: lines, asked, branches, counts, runs, newer, older } = model;
  const results = tabNames.filter(([result]) => result !== 'empty' || counts.empty > 0);
  const countOf = (result: RunEnd | null): number => (result === null ? allOf(model) : counts[result]);
  return listPage(frame, {
    path,
    title: 'Test runs',
    head: { acts: lines === null ? csvLink(model, frame) : null },
    empty:
      lines === null
        ? undefined
        : emptyWithLines(
            'No test runs yet',
            'CI uploads test reports as the test tool writes them. Shards with the same key are one run.',
            lines,
          ),
    lead: lines === null ? html`<p class="bulletin">${bulletin(model, frame)}</p>` : null,
    tabs: {
      label: 'Result',
      name: 'result',
      current: asked.result,
      query: { ...asked },
      all: results.map(([result, name]) => [result, name, countOf(result)]),
    },
    filters: {
      kept: { result: asked.result },
      search: { label: 'Search test runs', hint: 'Suite, branch, commit or release', value: asked.q },
      choices: [
        { name: 'branch', label: 'Branch', any: 'Any branch', choices: branches, chosen: asked.branch },
      ],
    },
    plot: passed(model),
    nothing: nothing(model, frame),
    isSection: true,
    caption: 'Test runs, newest first',
    columns: columns(frame),
    rows: runs,
    pages: { query: { ...asked }, newer, older, all: countOf(asked.result), noun: ['run'] },
  });
}

function csvLink({ asked }: TestRunsModel, frame: Frame): VNode {
  return pageLink(frame, { path: `${path}.csv`, query: { ...asked } }, { class: 'btn' }, 'CSV');
}

function allOf({ counts }: TestRunsModel): number {
  return counts.failed + counts.flaky + counts.passed + counts.empty;
}

function bulletin({ streaks, points }: TestRunsModel, frame: Frame): Content {
  const [longest, ...others] = streaks;
  if (longest === undefined) {
    return points.length === 0
      ? 'No run has come yet.'
      : 'No failing suites: the latest run of each suite passed.';
  }
  const link = pageLink(
    frame,
    { path: `${path}/${longest.newest_test_run_id}` },
    null,
    longest.runs === 1 ? 'its latest run' : `${count(longest.runs)} runs`,
  );
  const since = shortMoment(Date.parse(longest.since), frame.nowMs);
  const first =
    longest.runs === 1
      ? [lineName(longest), ' failed in ', link, `, ${since}.`]
      : [lineName(longest), ' has been failing for ', link, `, since ${since}.`];
  return [first, lastGood(longest, frame), othersRed(others, frame)];
}

function lastGood({ last_good: good }: StreakView, frame: Frame): Content {
  if (good === null) return ' No earlier run passed.';
  const link = pageLink(frame, { path: `${path}/${good.test_run_id}` }, null, `run ${good.test_run_id}`);
  return [
    ' The last run that passed was ',
    link,
    good.release === null ? null : [', of ', told(good.release)],
    '.',
  ];
}

function othersRed(others: readonly StreakView[], frame: Frame): Content {
  const [one] = others;
  if (one === undefined) return null;
  const link = (streak: StreakView): VNode =>
    pageLink(frame, { path: `${path}/${streak.newest_test_run_id}` }, null, lineName(streak));
  if (others.length === 1) return [' ', link(one), ' is failing too.'];
  return ` ${others.length} others are failing too.`;
}

const tabNames: ReadonlyArray<readonly [RunEnd | null, string]> = [
  [null, 'All'],
  ['failed', 'Failed'],
  ['flaky', 'Flaky'],
  ['passed', 'Passed'],
  ['empty', 'Empty'],
];

function passed({ points, passed_share: share, passed_share_before: before }: TestRunsModel): Content {
  const shares = points.flatMap((point) => point.failed_share ?? []);
  if (shares.length < 2 || share === null) return null;
  const said = percent(share * 1000, 1000, 1);
  const runs = counted(points.length, 'run');
  const worst = percent(Math.max(...shares) * 1000, 1000, 1);
  const inPercent = (part: number | null): number | null => (part === null ? null : part * 100);
  return series({
    points: points.map((point) => ({
      atMs: Date.parse(point.created_at),
      value: inPercent(point.failed_share),
      second: inPercent(point.flaky_share),
    })),
    lines: ['failed', 'flaky'],
    word: (value) => `${Number(value.toFixed(2))}%`,
    finding: [html`<b>${said}</b>`, ` of tests passed, last ${runs}`],
    beside: html`<span class="key small">
      <span>${swatch('f-ink')}failed</span><span>${swatch('f-info')}flaky</span>
      ${before === null ? null : html`<span class="dim">${changed(share, before)}</span>`}
    </span>`,
    name: `Share of tests that failed over the last ${runs}: ${said} passed in all, ${worst} failed in the worst.`,
    height: 108,
  });
}

function changed(share: number, before: number): string {
  const points = Math.round((share - before) * 1000) / 10;
  if (points === 0) return 'same as the previous runs';
  return `${Math.abs(points)} points ${points > 0 ? 'more' : 'less'} than the previous runs`;
}

function nothing(model: TestRunsModel, frame: Frame): VNode {
  const { asked } = model;
  const isWhole = asked.q === null && asked.branch === null && asked.result === null;
  const what =
    asked.result === null ? 'No test runs match' : `No matching test run has the result ${asked.result}`;
  return nothingFits(
    frame,
    what,
    isWhole ? 'This page is after the end of the list.' : 'Remove a filter, or choose another branch.',
    pageLink(frame, { path }, null, 'Show all test runs'),
  );
}

function columns(frame: Frame): Array<Column<ListedRun>> {
  const came = ({ created_at: at }: ListedRun): Content => (at === null ? null : ago(at, frame.nowMs));
  return [
    { class: 'lv', cell: ({ result }) => runShape(result) },
    { name: 'Run', row: (run) => title(run, came(run), frame) },
    { name: 'Failed', head: 'r d3 w5', class: 'r d3', cell: ({ failed }) => markedCount(failed, 'failed') },
    { name: 'Flaky', head: 'r d2 w5', class: 'r d2', cell: ({ flaky }) => markedCount(flaky, 'flaky') },
    {
      name: 'Passed',
      head: 'r d5 w5',
      class: 'r d5',
      cell: ({ passed: good, skipped }) => [
        count(good),
        skipped === 0 ? null : html`<small>${count(skipped)} skipped</small>`,
      ],
    },
    {
      name: 'Duration',
      head: 'r d1 w7',
      class: 'r d1 soft nowrap',
      cell: ({ duration_ms: ms }) => (ms === null ? dash() : span(ms)),
    },
    { name: 'Received', class: 'd2 seen', cell: came },
    {
      name: 'Branch',
      head: 'd1 w8',
      class: 'd1',
      cell: ({ branch }) => (branch === null ? dash() : code(branch, 'soft')),
    },
  ];
}

function title(run: ListedRun, came: Content, frame: Frame): VNode {
  const { test_run_id: id, failed, branch, commit } = run;
  return titleCell(frame, {
    path: `${path}/${id}`,
    title: visible(`${run.project.name}, ${runName(run)}`),
    place: [`run ${id}`, commit === null ? null : [', ', commitCode(commit)]],
    folded: [
      ['f4', failed === 0 ? 'none failed' : [markedCount(failed, 'failed'), ' failed']],
      ['f5', `${count(run.passed)} passed`],
      ['f2', came],
      ['f1', branch === null ? null : told(branch)],
    ],
  });
}
