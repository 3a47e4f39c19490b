import type { ReportModel } from '../../core/page-models/reports/report.ts';
import { dayMs } from '../../core/parsing/durations.ts';
import { formatDurationToMinute, formatUptime } from '../../core/parsing/format/numbers.ts';
import { meter } from '../charts/meter.ts';
import { dash, hiddenCaption } from '../components/elements.ts';
import { statusMark } from '../components/icons.ts';
import { cell, columnHeader, headerRow, scrollableTable } from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { count, counted, formatTimeOfDay, percent, timeElement } from '../formatters.ts';
import { budgetUsedText, shortUntrustedText, sloTargetText } from '../monitors/labels.ts';
import type { PageContext } from '../page-context.ts';

const monitorsShown = 20;
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

export function availabilitySection({ monitors }: ReportModel, context: PageContext): VNode {
  const heads = [
    columnHeader('Monitor'),
    columnHeader('Uptime', 'r'),
    columnHeader('Target', 'r d3'),
    columnHeader('Down', 'r'),
    columnHeader('Error budget', 'bud d2'),
    columnHeader('Used', 'r'),
  ];
  const shown = monitors.slice(0, monitorsShown);
  const table = html`<table class="t">
    ${hiddenCaption('Availability and error budget by monitor')}${headerRow(...heads)}
    <tbody>${shown.map((each) => monitorRow(each, context))}</tbody>
  </table>`;
  const rest = monitors.length - shown.length;
  return html`<section class="sec" aria-labelledby="r-up">
    <h2 id="r-up">2. Availability</h2>
    ${monitors.length === 0 ? emptyNote('Nothing was monitored.') : scrollableTable('Availability', table)}
    ${rest > 0 ? html`<p class="small dim">And ${counted(rest, 'monitor')} that used less.</p>` : null}
  </section>`;
}

function monitorRow(
  { slug, name, uptime, down_ms: down, budget }: ReportModel['monitors'][number],
  context: PageContext,
): VNode {
  const used = budgetUsedText(budget.share);
  const share = budget.share ?? 0;
  return html`<tr>
    <th scope="row">
      ${pageLink(context, `/monitors/${encodeURIComponent(slug)}`, null, shortUntrustedText(name))}
    </th>
    ${cell(formatUptime(uptime), 'r')}${cell(sloTargetText(budget.goal), 'r dim d3')}
    ${cell(down === 0 ? html`<span class="dim">none</span>` : formatDurationToMinute(down), 'r nowrap')}
    ${cell(
      meter({
        part: Math.min(share, 1),
        all: 1,
        name: `${used} of the error budget`,
        ...(share > 1 ? { fill: 'fatal' as const } : {}),
      }),
      'bud d2',
    )}
    ${cell(share > 1 ? statusMark('down', used) : used, 'r nowrap')}
  </tr>`;
}

