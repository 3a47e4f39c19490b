// /test-runs: what is red, how many tests pass, and the runs.

import type { VNode } from 'preact';
import type { RunEnd } from '../../core/workspace/delivery/kinds.ts';
import type { ListedRun, StreakView, TestRunsModel } from '../../core/workspace/delivery/test-runs.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent, QueryMembers } from '../frame.ts';
import { askForm, type Choice, searchField, select, submit } from '../parts/controls.ts';
import { dash, hiddenCaption, nothingFits, pageHead, pager, tabs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { cell, columnHead, headRow, titleCell } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { swatch } from '../plots/figure.ts';
import { series } from '../plots/series.ts';
import { count, counted, percent } from '../words/numbers.ts';
import { shortMoment, span } from '../words/times.ts';
import { visible } from '../words/visible.ts';
import { emptyWithLines } from './send-lines.ts';
import { code, commitCode, lineName, markedCount, runName, runShape, told } from './words.ts';

const path = '/test-runs';

/** The page. */
export function testRunsPage(model: TestRunsModel, frame: Frame): PageContent {
  const { how_to_send: lines } = model;
  return {
    title: 'Test runs',
    main: [
      pageHead({ title: 'Test runs', ...(lines === null ? { acts: csvLink(model, frame) } : {}) }),
      lines !== null
        ? emptyWithLines(
            'No run has come yet',
            'A run comes from a build server, with its reports as the test tool writes them. Shards of one key are one run.',
            lines,
          )
        : [
            el('p', { class: 'bulletin' }, bulletin(model, frame)),
            tabsOf(model, frame),
            filters(model, frame),
            passed(model),
            model.runs.length === 0 ? nothing(model, frame) : list(model, frame),
          ],
    ],
  };
}

function csvLink({ asked }: TestRunsModel, frame: Frame): VNode {
  return pageLink(frame, { path: `${path}.csv`, query: { ...asked } }, { class: 'btn' }, 'CSV');
}

function allOf({ counts }: TestRunsModel): number {
  return counts.failed + counts.flaky + counts.passed + counts.empty;
}

/** What is red and for how long, in one or two sentences. */
function bulletin({ streaks, points }: TestRunsModel, frame: Frame): Content {
  const [longest, ...others] = streaks;
  if (longest === undefined) {
    return points.length === 0
      ? 'No run has come yet.'
      : 'Nothing is red: the newest run of each suite passed.';
  }
  const link = pageLink(
    frame,
    { path: `${path}/${longest.newest_test_run_id}` },
    null,
    longest.runs === 1 ? 'its newest run' : `${count(longest.runs)} runs`,
  );
  const since = shortMoment(Date.parse(longest.since), frame.nowMs);
  const first =
    longest.runs === 1
      ? [lineName(longest), ' failed in ', link, `, ${since}.`]
      : [lineName(longest), ' has been red for ', link, `, since ${since}.`];
  return [first, lastGood(longest, frame), othersRed(others, frame)];
}

function lastGood({ last_good: good, runs }: StreakView, frame: Frame): Content {
  if (good === null) return ` No run before ${runs === 1 ? 'it' : 'those'} passed.`;
  const link = pageLink(frame, { path: `${path}/${good.test_run_id}` }, null, `run ${good.test_run_id}`);
  return [' The last to pass was ', link, good.release === null ? null : [', of ', told(good.release)], '.'];
}

function othersRed(others: readonly StreakView[], frame: Frame): Content {
  const [one] = others;
  if (one === undefined) return null;
  const link = (streak: StreakView): VNode =>
    pageLink(frame, { path: `${path}/${streak.newest_test_run_id}` }, null, lineName(streak));
  if (others.length === 1) return [' ', link(one), ' is red too.'];
  return ` ${others.length} others are red too.`;
}

const tabNames: ReadonlyArray<readonly [RunEnd | null, string]> = [
  [null, 'All'],
  ['failed', 'Failed'],
  ['flaky', 'Flaky'],
  ['passed', 'Passed'],
  ['empty', 'Empty'],
];

function tabsOf(model: TestRunsModel, frame: Frame): VNode {
  const { asked, counts } = model;
  const shown = tabNames.filter(([result]) => result !== 'empty' || counts.empty > 0);
  return tabs(
    frame,
    'Result',
    shown.map(([result, name]) => ({
      name,
      path,
      query: { ...asked, result },
      count: count(result === null ? allOf(model) : counts[result]),
      isCurrent: asked.result === result,
    })),
  );
}

function filters({ asked, branches }: TestRunsModel, frame: Frame): VNode {
  const known =
    asked.branch === null || branches.includes(asked.branch) ? branches : [asked.branch, ...branches];
  const choices: Choice[] = [
    { value: '', name: 'Any branch' },
    ...known.map((branch) => ({ value: branch, name: visible(branch) })),
  ];
  return askForm(
    frame,
    { path, label: 'Filter', kept: { result: asked.result } },
    searchField('q', 'Search test runs', 'Suite, branch, commit or release', asked.q),
    ...select({ id: 'branch', name: 'branch', label: 'Branch' }, choices, asked.branch),
    submit('Apply'),
  );
}

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
    finding: [el('b', null, said), ` of tests passed, last ${runs}`],
    beside: el(
      'span',
      { class: 'key small' },
      el('span', null, swatch('f-ink'), 'failed'),
      el('span', null, swatch('f-info'), 'flaky'),
      before === null ? null : el('span', { class: 'dim' }, changed(share, before)),
    ),
    name: `Share of tests that failed over the last ${runs}: ${said} passed in all, ${worst} failed in the worst.`,
    height: 108,
  });
}

