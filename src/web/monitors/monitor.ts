import type { IncidentView } from '../../core/page-models/monitoring/incident-views.ts';
import {
  type CheckView,
  type MonitorModel,
  monitorRanges,
} from '../../core/page-models/monitoring/monitor.ts';
import { dayMs } from '../../core/parsing/durations.ts';
import { formatDurationToMinute, formatUptime } from '../../core/parsing/format/numbers.ts';
import { swatch } from '../charts/chart-figure.ts';
import { dayStrip } from '../charts/day-strip.ts';
import { lineChart } from '../charts/line-chart.ts';
import { actionButton, pauseButton } from '../components/controls.ts';
import {
  codeBlock,
  dash,
  type Fact,
  facts,
  nameValueList,
  orDash,
  pageHead,
  section,
} from '../components/elements.ts';
import { capitalize, statusMark } from '../components/icons.ts';
import { column, dataTable, scrollableTable } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import {
  count,
  counted,
  dueIn,
  formatDate,
  formatShortTime,
  formatTimeOfDay,
  shortTime,
  span,
  timeAgo,
  timeElement,
  untrustedText,
} from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import {
  budgetUsedText,
  commaSeparated,
  endsSoonDays,
  incidentMark,
  isScheduled,
  linkKindNames,
  linkTo,
  monitorStateNames,
  receivesCheckIns,
  shortDay,
  shortUntrustedName,
  shortUntrustedText,
  sinceText,
  stripTextAlternative,
  toStripDays,
} from './labels.ts';
import { untilText } from './monitors.ts';

const rangeNames = { '24h': '24 h', '7d': '7 d', '30d': '30 d' } as const;

export function monitorPage(model: MonitorModel, context: PageContext): PageContent {
  return {
    title: shortUntrustedName(model.name),
    breadcrumbs: [{ name: 'Monitors', path: '/monitors' }],
    main: [
      head(model, context),
      note(model, context),
      monitorFacts(model, context),
      response(model, context),
      html`<div class="sec">${ninetyDays(model)}</div>`,
      html`<div class="cols even">
        ${checksSection(model, context)}
        <div>${monitorIncidentsSection(model, context)}${alertChannelsSection(model, context)}</div>
      </div>`,
    ],
  };
}

function head(model: MonitorModel, context: PageContext): VNode {
  const { type, interval, places: locations, target, expects, project, slug, state } = model;
  const path = `/monitors/${encodeURIComponent(slug)}`;
  const from =
    locations.length === 0
      ? null
      : [' from ', ...commaSeparated(locations.map((each) => shortUntrustedText(each)))];
  const actions = [
    receivesCheckIns(model) ? null : actionButton(context, `${path}/check`, 'Check now'),
    pauseButton(context, path, state === 'paused', { resume: 'Resume', forever: 'Until I resume it' }),
    pageLink(context, `${path}/settings`, { class: 'btn' }, 'Edit…'),
    context.currentUser?.canManage === true
      ? pageLink(context, `${path}/delete`, { class: 'btn danger' }, 'Delete…')
      : null,
  ];
  return pageHead({
    above: [type === 'cron' ? type : `${type}, every ${span(interval * 1_000)}`, from],
    title: shortUntrustedText(model.name, 400),
    below: [
      html`<code>${shortUntrustedText(target)}</code>`,
      expects === '' ? null : [' expects ', shortUntrustedText(expects)],
      project === null
        ? null
        : [', for ', linkTo(context, { path: `/projects/${project.project_id}`, name: project.name })],
    ],
    ...(context.currentUser?.canAct === true ? { actions: actions } : {}),
  });
}

