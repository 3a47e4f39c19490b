import type { ReportModel } from '../../core/page-models/reports/report.ts';
import { dayMs } from '../../core/parsing/durations.ts';
import { formatDurationToMinute, formatUptime } from '../../core/parsing/format/numbers.ts';
import { meter } from '../charts/meter.ts';
import { dash, noneText, plainSection, section } from '../components/elements.ts';
import { statusMark } from '../components/icons.ts';
import { column, dataTable, miniTable, rowHeader, scrollableTable } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, counted, formatTimeOfDay, percent, timeElement } from '../formatters.ts';
import { budgetUsedText, shortUntrustedText, sloTargetText } from '../monitors/labels.ts';
import type { PageContext } from '../page-context.ts';

const monitorsShown = 20;
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

export function availabilitySection({ monitors }: ReportModel, context: PageContext): VNode {
  const shown = monitors.slice(0, monitorsShown);
  const table = dataTable<ReportModel['monitors'][number]>(context, {
    caption: 'Availability and error budget by monitor',
    class: 't',
    rows: shown,
    columns: [
      {
        name: 'Monitor',
        row: ({ slug, name }) =>
          rowHeader(
            pageLink(context, `/monitors/${encodeURIComponent(slug)}`, null, shortUntrustedText(name)),
          ),
      },
      { name: 'Uptime', class: 'r', cell: ({ uptime }) => formatUptime(uptime) },
      column('Target', 'r d3', 'r dim d3', ({ budget }) => sloTargetText(budget.goal)),
      column('Down', 'r', 'r nowrap', ({ down_ms: down }) =>
        down === 0 ? noneText() : formatDurationToMinute(down),
      ),
      { name: 'Error budget', class: 'bud d2', cell: budgetMeter },
      column('Used', 'r', 'r nowrap', ({ budget: { share } }) =>
        (share ?? 0) > 1 ? statusMark('down', budgetUsedText(share)) : budgetUsedText(share),
      ),
    ],
  });
  const rest = monitors.length - shown.length;
  return section(
    { id: 'r-up', title: '2. Availability' },
    monitors.length === 0 ? emptyNote('Nothing was monitored.') : scrollableTable('Availability', table),
    rest > 0 ? html`<p class="small dim">And ${counted(rest, 'monitor')} that used less.</p>` : null,
  );
}

function budgetMeter({ budget: { share } }: ReportModel['monitors'][number]): VNode {
  const name = `${budgetUsedText(share)} of the error budget`;
  const part = Math.min(share ?? 0, 1);
  return meter({ part, all: 1, name, ...((share ?? 0) > 1 ? { fill: 'fatal' } : {}) });
}

export function incidentsSection({ incidents: all }: ReportModel, context: PageContext): VNode {
  const table = dataTable<ReportModel['incidents'][number]>(context, {
    caption: 'Incidents',
    class: 't',
    rows: all,
    columns: [
      column('Started', null, 'nowrap', ({ started_at: at }) =>
        timeElement(at, `${weekdayAndDay(at)}, ${formatTimeOfDay(Date.parse(at))}`, false),
      ),
      {
        name: 'Incident',
        row: ({ incident_id: id, title }) =>
          title === null
            ? html`<th scope="row" class="soft">An incident that was deleted</th>`
            : rowHeader(pageLink(context, `/incidents/${id}`, null, shortUntrustedText(title))),
      },
      {
        name: 'Cause',
        class: 'd3',
        cell: ({ cause }) => (cause === '' ? dash() : shortUntrustedText(cause)),
      },
      column(
        'Duration',
        'r',
        'r nowrap',
        ({ lasted_ms: ms, is_over: isOver }) => `${formatDurationToMinute(ms)}${isOver ? '' : ' so far'}`,
      ),
    ],
  });
  return section(
    { id: 'r-incidents', title: '3. Incidents' },
    all.length === 0 ? emptyNote('No incidents.') : scrollableTable('Incidents', table),
  );
}

/** `Tue 10` */
function weekdayAndDay(at: string): string {
  const date = new Date(at);
  return `${weekdays[(date.getUTCDay() + 6) % 7]} ${date.getUTCDate()}`;
}

