import type {
  OverviewExpiry,
  OverviewIncident,
  OverviewMonitorDays,
  OverviewMonitoring,
} from '../../core/page-models/overview/monitoring.ts';
import { dayMs, hourMs, minuteMs } from '../../core/parsing/durations.ts';
import { formatUptime } from '../../core/parsing/format/numbers.ts';
import { smallDayStrip } from '../charts/day-strip.ts';
import { type Fact, hiddenCaption, section } from '../components/elements.ts';
import { iconMark, statusMark } from '../components/icons.ts';
import { cell, titleCell } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, counted, currentTimeZone, formatTimeOfDay, shortTime, timeAgo } from '../formatters.ts';
import {
  commaSeparated,
  endsSoonDays,
  incidentMark,
  linkTo,
  monitorStateNames,
  shortUntrustedName,
  shortUntrustedText,
  stripTextAlternative,
  toStripDays,
} from '../monitors/labels.ts';
import type { PageContext } from '../page-context.ts';

/** Expiring keys alone do not show these parts. */
export function hasUptime(monitoring: OverviewMonitoring | undefined): monitoring is OverviewMonitoring {
  return monitoring !== undefined && (monitoring.monitors.all > 0 || monitoring.incidents.length > 0);
}

/** The worst incident, else monitors that are down without an incident; null if there are none. */
export function outageSentence(
  { incidents, open, strips, monitors }: OverviewMonitoring,
  context: PageContext,
): Content {
  const worst = incidents.find(({ state }) => state !== 'planned' && state !== 'monitoring');
  if (worst !== undefined) return [incidentSentence(worst, context), more(open.broken - 1, context)];
  if (monitors.down === 0) return null;
  const [first] = strips;
  if (monitors.down > 1 || first === undefined) {
    return [
      pageLink(
        context,
        { path: '/monitors', query: { state: 'down' } },
        null,
        `${counted(monitors.down, 'monitor')} are down`,
      ),
      '.',
    ];
  }
  const length = longSpan(context.nowMs - Date.parse(first.state_since));
  const path = `/monitors/${encodeURIComponent(first.slug)}`;
  return [shortUntrustedText(first.name), ' has been down for ', pageLink(context, path, null, length), '.'];
}

/** A title such as `Card payments are failing` is completed with the duration. */
function incidentSentence(incident: OverviewIncident, context: PageContext): Content {
  const path = `/incidents/${incident.incident_id}`;
  const length = pageLink(context, { path, query: { project: null } }, null, longSpan(incident.lasted_ms));
  const title = shortUntrustedName(incident.title);
  const [, subject, verb, predicate] = /^(.+?) (is|are) (.+?)\.?$/.exec(title) ?? [];
  if (subject === undefined || predicate === undefined)
    return [shortUntrustedText(incident.title), ', for ', length, '.'];
  return [
    shortUntrustedText(`${subject} ${verb === 'is' ? 'has' : 'have'} been ${predicate}`),
    ' for ',
    length,
    '.',
  ];
}

function more(others: number, context: PageContext): Content {
  if (others <= 0) return null;
  const words = `${counted(others, 'more incident')} ${others === 1 ? 'is' : 'are'} open`;
  return [' ', pageLink(context, { path: '/incidents', query: { state: 'open' } }, null, words), '.'];
}

/** `37 minutes`, `4 hours`, `2 days`. */
function longSpan(ms: number): string {
  if (ms < 90 * minuteMs) return counted(Math.max(1, Math.floor(ms / minuteMs)), 'minute');
  if (ms < 36 * hourMs) return counted(Math.floor(ms / hourMs), 'hour');
  return counted(Math.floor(ms / dayMs), 'day');
}

export function uptimeFacts({ monitors, open }: OverviewMonitoring, context: PageContext): Fact[] {
  const up = monitors.up + monitors.degraded;
  return [
    [
      'Monitors up',
      pageLink(context, '/monitors', null, count(up), html`<span class="dim">/${count(monitors.all)}</span>`),
      monitorStatesText(monitors),
    ],
    [
      'Open incidents',
      pageLink(context, { path: '/incidents', query: { state: 'open' } }, null, count(open.all)),
      incidentCountText(open),
    ],
  ];
}

function monitorStatesText({
  all,
  down,
  degraded,
  maintenance,
  pending,
  paused,
}: OverviewMonitoring['monitors']): Content {
  if (all === 0) return 'no monitors';
  const marks: Content[] = [
    down === 0 ? null : statusMark('down', `${count(down)} down`),
    degraded === 0 ? null : `${count(degraded)} degraded`,
  ].filter((each) => each !== null);
  const notCheckedCount = maintenance + pending + paused;
  if (marks.length > 0) return commaSeparated(marks);
  return notCheckedCount === 0 ? 'all of them' : `${count(notCheckedCount)} paused`;
}

