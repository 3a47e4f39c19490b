// /reports: a page a week and one a month, over all projects.
import type { VNode } from 'preact';
import type { ReportsModel } from '../../core/workspace/reports/list.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { dash, hiddenCaption, pageHead, tabs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { cell, columnHead, headRow, titleCell } from '../parts/table.ts';
import { series } from '../plots/series.ts';
import { goalText, soonText, uptimeText } from '../uptime/words.ts';
import { count, counted, percent } from '../words/numbers.ts';
import { partialWord, periodName, shortDays } from './words.ts';

const path = '/reports';
type Row = ReportsModel['reports'][number];

/** The page of all reports. */
export function reportsPage(model: ReportsModel, frame: Frame): PageContent {
  const { asked, counts, reports } = model;
  return {
    title: 'Umbrella reports',
    main: [
      pageHead({
        title: 'Umbrella reports',
        acts: [pageLink(frame, { path: '/reports/schedules' }, { class: 'btn' }, 'By e-mail')],
      }),
      el('p', { class: 'bulletin' }, ...bulletin(model, frame)),
      tabs(frame, 'Span', [
        { name: 'Weeks', path, count: count(counts.week), isCurrent: asked.span === 'week' },
        {
          name: 'Months',
          path,
          query: { span: 'month' },
          count: count(counts.month),
          isCurrent: asked.span === 'month',
        },
      ]),
      reports.some(({ availability: share }) => share !== null)
        ? el('div', { class: 'sec' }, availability(model))
        : null,
      el('div', { class: 'sec' }, table(reports, model, frame)),
    ],
  };
}

function bulletin({ reports, goal }: ReportsModel, frame: Frame): Content[] {
  const said: Content[] = ['One page a week and one a month, over all projects.'];
  const [running] = reports;
  if (running === undefined) return said;
  const link = pageLink(frame, { path: `${path}/${running.id}` }, null, 'still running');
  said.push(` ${periodName(running)} is `, link);
  const shares = reports.flatMap(({ availability: share }) => share ?? []);
  const share = running.availability;
  if (share === null) return [...said, '; nothing was watched in it yet.'];
  const isLowest = shares.length > 1 && share < goal && share === Math.min(...shares);
  return [
    ...said,
    isLowest
      ? `: availability is the lowest of all here, ${uptimeText(share)}.`
      : `: availability is ${uptimeText(share)} so far.`,
  ];
}

/** The axis begins below the lowest, in steps that the goal lies within. */
function availability({ reports, goal, asked }: ReportsModel): VNode {
  const shares = reports.flatMap(({ availability: share }) => share ?? []);
  const lowest = Math.min(goal, ...shares);
  const step = [0.002, 0.01, 0.05, 0.1, 0.5, 1].find((each) => lowest >= 1 - each) ?? 1;
  const points = reports.toReversed().map((each) => ({
    atMs: Date.parse(each.from),
    value: each.availability === null ? null : each.availability * 100,
    second: goal * 100,
  }));
  const by = asked.span === 'week' ? 'week' : 'month';
  const missed = shares.filter((share) => share < goal).length;
  const found = missed === 0 ? 'never below' : `${counted(missed, by)} below`;
  const range = shares.length === 0 ? 'nothing was watched' : `from ${uptimeText(lowest)}, ${found} the goal`;
  return series({
    points,
    lines: ['available', 'goal'],
    top: 100,
    foot: (1 - step) * 100,
    word: (value) => `${Number(value.toFixed(2))}%`,
    finding: [el('b', null, 'Availability'), ` of all monitors by ${by}`],
    beside: el('span', { class: 'small dim' }, `goal ${goalText(goal)}`),
    height: 108,
    name: `Availability by ${by}: ${range}.`,
  });
}

function table(reports: readonly Row[], { goal, asked }: ReportsModel, frame: Frame): VNode {
  const heads = [
    columnHead(asked.span === 'week' ? 'Week' : 'Month'),
    columnHead('Available', 'r w7'),
    columnHead('Incidents', 'r d3 w6'),
    columnHead('To recover', 'r d2 w6'),
    columnHead('Events', 'r d5 w6'),
    columnHead('New issues', 'r d1 w6'),
    columnHead('Tests passed', 'r d1 w7'),
  ];
  return el(
    'table',
    { class: 't list' },
    hiddenCaption(asked.span === 'week' ? 'Weekly reports, newest first' : 'Monthly reports, newest first'),
    headRow(...heads),
    el('tbody', null, ...reports.map((each) => row(each, goal, frame))),
  );
}

function row(report: Row, goal: number, frame: Frame): VNode {
  const { availability: share, incidents, recover_ms: recover, events, new_issues: fresh } = report;
  const available = uptimeText(share);
  const passed = report.passed_share === null ? dash() : percent(report.passed_share, 1, 1);
  return el(
    'tr',
    null,
    titleCell(frame, {
      path: `${path}/${report.id}`,
      title: periodName(report),
      place: [shortDays(report), report.is_partial ? [' ', mark('pending', partialWord(report))] : null],
      folded: [
        el(
          'span',
          { class: 'f4' },
          el('b', null, count(incidents)),
          incidents === 1 ? ' incident' : ' incidents',
        ),
        el('span', { class: 'f5' }, el('b', null, count(events)), ' events'),
        el('span', { class: 'f1' }, el('b', null, count(fresh)), ' new issues'),
      ],
    }),
    cell(share !== null && share < goal ? mark('down', available) : available, 'r w7'),
    cell(incidents === 0 ? el('span', { class: 'dim' }, 'none') : count(incidents), 'r d3'),
    cell(recover === null ? dash() : soonText(recover), 'r d2 soft'),
    cell(count(events), 'r d5'),
    cell(count(fresh), 'r d1'),
    cell(passed, 'r d1'),
  );
}