function note(model: MonitorModel, context: PageContext): VNode {
  const { state, state_since: since, state_until: until, reason, incidents: all } = model;
  const length = formatDurationToMinute(Math.max(0, context.nowMs - Date.parse(since)));
  const open = all.find((each) => !each.is_over && !isScheduled(each, context.nowMs));
  const link =
    open === undefined
      ? null
      : [
          ' ',
          pageLink(context, `/incidents/${open.incident_id}`, null, shortUntrustedText(open.title)),
          open.state === 'planned' ? ' is in progress.' : ' is open.',
        ];
  const texts: Record<MonitorModel['state'], Content> = {
    up: ` for ${length}.`,
    down: [` for ${length}. `, reasonText(reason, `it does not respond as expected`)],
    degraded: [` for ${length}. `, reasonText(reason, 'it responds slowly')],
    maintenance: `: planned work${untilText(until)}. No notifications are sent, and the time does not count against uptime.`,
    pending:
      reason === ''
        ? `. It has not been ${receivesCheckIns(model) ? 'called' : 'checked'} yet, so it is not in any statistics.`
        : ['. ', reasonText(reason, ''), ' This time does not count.'],
    paused: [
      until === null ? '' : ` until ${formatShortTime(Date.parse(until), context.nowMs)}`,
      `, since ${sinceText(since, context.nowMs)}. ${receivesCheckIns(model) ? 'No calls are expected' : 'No checks run'} meanwhile.`,
    ],
  };
  return html`<p class="note">${statusMark(state, monitorStateNames[state])}${texts[state]}${link}</p>`;
}

function reasonText(reason: string, usual: string): Content {
  return reason === '' ? `The usual reason: ${usual}.` : [shortUntrustedText(capitalize(reason)), '.'];
}

function monitorFacts(model: MonitorModel, context: PageContext): VNode {
  const { last_check: last, next_check_at: next, figures: of, certificate_ends_at: ends, budget } = model;
  const uptime = (label: string, { uptime: share, down_ms: down }: (typeof of)['24h']): Fact => [
    label,
    formatUptime(share),
    share === null ? 'not checked' : down === 0 ? 'never down' : `${formatDurationToMinute(down)} down`,
  ];
  const shown: Fact[] = [
    [
      receivesCheckIns(model) ? 'Last call' : 'Last check',
      last === null ? 'none yet' : timeAgo(last.at, context.nowMs),
      last === null
        ? null
        : [
            shortUntrustedText(last.code || (last.result === 'down' ? 'no response' : 'answered')),
            last.duration_ms === null ? null : `, ${span(last.duration_ms)}`,
          ],
    ],
    nextOf(model, next, context.nowMs),
    uptime('24 h', of['24h']),
    withBudget(uptime('30 d', of['30d']), budget.share),
    uptime('90 d', of['90d']),
  ];
  return facts(ends === null ? shown : [...shown, certificate(ends, context.nowMs)]);
}

function nextOf({ type, state, interval }: MonitorModel, next: string | null, nowMs: number): Fact {
  const words = { heartbeat: 'Next call', cron: 'Next run' } as const;
  const label = type === 'heartbeat' || type === 'cron' ? words[type] : 'Next check';
  if (next === null) {
    const small = state === 'paused' ? 'paused' : 'waiting for the first call';
    return [label, dash(), small];
  }
  return [
    label,
    dueIn(next, nowMs, type === 'heartbeat' ? 'within' : 'in'),
    type === 'cron' ? null : `every ${span(interval * 1_000)}`,
  ];
}

function withBudget(fact: Fact, share: number | null): Fact {
  if (share === null || share === 0) return fact;
  const [label, value] = fact;
  const small = `${budgetUsedText(share)} of the error budget`;
  return [label, share > 1 ? statusMark('down', value as string) : value, small];
}

function certificate(ends: string, nowMs: number): Fact {
  const days = Math.floor((Date.parse(ends) - nowMs) / dayMs);
  const value =
    days < 0
      ? statusMark('down', 'ended')
      : days < endsSoonDays
        ? statusMark('warning', `${days} d left`)
        : `${days} d left`;
  return ['Certificate', value, `expires ${formatDate(Date.parse(ends))}`];
}

