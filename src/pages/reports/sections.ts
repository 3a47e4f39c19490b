import type { VNode } from 'preact';
import type { ReportModel } from '../../core/workspace/reports/report.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { dash, hiddenCaption } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { cell, columnHead, headRow, wide } from '../parts/table.ts';
import { moment } from '../parts/time.ts';
import { meter } from '../plots/meter.ts';
import { goalText, lengthText, told, uptimeText, usedText } from '../uptime/words.ts';
import { count, counted, percent } from '../words/numbers.ts';
import { timeOfDay } from '../words/times.ts';

const dayMs = 86_400_000;
const monitorsShown = 20;
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

export function availability({ monitors }: ReportModel, frame: Frame): VNode {
  const heads = [
    columnHead('Monitor'),
    columnHead('Uptime', 'r'),
    columnHead('Target', 'r d3'),
    columnHead('Down', 'r'),
    columnHead('Error budget', 'bud d2'),
    columnHead('Used', 'r'),
  ];
  const shown = monitors.slice(0, monitorsShown);
  const table = html`<table class="t">
    ${hiddenCaption('Availability and error budget by monitor')}${headRow(...heads)}
    <tbody>${shown.map((each) => monitorRow(each, frame))}</tbody>
  </table>`;
  const rest = monitors.length - shown.length;
  return html`<section class="sec" aria-labelledby="r-up">
    <h2 id="r-up">2. Availability</h2>
    ${monitors.length === 0 ? nothing('Nothing was monitored.') : wide('Availability', table)}
    ${rest > 0 ? html`<p class="small dim">And ${counted(rest, 'monitor')} that used less.</p>` : null}
  </section>`;
}

function monitorRow(
  { slug, name, uptime, down_ms: down, budget }: ReportModel['monitors'][number],
  frame: Frame,
): VNode {
  const used = usedText(budget.share);
  const share = budget.share ?? 0;
  return el(
    'tr',
    null,
    html`<th scope="row">
      ${pageLink(frame, { path: `/monitors/${encodeURIComponent(slug)}` }, null, told(name))}
    </th>`,
    cell(uptimeText(uptime), 'r'),
    cell(goalText(budget.goal), 'r dim d3'),
    cell(down === 0 ? html`<span class="dim">none</span>` : lengthText(down), 'r nowrap'),
    cell(
      meter({
        part: Math.min(share, 1),
        all: 1,
        name: `${used} of the error budget`,
        ...(share > 1 ? { fill: 'fatal' as const } : {}),
      }),
      'bud d2',
    ),
    cell(share > 1 ? mark('down', used) : used, 'r nowrap'),
  );
}

export function incidents({ incidents: all }: ReportModel, frame: Frame): VNode {
  const heads = [
    columnHead('Began'),
    columnHead('Incident'),
    columnHead('Cause', 'd3'),
    columnHead('Duration', 'r'),
  ];
  const rows = all.map(
    ({ incident_id: id, title, started_at: at, cause, lasted_ms: lasted, is_over: isOver }) =>
      el(
        'tr',
        null,
        cell(moment(at, `${weekdayAndDay(at)}, ${timeOfDay(Date.parse(at))}`, false), 'nowrap'),
        title === null
          ? html`<th scope="row" class="soft">An incident that was deleted</th>`
          : html`<th scope="row">${pageLink(frame, { path: `/incidents/${id}` }, null, told(title))}</th>`,
        cell(cause === '' ? dash() : told(cause), 'd3'),
        cell(isOver ? lengthText(lasted) : `${lengthText(lasted)} so far`, 'r nowrap'),
      ),
  );
  const table = html`<table class="t">
    ${hiddenCaption('Incidents')}${headRow(...heads)}
    <tbody>${rows}</tbody>
  </table>`;
  return html`<section class="sec" aria-labelledby="r-incidents">
    <h2 id="r-incidents">3. Incidents</h2>
    ${all.length === 0 ? nothing('No incidents.') : wide('Incidents', table)}
  </section>`;
}

/** `Tue 10` */
function weekdayAndDay(at: string): string {
  const date = new Date(at);
  return `${weekdays[(date.getUTCDay() + 6) % 7]} ${date.getUTCDate()}`;
}

