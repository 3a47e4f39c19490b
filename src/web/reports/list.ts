import type { ReportListModel } from '../../core/page-models/reports/report.ts';
import { formatDelay, formatUptime } from '../../core/parsing/format/numbers.ts';
import { lineChart } from '../charts/line-chart.ts';
import { dash, noneText, orDash } from '../components/elements.ts';
import { statusMark } from '../components/icons.ts';
import { listPage } from '../components/list.ts';
import { type Column, column, titleCell } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, counted, percent } from '../formatters.ts';
import { sloTargetText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { partialText, periodName, shortDateRange } from './labels.ts';

const path = '/reports';
type Row = ReportListModel['reports'][number];

export function reportsPage(model: ReportListModel, context: PageContext): PageContent {
  const { filters, counts, reports } = model;
  const hasShares = reports.some(({ availability: share }) => share !== null);
  const isWeekly = filters.span === 'week';
  return listPage(context, {
    path,
    title: 'Umbrella reports',
    head: { actions: pageLink(context, '/reports/schedules', { class: 'btn' }, 'By e-mail') },
    intro: html`<p class="bulletin">${summaryText(model, context)}</p>`,
    tabs: {
      label: 'Period',
      name: 'span',
      current: filters.span,
      usual: 'week',
      query: {},
      all: [
        ['week', 'Weekly', counts.week],
        ['month', 'Monthly', counts.month],
      ],
    },
    plot: hasShares ? html`<div class="sec">${availability(model)}</div>` : null,
    isSection: true,
    caption: isWeekly ? 'Weekly reports, newest first' : 'Monthly reports, newest first',
    columns: columns(model, context),
    rows: reports,
  });
}

function summaryText({ reports, goal }: ReportListModel, context: PageContext): Content[] {
  const intro: Content[] = ['One page a week and one a month, across all projects.'];
  const [running] = reports;
  if (running === undefined) return intro;
  const link = pageLink(context, `${path}/${running.id}`, null, 'in progress');
  intro.push(` ${periodName(running)} is `, link);
  const shares = reports.flatMap(({ availability: share }) => share ?? []);
  const share = running.availability;
  if (share === null) return [...intro, '; nothing was monitored yet.'];
  const isLowest = shares.length > 1 && share < goal && share === Math.min(...shares);
  return [
    ...intro,
    isLowest
      ? `: availability is the lowest listed here, ${formatUptime(share)}.`
      : `: availability is ${formatUptime(share)} so far.`,
  ];
}

/** The axis starts below the lowest value, in steps that include the SLO target. */
function availability({ reports, goal, filters }: ReportListModel): VNode {
  const shares = reports.flatMap(({ availability: share }) => share ?? []);
  const lowest = Math.min(goal, ...shares);
  const step = [0.002, 0.01, 0.05, 0.1, 0.5, 1].find((each) => lowest >= 1 - each) ?? 1;
  const points = reports.toReversed().map((each) => ({
    atMs: Date.parse(each.from),
    value: each.availability === null ? null : each.availability * 100,
    second: goal * 100,
  }));
  const by = filters.span === 'week' ? 'week' : 'month';
  const missed = shares.filter((share) => share < goal).length;
  const found = missed === 0 ? 'never below' : `${counted(missed, by)} below`;
  const range =
    shares.length === 0 ? 'nothing was monitored' : `from ${formatUptime(lowest)}, ${found} the goal`;
  return lineChart({
    points,
    lines: ['available', 'goal'],
    top: 100,
    axisMin: (1 - step) * 100,
    word: (value) => `${Number(value.toFixed(2))}%`,
    finding: [html`<b>Availability</b>`, ` of all monitors by ${by}`],
    aside: html`<span class="small dim">goal ${sloTargetText(goal)}</span>`,
    height: 108,
    name: `Availability by ${by}: ${range}.`,
  });
}

function columns({ filters, goal }: ReportListModel, context: PageContext): Array<Column<Row>> {
  return [
    { name: filters.span === 'week' ? 'Week' : 'Month', row: (report) => title(report, context) },
    {
      name: 'Available',
      class: 'r w7',
      cell: ({ availability: share }) =>
        share !== null && share < goal ? statusMark('down', formatUptime(share)) : formatUptime(share),
    },
    column('Incidents', 'r d3 w6', 'r d3', ({ incidents }) =>
      incidents === 0 ? noneText() : count(incidents),
    ),
    column('To recover', 'r d2 w6', 'r d2 soft', ({ recover_ms: ms }) =>
      orDash(ms, (delay) => formatDelay(delay)),
    ),
    column('Events', 'r d5 w6', 'r d5', ({ events }) => count(events)),
    column('New issues', 'r d1 w6', 'r d1', ({ new_issues: fresh }) => count(fresh)),
    column('Tests passed', 'r d1 w7', 'r d1', ({ passed_share: share }) =>
      share === null ? dash() : percent(share, 1, 1),
    ),
  ];
}

function title(report: Row, context: PageContext): VNode {
  const { incidents, events, new_issues: fresh } = report;
  return titleCell(context, {
    path: `${path}/${report.id}`,
    title: periodName(report),
    subtitle: [
      shortDateRange(report),
      report.is_partial ? [' ', statusMark('pending', partialText(report))] : null,
    ],
    folded: [
      ['f4', [html`<b>${count(incidents)}</b>`, incidents === 1 ? ' incident' : ' incidents']],
      ['f5', [html`<b>${count(events)}</b>`, ' events']],
      ['f1', [html`<b>${count(fresh)}</b>`, ' new issues']],
    ],
  });
}