function response(model: MonitorModel, context: PageContext): VNode | null {
  const { series: points, range, trouble: downtimes, slug, type } = model;
  const path = `/monitors/${encodeURIComponent(slug)}`;
  const choice = html`<nav class="joined" aria-label="Range">
    ${monitorRanges.map((each) =>
      pageLink(
        context,
        { path, query: { range: each === '24h' ? null : each } },
        { class: 'btn small', 'aria-current': each === range ? 'page' : null },
        rangeNames[each],
      ),
    )}
  </nav>`;
  const isMeasured = points.some(({ median_ms: median }) => median !== null);
  // Push monitors have no response time.
  if (!isMeasured && type === 'heartbeat') return null;
  if (!isMeasured && downtimes.length === 0) {
    const none = html`<p class="ruled soft">No data in ${rangeNames[range]}.</p>`;
    return section({ id: 'm-response', title: 'Response', aside: choice }, none);
  }
  const key = html`<span class="key">
    <span>${swatch('f-ink')}median</span><span>${swatch('area')}to p95</span>
  </span>`;
  const plot = lineChart({
    points: points.map((each) => ({ atMs: Date.parse(each.at), value: each.median_ms, upTo: each.p95_ms })),
    bands: downtimes.map((each) => bandOf(each)),
    lines: ['median'],
    word: (value) => (value >= 10_000 ? span(value) : `${Math.round(value)} ms`),
    finding: [html`<b>Response</b>`, ' ', key],
    aside: choice,
    height: 186,
    name: isMeasured
      ? seriesName(model)
      : `${shortUntrustedName(model.name)}: no data in ${rangeNames[range]}.`,
  });
  return html`<div class="sec">${plot}</div>`;
}

function seriesName(model: MonitorModel): string {
  const medians = model.series.flatMap(({ median_ms: median }) => median ?? []).toSorted((a, b) => a - b);
  const middle = medians[Math.floor(medians.length / 2)] ?? 0;
  const downtimes = model.trouble.map(({ kind, from, to }) => {
    const length = formatDurationToMinute(Date.parse(to) - Date.parse(from));
    return `${kind === 'down' ? 'down' : 'degraded'} for ${length}`;
  });
  const summary = downtimes.length === 0 ? 'no downtime' : downtimes.slice(0, 4).join(', ');
  return `Response of ${shortUntrustedName(model.name)} in ${rangeNames[model.range]}: median ${span(middle)}; ${summary}.`;
}

function bandOf({ from, to, kind, is_open: isOpen }: MonitorModel['trouble'][number]) {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const word = kind === 'down' ? 'down' : 'degraded';
  return { fromMs, toMs, kind, word: isOpen ? word : `${word}, ${formatDurationToMinute(toMs - fromMs)}` };
}

function ninetyDays({ name, days, figures: of }: MonitorModel): VNode {
  const [first, last] = [days.at(0)?.date ?? '', days.at(-1)?.date ?? ''];
  const share = of['90d'].uptime;
  return html`<figure>
    <figcaption>
      <span><b>90 days</b>${share === null ? ', not checked' : `, ${formatUptime(share)} up`}</span>
      <span class="small dim">${shortDay(first)} to ${shortDay(last)}</span>
    </figcaption>
    ${dayStrip(toStripDays(days, false), stripTextAlternative(name, days, share))}
  </figure>`;
}

function checksSection(model: MonitorModel, context: PageContext): VNode {
  const { checks: shown, checks_kept: storedCount, slug } = model;
  const path = `/monitors/${encodeURIComponent(slug)}`;
  const more =
    storedCount > shown.length
      ? pageLink(
          context,
          { path, query: { checks: 'all', range: model.range === '24h' ? null : model.range } },
          { class: 'small' },
          `${count(shown.length)} of the last ${count(storedCount)}`,
        )
      : '';
  const hasMessage = shown.some(({ message, body }) => message !== '' || body !== undefined);
  const table = dataTable<CheckView>(context, {
    caption: 'Last checks, newest first',
    class: 't',
    rows: shown,
    columns: [
      { name: 'Time', cell: ({ at }) => timeElement(at, at.slice(11, 19), false) },
      column(
        'Result',
        null,
        'nowrap',
        ({ code, result }) => outcomeMarks[code] ?? statusMark(result, monitorStateNames[result]),
      ),
      { name: 'Code', class: 'r', cell: ({ code }) => (code === '' ? dash() : shortUntrustedText(code)) },
      column('Duration', 'r', 'r nowrap', ({ duration_ms: ms }) => orDash(ms, span)),
      column('From', null, 'dim nowrap', ({ from }) => shortUntrustedText(from)),
      hasMessage
        ? column(receivesCheckIns(model) ? 'Message' : 'Problem', null, 'soft', ({ message, body }) => [
            shortUntrustedText(message),
            body === undefined ? null : requestBody(body),
          ])
        : null,
    ],
  });
  return section(
    { id: 'm-checks', title: receivesCheckIns(model) ? 'Calls' : 'Checks', aside: more, class: null },
    shown.length === 0
      ? html`<p class="ruled soft">It has not been ${receivesCheckIns(model) ? 'called' : 'checked'} yet.</p>`
      : scrollableTable('Last checks', table),
  );
}