export function releases(
  { releases: all, releases_in_all: count_, deploys }: ReportModel,
  frame: Frame,
): VNode {
  const rows = all.map((each) => {
    const brought = [
      `${count(each.new_issues)} new`,
      each.regressed_issues === 0 ? null : `${count(each.regressed_issues)} back`,
      each.was_taken_back ? 'rolled back' : null,
    ].filter((part) => part !== null);
    return small(
      pageLink(
        frame,
        { path: `/releases/${each.release_id}` },
        { class: 'cell' },
        told(`${each.project} ${each.version}`),
      ),
      weekdayAndDay(each.created_at),
      brought.join(', '),
    );
  });
  const rest = count_ - all.length;
  const lost = deploys.failed + deploys.taken_back;
  const said = `${counted(deploys.all, 'deploy')}${lost === 0 ? '' : `, ${count(lost)} rolled back`}${rest > 0 ? `; ${count(rest)} more releases` : ''}.`;
  return part('r-releases', '4. Releases', 'Releases', rows, 'No releases.', said);
}

export function tests({ tests: all, troubled_tests: troubled }: ReportModel, frame: Frame): VNode {
  const rows = all.map(({ project_id: id, project, runs, failed_runs: failed, passed_share: share }) =>
    small(
      pageLink(frame, { path: '/test-runs', query: { project: id } }, { class: 'cell' }, told(project)),
      `${counted(runs, 'run')}${failed === 0 ? '' : `, ${count(failed)} failed`}`,
      share === null ? '–' : percent(share, 1, share === 1 ? 0 : 1),
    ),
  );
  const names = troubled.slice(0, 4).flatMap(({ name }, at) => [at === 0 ? null : '; ', told(name)]);
  const said = names.length === 0 ? null : ['Failed or flaky: ', ...names, '.'];
  return part('r-tests', '5. Tests', 'Test runs', rows, 'No test runs.', said);
}

/** Certificates and domain verifications that expire soon or have failed. */
export function ending({ ending: all, made }: ReportModel, frame: Frame): VNode {
  const nowMs = made === null ? frame.nowMs : Date.parse(made.at);
  const rows = all.map(({ what, name, path, ends_at: at, state, error }) => {
    const days = at === null ? 0 : Math.floor((Date.parse(at) - nowMs) / dayMs);
    const word =
      at === null ? (error?.replaceAll('_', ' ') ?? state ?? '') : days < 0 ? 'ended' : `${count(days)} d`;
    return small(
      pageLink(frame, { path }, { class: 'cell' }, told(name)),
      at === null ? `proof ${state ?? ''}` : what,
      at !== null && days < 14 ? mark(days < 0 ? 'down' : 'warning', word) : word,
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

export function alerts({ alerts: all }: ReportModel, frame: Frame): VNode {
  const rows = all.map(({ channel_id: id, name, sent, arrived }) =>
    small(
      name === null
        ? 'A channel that was deleted'
        : pageLink(frame, { path: `/alert-channels/${id}` }, { class: 'cell' }, told(name)),
      `${count(sent)} sent`,
      percent(arrived, sent, arrived === sent || arrived === 0 ? 0 : 1),
    ),
  );
  return part('r-alerts', '7. Alerts sent', 'Alert deliveries', rows, 'No notifications were sent.', null);
}

function small(title: Content, place: Content, figure: Content): VNode {
  return html`<tr><th scope="row">${title}<span class="cul">${place}</span></th>${cell(figure, 'r k')}</tr>`;
}

function part(
  id: string,
  title: string,
  caption: string,
  rows: readonly VNode[],
  none: string,
  said: Content,
): VNode {
  return el(
    'section',
    { 'aria-labelledby': id },
    html`<h2 id=${id}>${title}</h2>`,
    rows.length === 0
      ? nothing(none)
      : html`<table class="t mini">${hiddenCaption(caption)}<tbody>${rows}</tbody></table>`,
    rows.length === 0 || said === null ? null : html`<p class="small dim">${said}</p>`,
  );
}

function nothing(words: string): VNode {
  return html`<p class="ruled soft">${words}</p>`;
}
