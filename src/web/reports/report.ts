import type { ReportModel } from '../../core/page-models/reports/report.ts';
import { hourMs } from '../../core/parsing/durations.ts';
import {
  formatDelay,
  formatDurationToHour,
  formatDurationToMinute,
  formatUptime,
} from '../../core/parsing/format/numbers.ts';
import { heatmap } from '../charts/heatmap.ts';
import { histogram, severityStacks } from '../charts/histogram.ts';
import { actionButton } from '../components/controls.ts';
import { confirmPage } from '../components/dialog-forms.ts';
import { dash, type Fact, facts, pageHead, section } from '../components/elements.ts';
import { iconMark, statusMark } from '../components/icons.ts';
import { cell, dataTable, miniTable, rowHeader, scrollableTable, titleCell } from '../components/table.ts';
import { type Content, disabledLink, el, html, pageLink, type VNode } from '../el.ts';
import { count, counted, formatDifference, fullTime, percent } from '../formatters.ts';
import { linkTo, shortUntrustedName, shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { changeText, dateRange, partialText, periodName, pointsText } from './labels.ts';
import {
  alertsSection,
  availabilitySection,
  expiringSection,
  incidentsSection,
  releasesSection,
  testsSection,
} from './sections.ts';

export function reportPage(model: ReportModel, context: PageContext): PageContent {
  const { period } = model;
  const end =
    period.kind === 'week'
      ? 'The week runs from Monday 00:00 to Sunday 24:00 UTC.'
      : 'The month is that of UTC.';
  return {
    title: `${periodName(period)} of ${period.from.slice(0, 4)}`,
    breadcrumbs: [{ name: 'Reports', path: '/reports' }],
    main: html`<div class="report">
      ${head(model, context)}
      <p class="bulletin">${summaryText(model, context)}</p>
      ${reportFacts(model)}${moreFacts(model)}${errorsSection(model, context)}${availabilitySection(model, context)}
      ${incidentsSection(model, context)}
      <div class="cols even">
        ${releasesSection(model, context)}${testsSection(model, context)}${expiringSection(model, context)}${alertsSection(model, context)}
      </div>
      <p class="small dim sec">${footerText(model)} ${end}</p>
    </div>`,
  };
}

function footerText({ made: saved }: ReportModel): Content[] {
  if (saved === null) return ['Every figure is computed from the pages it links to.'];
  const when = fullTime(saved.at);
  return [
    'Made ',
    when,
    ' from the pages it links to, and saved: it does not change when that data is deleted.',
  ];
}

function head(
  { period, previous, next, made: saved, can_be_made: canBeMade }: ReportModel,
  context: PageContext,
): VNode {
  const navigation = el(
    'nav',
    { class: 'joined', 'aria-label': 'Periods' },
    previous === null
      ? disabledLink({ class: 'btn' }, 'No earlier period')
      : pageLink(context, `/reports/${previous.id}`, { class: 'btn', rel: 'prev' }, periodName(previous)),
    next === null
      ? disabledLink({ class: 'btn' }, 'Current')
      : pageLink(
          context,
          `/reports/${next.id}`,
          { class: 'btn', rel: 'next' },
          periodName(next),
          next.is_partial ? html`<span class="dim">so far</span>` : null,
        ),
  );
  const print = html`<button class="btn js" type="button" data-print>Print</button>`;
  const path = `/reports/${period.id}`;
  const savedActions = [
    canBeMade && context.currentUser?.canAct === true
      ? actionButton(context, `${path}/keep`, 'Save a copy')
      : null,
    saved !== null && context.currentUser?.canManage === true
      ? pageLink(context, `${path}/delete`, { class: 'btn' }, 'Delete…')
      : null,
  ];
  const name = periodName(period);
  const projects = context.project === null ? 'all projects' : shortUntrustedText(context.project.name);
  return pageHead({
    above: ['Summary report, ', projects],
    title: period.kind === 'week' ? `${name}, ${dateRange(period)}` : name,
    ...(period.is_partial
      ? {
          below: [
            statusMark('pending', `${partialText(period)} so far`),
            ', compared with as much of the one before',
          ],
        }
      : {}),
    actions: [navigation, print, ...savedActions],
  });
}

/** The worst incident, a rolled-back release, changed issues, then monitors over their error budget. */
function summaryText(model: ReportModel, context: PageContext): Content[] {
  const { sums, incidents, monitors, releases } = model;
  const [worst] = incidents.toSorted((one, other) => rankOf(other) - rankOf(one));
  const first: Content =
    worst === undefined
      ? sums.availability === null
        ? `${counted(sums.events, 'event')}, ${counted(sums.new_issues, 'new issue')}.`
        : 'No incidents.'
      : [
          incidents.length === 1 ? 'One incident: ' : `${count(incidents.length)} incidents, the worst `,
          worst.title === null
            ? 'one that has been deleted'
            : linkTo(context, { path: `/incidents/${worst.incident_id}`, name: worst.title }),
          `, ${formatDurationToMinute(worst.lasted_ms)}${worst.is_over ? '' : ' so far'}.`,
        ];
  const back = releases.find(({ was_taken_back: wasBack }) => wasBack);
  const moved = [
    sums.regressed_issues === 0 ? null : `${counted(sums.regressed_issues, 'issue')} came back`,
    sums.resolved_issues === 0
      ? null
      : `${count(sums.resolved_issues)} ${sums.resolved_issues === 1 ? 'was' : 'were'} resolved`,
  ].filter((each) => each !== null);
  const over = monitors.filter(({ budget }) => (budget.share ?? 0) > 1);
  const [used] = over;
  return [
    first,
    back === undefined
      ? null
      : [' ', shortUntrustedText(`${back.project} ${back.version}`), ' was rolled back.'],
    moved.length === 0 ? null : ` ${moved.join(', ')}.`,
    used === undefined
      ? null
      : [
          ' ',
          linkTo(context, { path: `/monitors/${used.slug}`, name: used.name }),
          over.length === 1
            ? ' used up its error budget.'
            : ` and ${count(over.length - 1)} more used up their error budget.`,
        ],
  ];
}

function rankOf({ severity, lasted_ms: lasted }: ReportModel['incidents'][number]): number {
  return lasted * (severity === 'critical' ? 4 : 1);
}

function reportFacts({ sums, sums_before: before, period }: ReportModel): VNode {
  const the = `the ${period.kind} before`;
  const tests = sums.passed_share;
  const shown: Fact[] = [
    [
      'Availability',
      formatUptime(sums.availability),
      pointsText(sums.availability, before?.availability ?? null, 2),
    ],
    [
      'Incidents',
      sums.incidents === 0 ? 'none' : count(sums.incidents),
      before === null ? null : before.incidents === 0 ? `none ${the}` : `${count(before.incidents)} ${the}`,
    ],
    [
      'Time to recover',
      sums.recover_ms === null ? '–' : formatDelay(sums.recover_ms, formatDurationToHour),
      meanText(before?.recover_ms ?? null),
    ],
    ['Events', count(sums.events), moreText(sums.events, before?.events, the)],
    [
      'New issues',
      count(sums.new_issues),
      `${count(sums.resolved_issues)} resolved, ${count(sums.regressed_issues)} back`,
    ],
    [
      'Tests passed',
      tests === null ? '–' : percent(tests, 1, 1),
      tests === null ? 'no test ran' : pointsText(tests, before?.passed_share ?? null, 1),
    ],
  ];
  return facts(shown, 'big');
}

function moreFacts({ sums, sums_before: before, period }: ReportModel): VNode {
  const { acknowledge_ms: seen, crash_free_share: free, lost_share: lost } = sums;
  return facts([
    [
      'Time to acknowledge',
      seen === null ? '–' : formatDelay(seen, formatDurationToHour),
      meanText(before?.acknowledge_ms ?? null),
    ],
    [
      'Crash-free',
      free === null ? '–' : percent(free, 1, 2),
      free === null
        ? 'no sessions'
        : (pointsText(free, before?.crash_free_share ?? null, 2) ??
          `of ${counted(sums.sessions, 'session')}`),
    ],
    [
      'Feedback',
      count(sums.feedback),
      moreText(sums.feedback, before?.feedback, `the ${period.kind} before`),
    ],
    [
      'Discarded events',
      lost === null ? '–' : percent(lost, 1, 1),
      lost === null
        ? 'nothing was received'
        : (pointsText(lost, before?.lost_share ?? null, 1) ?? `of ${count(sums.sent)} sent`),
    ],
  ]);
}

function meanText(before: number | null): string {
  return before === null ? 'mean' : `mean, ${formatDelay(before)} before`;
}

function moreText(now: number, before: number | undefined, the: string): string | null {
  return before === undefined ? null : (formatDifference(now, before, the) ?? `none ${the}`);
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function errorsSection(model: ReportModel, context: PageContext): VNode {
  return section(
    { id: 'r-errors', title: '1. Errors' },
    overTime(model, context),
    html`<div class="cols even">${byHour(model)}${byProject(model, context)}</div>`,
    topIssues(model, context),
  );
}

function overTime({ errors: of, sums, releases, period }: ReportModel, context: PageContext): VNode {
  const ms = of.bar_hours * hourMs;
  const per = of.bar_hours === 24 ? 'day' : `${of.bar_hours} hours`;
  return histogram(context, {
    bars: of.bars.map(({ at, debug, info, ...counts }) => ({
      fromMs: Date.parse(at),
      toMs: Math.min(Date.parse(at) + ms, Date.parse(period.to)),
      counts: { ...counts, info: info + debug },
    })),
    stacks: severityStacks,
    markers: releases
      .filter(({ new_issues: fresh, was_taken_back: back }) => fresh > 0 || back)
      .map(({ created_at: at, project, version }) => ({
        atMs: Date.parse(at),
        name: shortUntrustedName(`${project} ${version}`),
      })),
    finding: [html`<b>${counted(sums.events, 'event')}</b>`, `, per ${per}`],
    height: 120,
  });
}

function byHour({ errors: { weekday_hours: hours } }: ReportModel): VNode {
  const flat = hours.flat();
  const max = Math.max(0, ...flat);
  const at = flat.indexOf(max);
  const name =
    max === 0
      ? 'Events by weekday and hour: none.'
      : `Events by weekday and hour: most on ${weekdays[Math.floor(at / 24)]} at ${String(at % 24).padStart(2, '0')}:00, ${count(max)}.`;
  return html`<div>${heatmap({ hours, finding: html`<b>By weekday and hour</b>`, name, nounPlural: 'events' })}</div>`;
}

function byProject({ projects }: ReportModel, context: PageContext): VNode {
  const isCounted = projects.some(({ users }) => users !== null);
  const table = dataTable(context, {
    caption: 'Events by project',
    class: 't',
    rows: projects,
    columns: [
      {
        name: 'Project',
        row: ({ project_id: id, name }) => rowHeader(linkTo(context, { path: `/projects/${id}`, name })),
      },
      { name: 'Events', class: 'r', cell: ({ events }) => count(events) },
      { name: 'Change', class: 'r', cell: ({ events, events_before: before }) => changeText(events, before) },
      isCounted ? { name: 'Users', class: 'r', cell: usersText } : null,
      { name: 'New', class: 'r', cell: ({ new_issues: created }) => count(created) },
      { name: 'Resolved', class: 'r', cell: ({ resolved_issues: resolved }) => count(resolved) },
    ],
  });
  return html`<div><h3>By project</h3>${scrollableTable('By project', table)}</div>`;
}

function usersText({ users, users_or_more: orMore }: ReportModel['projects'][number]): Content {
  return users === null ? dash() : `${count(users)}${orMore ? ' or more' : ''}`;
}

function topIssues({ top_issues: issues }: ReportModel, context: PageContext): Content {
  if (issues.length === 0) return html`<p class="soft space">Nothing was thrown.</p>`;
  const title = issues.length === 10 ? 'Ten issues with the most events' : 'Issues with the most events';
  return [
    html`<h3 class="sec">${title}</h3>`,
    miniTable(
      title,
      issues,
      { class: 'lv', cell: ({ level }) => iconMark(level) },
      {
        row: ({ issue_id: id, title: name }) =>
          name === null
            ? cell('An issue that was deleted', 'soft')
            : titleCell(context, { path: `/issues/${id}`, title: shortUntrustedName(name) }),
      },
      { class: 'pj d3 soft', cell: ({ project }) => shortUntrustedText(project) },
      { class: 'r', cell: ({ events }) => count(events) },
    ),
  ];
}

export function deleteReportPage({ period }: ReportModel, context: PageContext): PageContent {
  const path = `/reports/${period.id}`;
  return confirmPage(context, {
    title: 'Delete report',
    breadcrumbs: [
      { name: 'Reports', path: '/reports' },
      { name: periodName(period), path },
    ],
    heading: `Delete the report of ${periodName(period)}`,
    description: 'The saved copy is deleted. The report is computed again from the data that still exists.',
    action: `${path}/delete`,
    verb: 'Delete report',
  });
}