/** Push requests that do not change the state. */
const outcomeMarks: Readonly<Record<string, Content>> = {
  start: statusMark('pending', 'Started'),
  log: statusMark('pending', 'Log'),
};

function requestBody(body: string): VNode {
  const summary = html`<summary>${counted(body.length, 'character')}</summary>`;
  return html`<details>${summary}${codeBlock('Request body', untrustedText(body))}</details>`;
}

function monitorIncidentsSection({ incidents: all, name }: MonitorModel, context: PageContext): VNode {
  const more =
    all.length === 0
      ? ''
      : pageLink(
          context,
          { path: '/incidents', query: { q: name } },
          { class: 'small' },
          `${count(all.length)} in 90 days`,
        );
  return section(
    { id: 'm-incidents', title: 'Incidents', aside: more, class: null },
    all.length === 0
      ? html`<p class="ruled soft">No incidents in 90 days.</p>`
      : html`<ol class="log">${all.slice(0, 6).map((each) => line(each, context))}</ol>`,
  );
}

function line(incident: IncidentView, context: PageContext): VNode {
  const { incident_id: id, title, state, severity, started_at: at, cause, linked } = incident;
  const length = formatDurationToMinute(incident.lasted_ms);
  const links = linked.map((kind) => linkKindNames[kind].toLowerCase());
  const small: Content[] = [
    incident.is_canceled
      ? 'canceled before it began'
      : incident.is_over
        ? length
        : isScheduled(incident, context.nowMs)
          ? `from ${formatTimeOfDay(Date.parse(at))}${untilText(incident.planned_end_at)}`
          : `${length} so far`,
    cause === '' ? null : [', cause: ', shortUntrustedText(cause)],
    links.length === 0
      ? null
      : `. Linked to ${links.length === 1 ? `one ${links[0]}` : counted(links.length, 'thing')}`,
  ];
  return html`<li>
    ${shortTime(at, context.nowMs)}
    <div>
      <p>
        ${incidentMark(state, severity)} ${pageLink(context, `/incidents/${id}`, null, shortUntrustedText(title))}
      </p>
      <p class="small dim">${small}</p>
    </div>
  </li>`;
}

function alertChannelsSection({ notified: channels, components }: MonitorModel, context: PageContext): VNode {
  const rows = channels.map(
    ({ alert_channel_id: id, name, is_paused: isPaused, rules }) =>
      [
        pageLink(context, `/alert-channels/${id}`, null, shortUntrustedText(name)),
        [
          'rule ',
          ...commaSeparated(rules.map((each) => shortUntrustedText(each))),
          isPaused ? ', paused now' : null,
        ],
      ] as const,
  );
  const pages = components.map(
    ({ name, slug, page }) =>
      [
        'Status page',
        [
          shortUntrustedText(name),
          ' on ',
          linkTo(context, { path: `/status/${encodeURIComponent(slug)}`, name: page }),
        ],
      ] as const,
  );
  return section(
    { id: 'm-told', title: 'Notifications' },
    rows.length + pages.length === 0
      ? html`<p class="ruled soft">None: no alert rule matches this monitor, and no status page shows it.</p>`
      : nameValueList([...rows, ...pages]),
  );
}