export function releasesSection(
  { releases: all, releases_in_all: count_, deploys }: ReportModel,
  context: PageContext,
): VNode {
  const rows = all.map((each): SummaryRow => {
    const brought = [
      `${count(each.new_issues)} new`,
      each.regressed_issues === 0 ? null : `${count(each.regressed_issues)} back`,
      each.was_taken_back ? 'rolled back' : null,
    ].filter((part) => part !== null);
    return [
      pageLink(
        context,
        `/releases/${each.release_id}`,
        { class: 'cell' },
        shortUntrustedText(`${each.project} ${each.version}`),
      ),
      weekdayAndDay(each.created_at),
      brought.join(', '),
    ];
  });
  const rest = count_ - all.length;
  const lost = deploys.failed + deploys.taken_back;
  const deployText = `${counted(deploys.all, 'deploy')}${lost === 0 ? '' : `, ${count(lost)} rolled back`}${rest > 0 ? `; ${count(rest)} more releases` : ''}.`;
  return part('r-releases', '4. Releases', 'Releases', rows, 'No releases.', deployText);
}

export function testsSection(
  { tests: all, troubled_tests: unstable }: ReportModel,
  context: PageContext,
): VNode {
  const rows = all.map(
    ({ project_id: id, project, runs, failed_runs: failed, passed_share: share }): SummaryRow => [
      pageLink(
        context,
        { path: '/test-runs', query: { project: id } },
        { class: 'cell' },
        shortUntrustedText(project),
      ),
      `${counted(runs, 'run')}${failed === 0 ? '' : `, ${count(failed)} failed`}`,
      share === null ? '–' : percent(share, 1, share === 1 ? 0 : 1),
    ],
  );
  const names = unstable
    .slice(0, 4)
    .flatMap(({ name }, at) => [at === 0 ? null : '; ', shortUntrustedText(name)]);
  const flakyLine = names.length === 0 ? null : ['Failed or flaky: ', ...names, '.'];
  return part('r-tests', '5. Tests', 'Test runs', rows, 'No test runs.', flakyLine);
}

export function expiringSection({ ending: all, made: saved }: ReportModel, context: PageContext): VNode {
  const nowMs = saved === null ? context.nowMs : Date.parse(saved.at);
  const rows = all.map(({ what: kind, name, path, ends_at: at, state, error }): SummaryRow => {
    const days = at === null ? 0 : Math.floor((Date.parse(at) - nowMs) / dayMs);
    const word =
      at === null ? (error?.replaceAll('_', ' ') ?? state ?? '') : days < 0 ? 'ended' : `${count(days)} d`;
    return [
      pageLink(context, path, { class: 'cell' }, shortUntrustedText(name)),
      at === null ? `proof ${state ?? ''}` : kind,
      at !== null && days < 14 ? statusMark(days < 0 ? 'down' : 'warning', word) : word,
    ];
  });
  return part(
    'r-ending',
    '6. Certificates and domains',
    'Expires soon',
    rows,
    'Nothing expires within 30 days.',
    null,
  );
}

export function alertsSection({ alerts: all }: ReportModel, context: PageContext): VNode {
  const rows = all.map(
    ({ channel_id: id, name, sent, arrived }): SummaryRow => [
      name === null
        ? 'A channel that was deleted'
        : pageLink(context, `/alert-channels/${id}`, { class: 'cell' }, shortUntrustedText(name)),
      `${count(sent)} sent`,
      percent(arrived, sent, arrived === sent || arrived === 0 ? 0 : 1),
    ],
  );
  return part('r-alerts', '7. Alerts sent', 'Alert deliveries', rows, 'No notifications were sent.', null);
}

type SummaryRow = readonly [title: Content, subtitle: Content, value: Content];

function part(
  id: string,
  title: string,
  caption: string,
  rows: readonly SummaryRow[],
  emptyText: string,
  content: Content,
): VNode {
  return plainSection(
    id,
    title,
    rows.length === 0
      ? emptyNote(emptyText)
      : miniTable(
          caption,
          rows,
          { row: ([name, subtitle]) => rowHeader(name, subtitle) },
          { class: 'r k', cell: ([, , value]) => value },
        ),
    rows.length === 0 || content === null ? null : html`<p class="small dim">${content}</p>`,
  );
}

function emptyNote(words: string): VNode {
  return html`<p class="ruled soft">${words}</p>`;
}
