import type { ReportTotals } from '../../../schemas/reports.ts';
import type { ReportBody } from '../page-models/reports/body.ts';
import type { Period } from '../page-models/reports/period.ts';
import { cutText } from '../parsing/cut-text.ts';
import { preventLinks, toOneLine } from '../parsing/display-text.ts';
import { dayMs } from '../parsing/durations.ts';
import {
  formatCount,
  formatDelay,
  formatDurationToHour,
  formatDurationToMinute,
  formatPercent,
  formatUptime,
} from '../parsing/format/numbers.ts';

interface SummarySection {
  readonly title: string;
  readonly rows: ReadonlyArray<{ readonly name: string; readonly path: string; readonly figure: string }>;
}

export type ReportSummary = ReturnType<typeof buildReportSummary>;

const rowsShown = 5;
const nameCharactersMax = 120;

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** `Week 46, 9 to 15 November 2026`, `November 2026`. */
function periodTitle({ id, kind, fromMs, toMs }: Period): string {
  const [first, last] = [new Date(fromMs), new Date(toMs - dayMs)];
  const monthAndYear = (date: Date): string => `${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  if (kind === 'month') return monthAndYear(first);
  const from =
    first.getUTCFullYear() !== last.getUTCFullYear()
      ? ` ${monthAndYear(first)}`
      : first.getUTCMonth() !== last.getUTCMonth()
        ? ` ${months[first.getUTCMonth()]}`
        : '';
  const days = `${first.getUTCDate()}${from} to ${last.getUTCDate()} ${monthAndYear(last)}`;
  return `Week ${Number(id.slice(6))}, ${days}`;
}

export function buildReportSummary(period: Period, body: ReportBody) {
  const sections: SummarySection[] = [
    {
      title: 'Most events',
      rows: body.top_issues.flatMap(({ issue_id: id, title, project, events }) =>
        title === null
          ? []
          : [{ name: `${title} (${project})`, path: `/issues/${id}`, figure: formatCount(events) }],
      ),
    },
    { title: 'Users affected', rows: usersOf(body) },
    {
      title: 'Incidents',
      rows: body.incidents.flatMap(({ incident_id: id, title, lasted_ms: ms, is_over: isOver }) =>
        title === null
          ? []
          : [{ name: title, path: `/incidents/${id}`, figure: isOver ? formatDurationToMinute(ms) : 'open' }],
      ),
    },
    {
      title: 'Lowest availability',
      rows: body.monitors
        .filter(({ down_ms: ms }) => ms > 0)
        .toSorted((one, other) => (one.uptime ?? 1) - (other.uptime ?? 1))
        .map(({ slug, name, uptime }) => ({ name, path: `/monitors/${slug}`, figure: formatUptime(uptime) })),
    },
    {
      title: 'Releases',
      rows: body.releases.map(({ release_id: id, project, version, new_issues: fresh }) => ({
        name: `${project} ${version}`,
        path: `/releases/${id}`,
        figure: `${formatCount(fresh)} new`,
      })),
    },
    {
      title: 'Expired or expires soon',
      rows: body.ending.map(({ name, path, ends_at: at, state }) => ({
        name,
        path,
        figure: at === null ? `verification ${state ?? ''}` : at.slice(0, 10),
      })),
    },
  ];
  return {
    title: periodTitle(period),
    figures: figuresOf(body.sums, body.sums_before),
    sections: sections
      .filter(({ rows }) => rows.length > 0)
      .map(({ title, rows }) => ({
        title,
        rows: rows
          .slice(0, rowsShown)
          .map((row) => ({ ...row, name: preventLinks(cutText(toOneLine(row.name), nameCharactersMax)) })),
      })),
  };
}

function usersOf({ projects }: ReportBody): SummarySection['rows'] {
  return projects
    .flatMap(({ project_id: id, name, users, users_or_more: orMore }) =>
      users === null || users === 0 ? [] : [{ id, name, users, orMore }],
    )
    .toSorted((one, other) => other.users - one.users)
    .map(({ id, name, users, orMore }) => ({
      name,
      path: `/projects/${id}`,
      figure: `${formatCount(users)}${orMore ? ' or more' : ''}`,
    }));
}

type FigureDefinition = readonly [label: string, of: (sums: ReportTotals) => string];

const figureDefinitions: readonly FigureDefinition[] = [
  ['Availability', ({ availability }) => formatUptime(availability)],
  ['Incidents', ({ incidents }) => formatCount(incidents)],
  ['Time to acknowledge (mean)', ({ acknowledge_ms: ms }) => meanText(ms)],
  ['Time to recover (mean)', ({ recover_ms: ms }) => meanText(ms)],
  ['Events', ({ events }) => formatCount(events)],
  ['New issues', ({ new_issues: issues }) => formatCount(issues)],
  ['Regressed issues', ({ regressed_issues: issues }) => formatCount(issues)],
  ['Resolved issues', ({ resolved_issues: issues }) => formatCount(issues)],
  ['Crash-free sessions', ({ crash_free_share: share }) => shareText(share, 2)],
  ['Tests passed', ({ passed_share: share }) => shareText(share, 1)],
  ['Feedback', ({ feedback }) => formatCount(feedback)],
  ['Discarded events', ({ lost_share: share }) => shareText(share, 1)],
];

/** `before` is the value of the previous period; empty if unknown. */
function figuresOf(sums: ReportTotals, before: ReportTotals | null) {
  return figureDefinitions.map(([label, of]) => ({
    label,
    figure: of(sums),
    before: before === null ? '' : of(before),
  }));
}

function shareText(share: number | null, decimals: number): string {
  return share === null ? '–' : formatPercent(share, 1, decimals);
}

function meanText(ms: number | null): string {
  return ms === null ? '–' : formatDelay(ms, formatDurationToHour);
}

export function reportSummaryText(
  { title, figures, sections }: ReportSummary,
  pagesUrl: string | null,
): string {
  const width = Math.max(...figures.map(({ label }) => label.length)) + 2;
  const figureWidth = Math.max(...figures.map(({ figure }) => figure.length)) + 2;
  const lines = figures.map(({ label, figure, before }) =>
    `${label.padEnd(width)}${figure.padEnd(figureWidth)}${before === '' ? '' : `before: ${before}`}`.trimEnd(),
  );
  const more = sections.flatMap((part) => [
    '',
    part.title,
    ...part.rows.map(
      ({ name, path, figure }) =>
        `- ${name}: ${figure}${pagesUrl === null ? '' : `\n  ${pagesUrl}${encodeURI(path)}`}`,
    ),
  ]);
  return [title, '', ...lines, ...more].join('\n');
}