function changed(share: number, before: number): string {
  const points = Math.round((share - before) * 1000) / 10;
  if (points === 0) return 'as in those before';
  return `${Math.abs(points)} points ${points > 0 ? 'more' : 'less'} than in those before`;
}

function nothing(model: TestRunsModel, frame: Frame): VNode {
  const { asked } = model;
  const isWhole = asked.q === null && asked.branch === null && asked.result === null;
  const what = asked.result === null ? 'No run fits' : `No run that fits ended as ${asked.result}`;
  return nothingFits(
    frame,
    what,
    isWhole ? 'There is nothing beyond the end of the list.' : 'Ask for less, or for another branch.',
    pageLink(frame, { path }, null, 'Show all test runs'),
  );
}

function list(model: TestRunsModel, frame: Frame): VNode {
  const { asked, runs, counts } = model;
  const fitting = asked.result === null ? allOf(model) : counts[asked.result];
  const near = (name: 'after' | 'before', cursor: string | null): QueryMembers | null =>
    cursor === null ? null : { ...asked, [name]: cursor };
  const head = headRow(
    el('td', { class: 'lv' }),
    columnHead('Run'),
    columnHead('Failed', 'r d3 w5'),
    columnHead('Flaky', 'r d2 w5'),
    columnHead('Passed', 'r d5 w5'),
    columnHead('Took', 'r d1 w7'),
    columnHead('Came', 'd2 seen'),
    columnHead('Branch', 'd1 w8'),
  );
  return el(
    'div',
    { class: 'sec' },
    el(
      'table',
      { class: 't list' },
      hiddenCaption('Test runs, newest first'),
      head,
      el('tbody', null, ...runs.map((run) => row(run, frame))),
    ),
    pager(frame, {
      path,
      said: `${count(runs.length)} of ${counted(fitting, 'run')}`,
      newer: near('before', model.newer),
      older: near('after', model.older),
    }),
  );
}

function row(run: ListedRun, frame: Frame): VNode {
  const { failed, flaky, skipped, branch, created_at: at } = run;
  const came = at === null ? null : ago(at, frame.nowMs);
  const took = run.duration_ms === null ? dash() : span(run.duration_ms);
  const title = titleCell(frame, {
    path: `${path}/${run.test_run_id}`,
    title: visible(`${run.project.name}, ${runName(run)}`),
    place: [`run ${run.test_run_id}`, run.commit === null ? null : [', ', commitCode(run.commit)]],
    folded: [
      el('span', { class: 'f4' }, failed === 0 ? 'none failed' : [markedCount(failed, 'failed'), ' failed']),
      el('span', { class: 'f5' }, `${count(run.passed)} passed`),
      el('span', { class: 'f2' }, came),
      branch === null ? null : el('span', { class: 'f1' }, told(branch)),
    ],
  });
  return el(
    'tr',
    null,
    cell(runShape(run.result), 'lv'),
    title,
    cell(markedCount(failed, 'failed'), 'r d3'),
    cell(markedCount(flaky, 'flaky'), 'r d2'),
    cell([count(run.passed), skipped === 0 ? null : el('small', null, `${count(skipped)} skipped`)], 'r d5'),
    cell(took, 'r d1 soft nowrap'),
    cell(came, 'd2 seen'),
    cell(branch === null ? dash() : code(branch, 'soft'), 'd1'),
  );
}