export function incidentsSection({ incidents: all }: ReportModel, context: PageContext): VNode {
  const heads = [
    columnHeader('Started'),
    columnHeader('Incident'),
    columnHeader('Cause', 'd3'),
    columnHeader('Duration', 'r'),
  ];
  const rows = all.map(
    ({ incident_id: id, title, started_at: at, cause, lasted_ms: lasted, is_over: isOver }) =>
      el(
        'tr',
        null,
        cell(timeElement(at, `${weekdayAndDay(at)}, ${formatTimeOfDay(Date.parse(at))}`, false), 'nowrap'),
        title === null
          ? html`<th scope="row" class="soft">An incident that was deleted</th>`
          : html`<th scope="row">${pageLink(context, `/incidents/${id}`, null, shortUntrustedText(title))}</th>`,
        cell(cause === '' ? dash() : shortUntrustedText(cause), 'd3'),
        cell(
          isOver ? formatDurationToMinute(lasted) : `${formatDurationToMinute(lasted)} so far`,
          'r nowrap',
        ),
      ),
  );
  const table = html`<table class="t">
    ${hiddenCaption('Incidents')}${headerRow(...heads)}
    <tbody>${rows}</tbody>
  </table>`;
  return html`<section class="sec" aria-labelledby="r-incidents">
    <h2 id="r-incidents">3. Incidents</h2>
    ${all.length === 0 ? emptyNote('No incidents.') : scrollableTable('Incidents', table)}
  </section>`;
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
  const rows = all.map((each) => {
    const brought = [
      `${count(each.new_issues)} new`,
      each.regressed_issues === 0 ? null : `${count(each.regressed_issues)} back`,
      each.was_taken_back ? 'rolled back' : null,
    ].filter((part) => part !== null);
    return summaryRow(
      pageLink(
        context,
        `/releases/${each.release_id}`,
        { class: 'cell' },
        shortUntrustedText(`${each.project} ${each.version}`),
      ),
      weekdayAndDay(each.created_at),
      brought.join(', '),
    );
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
  const rows = all.map(({ project_id: id, project, runs, failed_runs: failed, passed_share: share }) =>
    summaryRow(
      pageLink(
        context,
        { path: '/test-runs', query: { project: id } },
        { class: 'cell' },
        shortUntrustedText(project),
      ),
      `${counted(runs, 'run')}${failed === 0 ? '' : `, ${count(failed)} failed`}`,
      share === null ? '–' : percent(share, 1, share === 1 ? 0 : 1),
    ),
  );
  const names = unstable
    .slice(0, 4)
    .flatMap(({ name }, at) => [at === 0 ? null : '; ', shortUntrustedText(name)]);
  const flakyLine = names.length === 0 ? null : ['Failed or flaky: ', ...names, '.'];
  return part('r-tests', '5. Tests', 'Test runs', rows, 'No test runs.', flakyLine);
}

export function expiringSection({ ending: all, made: saved }: ReportModel, context: PageContext): VNode {
  const nowMs = saved === null ? context.nowMs : Date.parse(saved.at);
  const rows = all.map(({ what: kind, name, path, ends_at: at, state, error }) => {
    const days = at === null ? 0 : Math.floor((Date.parse(at) - nowMs) / dayMs);
    const word =
      at === null ? (error?.replaceAll('_', ' ') ?? state ?? '') : days < 0 ? 'ended' : `${count(days)} d`;
    return summaryRow(
      pageLink(context, path, { class: 'cell' }, shortUntrustedText(name)),
      at === null ? `proof ${state ?? ''}` : kind,
      at !== null && days < 14 ? statusMark(days < 0 ? 'down' : 'warning', word) : word,
    );
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
  const rows = all.map(({ channel_id: id, name, sent, arrived }) =>
    summaryRow(
      name === null
        ? 'A channel that was deleted'
        : pageLink(context, `/alert-channels/${id}`, { class: 'cell' }, shortUntrustedText(name)),
      `${count(sent)} sent`,
      percent(arrived, sent, arrived === sent || arrived === 0 ? 0 : 1),
    ),
  );
  return part('r-alerts', '7. Alerts sent', 'Alert deliveries', rows, 'No notifications were sent.', null);
}

function summaryRow(title: Content, subtitle: Content, value: Content): VNode {
  return html`<tr><th scope="row">${title}<span class="cul">${subtitle}</span></th>${cell(value, 'r k')}</tr>`;
}

function part(
  id: string,
  title: string,
  caption: string,
  rows: readonly VNode[],
  emptyText: string,
  content: Content,
): VNode {
  return el(
    'section',
    { 'aria-labelledby': id },
    html`<h2 id=${id}>${title}</h2>`,
    rows.length === 0
      ? emptyNote(emptyText)
      : html`<table class="t mini">${hiddenCaption(caption)}<tbody>${rows}</tbody></table>`,
    rows.length === 0 || content === null ? null : html`<p class="small dim">${content}</p>`,
  );
}

function emptyNote(words: string): VNode {
  return html`<p class="ruled soft">${words}</p>`;
}
