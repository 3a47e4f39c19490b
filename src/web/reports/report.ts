import type { VNode } from 'preact';
import type { ReportModel } from '../../core/page-models/reports/report.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { type Fact, facts, pageHead } from '../components/elements.ts';
import { disabledLink, pageLink } from '../components/link.ts';
import { statusMark } from '../components/mark.ts';
import { fullTime } from '../components/time.ts';
import { type Content, el, html } from '../el.ts';
import { count, counted, formatDifference, percent } from '../formatters/numbers.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import {
  largeLength,
  lengthText,
  linkTo,
  shortUntrustedText,
  soonText,
  uptimeText,
} from '../uptime/labels.ts';
import { errorsSection } from './errors.ts';
import { dateRange, partialText, periodName, pointsText } from './labels.ts';
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
    crumbs: [{ name: 'Reports', path: '/reports' }],
    main: html`<div class="report">
      ${head(model, context)}
      <p class="bulletin">${bulletin(model, context)}</p>
      ${figures(model)}${moreFigures(model)}${errorsSection(model, context)}${availabilitySection(model, context)}
      ${incidentsSection(model, context)}
      <div class="cols even">
        ${releasesSection(model, context)}${testsSection(model, context)}${expiringSection(model, context)}${alertsSection(model, context)}
      </div>
      <p class="small dim sec">${foot(model)} ${end}</p>
    </div>`,
  };
}

function foot({ made }: ReportModel): Content[] {
  if (made === null) return ['Every figure is computed from the pages it links to.'];
  const when = fullTime(made.at);
  return [
    'Made ',
    when,
    ' from the pages it links to, and saved: it does not change when that data is deleted.',
  ];
}

function head(
  { period, previous, next, made, can_be_made: canBeMade }: ReportModel,
  frame: PageContext,
): VNode {
  const navigation = el(
    'nav',
    { class: 'joined', 'aria-label': 'Periods' },
    previous === null
      ? disabledLink({ class: 'btn' }, 'No earlier period')
      : pageLink(
          frame,
          { path: `/reports/${previous.id}` },
          { class: 'btn', rel: 'prev' },
          periodName(previous),
        ),
    next === null
      ? disabledLink({ class: 'btn' }, 'Current')
      : pageLink(
          frame,
          { path: `/reports/${next.id}` },
          { class: 'btn', rel: 'next' },
          periodName(next),
          next.is_partial ? html`<span class="dim">so far</span>` : null,
        ),
  );
  const print = html`<button class="btn js" type="button" data-print>Print</button>`;
  const path = `/reports/${period.id}`;
  const keepingActs = [
    canBeMade && frame.currentUser?.canAct === true
      ? actionForm(frame, `${path}/keep`, null, submitButton('Save a copy'))
      : null,
    made !== null && frame.currentUser?.canManage === true
      ? pageLink(frame, { path: `${path}/delete` }, { class: 'btn' }, 'Delete…')
      : null,
  ];
  const name = periodName(period);
  const projects = frame.project === null ? 'all projects' : shortUntrustedText(frame.project.name);
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
    acts: [navigation, print, ...keepingActs],
  });
}

/** The worst incident, a rolled-back release, changed issues, then monitors over their error budget. */
function bulletin(model: ReportModel, frame: PageContext): Content[] {
  const { sums, incidents: began, monitors, releases: made } = model;
  const [worst] = began.toSorted((one, other) => rankOf(other) - rankOf(one));
  const first: Content =
    worst === undefined
      ? sums.availability === null
        ? `${counted(sums.events, 'event')}, ${counted(sums.new_issues, 'new issue')}.`
        : 'No incidents.'
      : [
          began.length === 1 ? 'One incident: ' : `${count(began.length)} incidents, the worst `,
          worst.title === null
            ? 'one that has been deleted'
            : linkTo(frame, { path: `/incidents/${worst.incident_id}`, name: worst.title }),
          `, ${lengthText(worst.lasted_ms)}${worst.is_over ? '' : ' so far'}.`,
        ];
  const back = made.find(({ was_taken_back: wasBack }) => wasBack);
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
          linkTo(frame, { path: `/monitors/${used.slug}`, name: used.name }),
          over.length === 1
            ? ' used up its error budget.'
            : ` and ${count(over.length - 1)} more used up their error budget.`,
        ],
  ];
}

function rankOf({ severity, lasted_ms: lasted }: ReportModel['incidents'][number]): number {
  return lasted * (severity === 'critical' ? 4 : 1);
}

function figures({ sums, sums_before: before, period }: ReportModel): VNode {
  const the = `the ${period.kind} before`;
  const tests = sums.passed_share;
  const shown: Fact[] = [
    {
      label: 'Availability',
      figure: uptimeText(sums.availability),
      small: pointsText(sums.availability, before?.availability ?? null, 2),
    },
    {
      label: 'Incidents',
      figure: sums.incidents === 0 ? 'none' : count(sums.incidents),
      small:
        before === null ? null : before.incidents === 0 ? `none ${the}` : `${count(before.incidents)} ${the}`,
    },
    {
      label: 'Time to recover',
      figure: sums.recover_ms === null ? '–' : soonText(sums.recover_ms, largeLength),
      small: meanText(before?.recover_ms ?? null),
    },
    { label: 'Events', figure: count(sums.events), small: moreText(sums.events, before?.events, the) },
    {
      label: 'New issues',
      figure: count(sums.new_issues),
      small: `${count(sums.resolved_issues)} resolved, ${count(sums.regressed_issues)} back`,
    },
    {
      label: 'Tests passed',
      figure: tests === null ? '–' : percent(tests, 1, 1),
      small: tests === null ? 'no test ran' : pointsText(tests, before?.passed_share ?? null, 1),
    },
  ];
  return facts(shown, 'big');
}

function moreFigures({ sums, sums_before: before, period }: ReportModel): VNode {
  const { acknowledge_ms: seen, crash_free_share: free, lost_share: lost } = sums;
  return facts([
    {
      label: 'Time to acknowledge',
      figure: seen === null ? '–' : soonText(seen, largeLength),
      small: meanText(before?.acknowledge_ms ?? null),
    },
    {
      label: 'Crash-free',
      figure: free === null ? '–' : percent(free, 1, 2),
      small:
        free === null
          ? 'no sessions'
          : (pointsText(free, before?.crash_free_share ?? null, 2) ??
            `of ${counted(sums.sessions, 'session')}`),
    },
    {
      label: 'Feedback',
      figure: count(sums.feedback),
      small: moreText(sums.feedback, before?.feedback, `the ${period.kind} before`),
    },
    {
      label: 'Discarded events',
      figure: lost === null ? '–' : percent(lost, 1, 1),
      small:
        lost === null
          ? 'nothing was received'
          : (pointsText(lost, before?.lost_share ?? null, 1) ?? `of ${count(sums.sent)} sent`),
    },
  ]);
}

function meanText(before: number | null): string {
  return before === null ? 'mean' : `mean, ${soonText(before)} before`;
}

function moreText(now: number, before: number | undefined, the: string): string | null {
  return before === undefined ? null : (formatDifference(now, before, the) ?? `none ${the}`);
}
