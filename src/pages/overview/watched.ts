import type { VNode } from 'preact';
import { dayMs, hourMs, minuteMs } from '../../core/reading/spans.ts';
import type {
  OverviewEnd,
  OverviewIncident,
  OverviewStrip,
  OverviewWatched,
} from '../../core/workspace/overview/watched.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import type { Fact } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { cell } from '../parts/table.ts';
import { ago, shortTime } from '../parts/time.ts';
import { smallStrip } from '../plots/strip.ts';
import {
  daysOfStrip,
  incidentMark,
  linkTo,
  listed,
  monitorWords,
  nameOf,
  shapeOnly,
  stripName,
  told,
  uptimeText,
} from '../uptime/words.ts';
import { count, counted } from '../words/numbers.ts';
import { timeOfDay } from '../words/times.ts';
import { named, part, table } from './parts.ts';

/** Days before expiry from which a warning is shown. */
const endsSoonDays = 14;

/** Expiring keys alone do not show these parts. */
export function watches(watched: OverviewWatched | undefined): watched is OverviewWatched {
  return watched !== undefined && (watched.monitors.all > 0 || watched.incidents.length > 0);
}

/** The worst incident, else monitors that are down without an incident; null if there are none. */
export function brokenNow({ incidents, open, strips, monitors }: OverviewWatched, frame: Frame): Content {
  const worst = incidents.find(({ state }) => state !== 'planned' && state !== 'monitoring');
  if (worst !== undefined) return [incidentSentence(worst, frame), more(open.broken - 1, frame)];
  if (monitors.down === 0) return null;
  const [first] = strips;
  if (monitors.down > 1 || first === undefined) {
    return [
      pageLink(
        frame,
        { path: '/monitors', query: { state: 'down' } },
        null,
        `${counted(monitors.down, 'monitor')} are down`,
      ),
      '.',
    ];
  }
  const length = longSpan(frame.nowMs - Date.parse(first.state_since));
  const path = `/monitors/${encodeURIComponent(first.slug)}`;
  return [told(first.name), ' has been down for ', pageLink(frame, { path }, null, length), '.'];
}

/** A title such as `Card payments are failing` is completed with the duration. */
function incidentSentence(incident: OverviewIncident, frame: Frame): Content {
  const path = `/incidents/${incident.incident_id}`;
  const length = pageLink(frame, { path, query: { project: null } }, null, longSpan(incident.lasted_ms));
  const title = nameOf(incident.title);
  const [, what, verb, how] = /^(.+?) (is|are) (.+?)\.?$/.exec(title) ?? [];
  if (what === undefined || how === undefined) return [told(incident.title), ', for ', length, '.'];
  return [told(`${what} ${verb === 'is' ? 'has' : 'have'} been ${how}`), ' for ', length, '.'];
}

function more(others: number, frame: Frame): Content {
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

export function watchedFacts({ monitors, open }: OverviewWatched, frame: Frame): Fact[] {
  // Degraded monitors count as up.
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
}: OverviewWatched['monitors']): Content {
  if (all === 0) return 'no monitors';
  const said: Content[] = [
    down === 0 ? null : mark('down', `${count(down)} down`),
    degraded === 0 ? null : `${count(degraded)} slow`,
  ].filter((each) => each !== null);
  const apart = maintenance + pending + paused;
  if (said.length > 0) return listed(said);
  return apart === 0 ? 'all of them' : `${count(apart)} paused`;
}

function incidentWords({ all, investigating, planned }: OverviewWatched['open']): string {
  if (investigating > 0) return `${count(investigating)} being investigated`;
  if (all > 0) return 'identified or monitoring';
  return planned === 0 ? 'no maintenance' : `${count(planned)} planned`;
}

export function incidentsPart({ incidents }: OverviewWatched, frame: Frame): VNode {
  const rows = incidents.map((each) => incident(each, frame));
  const content =
    rows.length === 0
      ? html`<p class="calm">No open incidents and no scheduled maintenance.</p>`
      : html`<ol class="log">${rows}</ol>`;
  return part(frame, ['incidents', 'Incidents', '/incidents', 'All incidents'], content);
}

function incident(each: OverviewIncident, frame: Frame): VNode {
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
        pageLink(frame, { path, query: { project: null } }, null, told(each.title)),
      ),
      html`<p class="small dim">${aboutIncident(each, frame)}</p>`,
    ),
  );
}

function aboutIncident(each: OverviewIncident, frame: Frame): Content[] {
  const { affects, cause, links, newest_update: newest, planned_end_at: end } = each;
  const linked = links.some(({ linked_by: by }) => by !== null) ? 'Linked to ' : 'Suggested cause: ';
  return [
    end === null
      ? [affects.length === 0 ? null : [told(affects.join(', ')), '. ']]
      : `${timeOfDay(Date.parse(each.started_at))} to ${timeOfDay(Date.parse(end))} UTC. `,
    cause === '' || end !== null ? null : ['Cause: ', told(cause), '. '],
    links.length === 0 ? null : [linked, ...listed(links.map((link) => linkTo(frame, link))), '. '],
    newest === null
      ? null
      : ['Latest update ', ago(newest.at, frame.nowMs), ' by ', told(newest.author), '.'],
  ];
}

export function uptimePart({ strips }: OverviewWatched, frame: Frame): VNode | null {
  if (strips.length === 0) return null;
  const rows = strips.map((each) => strip(each, frame));
  const all = table('Monitors with their last 30 days, those that need attention first', rows);
  return part(frame, ['uptime', 'Uptime, 30 days', '/monitors', 'All monitors'], all);
}

function strip({ slug, name, state, days, uptime }: OverviewStrip, frame: Frame): VNode {
  const path = `/monitors/${encodeURIComponent(slug)}`;
  return html`<tr>
    ${cell(shapeOnly(state, monitorWords[state].toLowerCase()), 'lv')}
    ${named(frame, path, nameOf(name), null)}
    ${cell(smallStrip(daysOfStrip(days, true), stripName(name, days, uptime)), 'st')}
    ${cell(uptimeText(uptime), 'r')}
  </tr>`;
}

const endWords: Readonly<Record<OverviewEnd['what'], string>> = {
  certificate: 'certificate',
  proof: 'domain verification',
  key: 'project key',
};

export function runningOutPart({ running_out: ends }: OverviewWatched, frame: Frame): VNode | null {
  if (ends.length === 0) return null;
  const rows = ends.map(
    ({ what, name, path, ends_at: at }) =>
      html`<tr>
        ${named(frame, path, nameOf(name), endWords[what])}
        ${cell(timeLeft(Date.parse(at) - frame.nowMs), 'r')}
      </tr>`,
  );
  return part(frame, ['ends', 'Expiring soon', '/domains', 'All domains'], table('What expires next', rows));
}

function timeLeft(ms: number): Content {
  if (ms < 0) return mark('down', 'ended');
  const words = ms < dayMs ? `${Math.floor(ms / hourMs)} h` : `${Math.floor(ms / dayMs)} d`;
  return ms < endsSoonDays * dayMs ? mark('warning', words) : words;
}
