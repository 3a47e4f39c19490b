import type { VNode } from 'preact';
import type {
  OverviewExpiry,
  OverviewIncident,
  OverviewMonitorDays,
  OverviewMonitoring,
} from '../../core/page-models/overview/monitoring.ts';
import { dayMs, hourMs, minuteMs } from '../../core/parsing/durations.ts';
import { smallDayStrip } from '../charts/day-strip.ts';
import { bidiIsolated, type Fact, hiddenCaption, section } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { statusMark } from '../components/mark.ts';
import { cell } from '../components/table.ts';
import { shortTime, timeAgo } from '../components/time.ts';
import { type Content, el, html } from '../el.ts';
import { count, counted } from '../formatters/numbers.ts';
import { currentTimeZone, formatTimeOfDay } from '../formatters/times.ts';
import type { PageContext } from '../page-context.ts';
import {
  commaSeparated,
  endsSoonDays,
  iconOnly,
  incidentMark,
  linkTo,
  monitorStateNames,
  shortUntrustedName,
  shortUntrustedText,
  stripTextAlternative,
  toStripDays,
  uptimeText,
} from '../uptime/labels.ts';

/** Expiring keys alone do not show these parts. */
export function hasUptime(watched: OverviewMonitoring | undefined): watched is OverviewMonitoring {
  return watched !== undefined && (watched.monitors.all > 0 || watched.incidents.length > 0);
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
  return [
    shortUntrustedText(first.name),
    ' has been down for ',
    pageLink(context, { path }, null, length),
    '.',
  ];
}

/** A title such as `Card payments are failing` is completed with the duration. */
function incidentSentence(incident: OverviewIncident, frame: PageContext): Content {
  const path = `/incidents/${incident.incident_id}`;
  const length = pageLink(frame, { path, query: { project: null } }, null, longSpan(incident.lasted_ms));
  const title = shortUntrustedName(incident.title);
  const [, what, verb, how] = /^(.+?) (is|are) (.+?)\.?$/.exec(title) ?? [];
  if (what === undefined || how === undefined)
    return [shortUntrustedText(incident.title), ', for ', length, '.'];
  return [shortUntrustedText(`${what} ${verb === 'is' ? 'has' : 'have'} been ${how}`), ' for ', length, '.'];
}

function more(others: number, frame: PageContext): Content {
  if (others <= 0) return null;
  const words = `${counted(others, 'more incident')} ${others === 1 ? 'is' : 'are'} open`;
  return [' ', pageLink(frame, { path: '/incidents', query: { state: 'open' } }, null, words), '.'];
}

/** `37 minutes`, `4 hours`, `2 days`. */
function longSpan(ms: number): string {
  if (ms < 90 * minuteMs) return counted(Math.max(1, Math.floor(ms / minuteMs)), 'minute');
  if (ms < 36 * hourMs) return counted(Math.floor(ms / hourMs), 'hour');
  return counted(Math.floor(ms / dayMs), 'day');
}

export function uptimeFacts({ monitors, open }: OverviewMonitoring, frame: PageContext): Fact[] {
  const up = monitors.up + monitors.degraded;
  return [
    {
      label: 'Monitors up',
      figure: pageLink(
        frame,
        { path: '/monitors' },
        null,
        count(up),
        html`<span class="dim">/${count(monitors.all)}</span>`,
      ),
      small: trouble(monitors),
    },
    {
      label: 'Open incidents',
      figure: pageLink(frame, { path: '/incidents', query: { state: 'open' } }, null, count(open.all)),
      small: incidentWords(open),
    },
  ];
}