function incidentCountText({ all, investigating, planned }: OverviewMonitoring['open']): string {
  if (investigating > 0) return `${count(investigating)} being investigated`;
  if (all > 0) return 'identified or monitoring';
  return planned === 0 ? 'no maintenance' : `${count(planned)} planned`;
}

export function openIncidentsSection({ incidents }: OverviewMonitoring, context: PageContext): VNode {
  const rows = incidents.map((each) => incident(each, context));
  const content =
    rows.length === 0
      ? html`<p class="calm">No open incidents and no scheduled maintenance.</p>`
      : html`<ol class="log">${rows}</ol>`;
  return overviewList(context, ['incidents', 'Incidents', '/incidents', 'All incidents'], content);
}

function incident(each: OverviewIncident, context: PageContext): VNode {
  const path = `/incidents/${each.incident_id}`;
  return html`<li>
    ${shortTime(each.started_at, context.nowMs)}
    <div>
      <p>
        ${incidentMark(each.state, each.severity)}${' '}
        ${pageLink(context, { path, query: { project: null } }, null, shortUntrustedText(each.title))}
      </p>
      <p class="small dim">${incidentLinks(each, context)}</p>
    </div>
  </li>`;
}

function incidentLinks(each: OverviewIncident, context: PageContext): Content[] {
  const { affects, cause, links, newest_update: newest, planned_end_at: end } = each;
  const linked = links.some(({ linked_by: by }) => by !== null) ? 'Linked to ' : 'Suggested cause: ';
  return [
    end === null
      ? [affects.length === 0 ? null : [shortUntrustedText(affects.join(', ')), '. ']]
      : `${formatTimeOfDay(Date.parse(each.started_at))} to ${formatTimeOfDay(Date.parse(end))} ${currentTimeZone()}. `,
    cause === '' || end !== null ? null : ['Cause: ', shortUntrustedText(cause), '. '],
    links.length === 0 ? null : [linked, ...commaSeparated(links.map((link) => linkTo(context, link))), '. '],
    newest === null
      ? null
      : ['Latest update ', timeAgo(newest.at, context.nowMs), ' by ', shortUntrustedText(newest.author), '.'],
  ];
}

export function uptimeSection({ strips }: OverviewMonitoring, context: PageContext): VNode | null {
  return overviewTable(
    context,
    ['uptime', 'Uptime, 30 days', '/monitors', 'All monitors'],
    'Monitors with their last 30 days, those that need attention first',
    strips.map((each) => strip(each, context)),
  );
}

function strip({ slug, name, state, days, uptime }: OverviewMonitorDays, context: PageContext): VNode {
  const path = `/monitors/${encodeURIComponent(slug)}`;
  return html`<tr>
    ${cell(iconMark(state, monitorStateNames[state].toLowerCase()), 'lv')}
    ${titleCell(context, { path, title: shortUntrustedName(name) })}
    ${cell(smallDayStrip(toStripDays(days, true), stripTextAlternative(name, days, uptime)), 'st')}
    ${cell(formatUptime(uptime), 'r')}
  </tr>`;
}

const expiryTexts: Readonly<Record<OverviewExpiry['what'], string>> = {
  certificate: 'certificate',
  proof: 'domain verification',
  key: 'project key',
};

export function expiringSoonSection({ running_out: ends }: OverviewMonitoring, context: PageContext) {
  const rows = ends.map(
    ({ what: kind, name, path, ends_at: at }) =>
      html`<tr>
        ${titleCell(context, { path, title: shortUntrustedName(name), subtitle: expiryTexts[kind] })}
        ${cell(timeLeft(Date.parse(at) - context.nowMs), 'r')}
      </tr>`,
  );
  const head = ['ends', 'Expiring soon', '/domains', 'All domains'] as const;
  return overviewTable(context, head, 'What expires next', rows);
}

function timeLeft(ms: number): Content {
  if (ms < 0) return statusMark('down', 'ended');
  const words = ms < dayMs ? `${Math.floor(ms / hourMs)} h` : `${Math.floor(ms / dayMs)} d`;
  return ms < endsSoonDays * dayMs ? statusMark('warning', words) : words;
}

type ListHead = readonly [id: string, title: string, path: string, all: string];

export function overviewTable(
  context: PageContext,
  head: ListHead,
  caption: string,
  rows: readonly VNode[],
): VNode | null {
  return rows.length === 0 ? null : overviewList(context, head, rowTable(caption, rows));
}

export function overviewList(context: PageContext, [id, title, path, all]: ListHead, content: VNode): VNode {
  return section({ id, title, aside: pageLink(context, path, { class: 'small' }, all) }, content);
}

export function rowTable(caption: string, rows: readonly VNode[]): VNode {
  return html`<table class="t mini">${hiddenCaption(caption)}<tbody>${rows}</tbody></table>`;
}