function trouble({
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
  const apart = maintenance + pending + paused;
  if (marks.length > 0) return commaSeparated(marks);
  return apart === 0 ? 'all of them' : `${count(apart)} paused`;
}

function incidentWords({ all, investigating, planned }: OverviewMonitoring['open']): string {
  if (investigating > 0) return `${count(investigating)} being investigated`;
  if (all > 0) return 'identified or monitoring';
  return planned === 0 ? 'no maintenance' : `${count(planned)} planned`;
}

export function openIncidentsSection({ incidents }: OverviewMonitoring, frame: PageContext): VNode {
  const rows = incidents.map((each) => incident(each, frame));
  const content =
    rows.length === 0
      ? html`<p class="calm">No open incidents and no scheduled maintenance.</p>`
      : html`<ol class="log">${rows}</ol>`;
  return overviewList(frame, ['incidents', 'Incidents', '/incidents', 'All incidents'], content);
}

function incident(each: OverviewIncident, frame: PageContext): VNode {
  const path = `/incidents/${each.incident_id}`;
  return el(
    'li',
    null,
    shortTime(each.started_at, frame.nowMs),
    el(
      'div',
      null,
      el(
        'p',
        null,
        incidentMark(each.state, each.severity),
        ' ',
        pageLink(frame, { path, query: { project: null } }, null, shortUntrustedText(each.title)),
      ),
      html`<p class="small dim">${aboutIncident(each, frame)}</p>`,
    ),
  );
}

function aboutIncident(each: OverviewIncident, frame: PageContext): Content[] {
  const { affects, cause, links, newest_update: newest, planned_end_at: end } = each;
  const linked = links.some(({ linked_by: by }) => by !== null) ? 'Linked to ' : 'Suggested cause: ';
  return [
    end === null
      ? [affects.length === 0 ? null : [shortUntrustedText(affects.join(', ')), '. ']]
      : `${formatTimeOfDay(Date.parse(each.started_at))} to ${formatTimeOfDay(Date.parse(end))} ${currentTimeZone()}. `,
    cause === '' || end !== null ? null : ['Cause: ', shortUntrustedText(cause), '. '],
    links.length === 0 ? null : [linked, ...commaSeparated(links.map((link) => linkTo(frame, link))), '. '],
    newest === null
      ? null
      : ['Latest update ', timeAgo(newest.at, frame.nowMs), ' by ', shortUntrustedText(newest.author), '.'],
  ];
}

export function uptimeSection({ strips }: OverviewMonitoring, frame: PageContext): VNode | null {
  if (strips.length === 0) return null;
  const rows = strips.map((each) => strip(each, frame));
  const all = rowTable('Monitors with their last 30 days, those that need attention first', rows);
  return overviewList(frame, ['uptime', 'Uptime, 30 days', '/monitors', 'All monitors'], all);
}

function strip({ slug, name, state, days, uptime }: OverviewMonitorDays, frame: PageContext): VNode {
  const path = `/monitors/${encodeURIComponent(slug)}`;
  return html`<tr>
    ${cell(iconOnly(state, monitorStateNames[state].toLowerCase()), 'lv')}
    ${titleHeader(frame, path, shortUntrustedName(name), null)}
    ${cell(smallDayStrip(toStripDays(days, true), stripTextAlternative(name, days, uptime)), 'st')}
    ${cell(uptimeText(uptime), 'r')}
  </tr>`;
}

const endWords: Readonly<Record<OverviewExpiry['what'], string>> = {
  certificate: 'certificate',
  proof: 'domain verification',
  key: 'project key',
};

export function expiringSoonSection(
  { running_out: ends }: OverviewMonitoring,
  frame: PageContext,
): VNode | null {
  if (ends.length === 0) return null;
  const rows = ends.map(
    ({ what, name, path, ends_at: at }) =>
      html`<tr>
        ${titleHeader(frame, path, shortUntrustedName(name), endWords[what])}
        ${cell(timeLeft(Date.parse(at) - frame.nowMs), 'r')}
      </tr>`,
  );
  return overviewList(
    frame,
    ['ends', 'Expiring soon', '/domains', 'All domains'],
    rowTable('What expires next', rows),
  );
}

function timeLeft(ms: number): Content {
  if (ms < 0) return statusMark('down', 'ended');
  const words = ms < dayMs ? `${Math.floor(ms / hourMs)} h` : `${Math.floor(ms / dayMs)} d`;
  return ms < endsSoonDays * dayMs ? statusMark('warning', words) : words;
}

export function overviewList(
  context: PageContext,
  [id, title, path, all]: readonly [id: string, title: string, path: string, all: string],
  content: VNode,
): VNode {
  return section({ id, title, beside: pageLink(context, { path }, { class: 'small' }, all) }, content);
}

export function rowTable(caption: string, rows: readonly VNode[]): VNode {
  return html`<table class="t mini">${hiddenCaption(caption)}<tbody>${rows}</tbody></table>`;
}

export function titleHeader(frame: PageContext, path: string, title: string, below: Content): VNode {
  return html`<th scope="row">
    ${pageLink(frame, { path }, { class: 'cell' }, html`<span class="ttl">${bidiIsolated(title)}</span>`)}
    ${below === null ? null : html`<span class="cul">${below}</span>`}
  </th>`;
}
