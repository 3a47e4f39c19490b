import type { IncidentView } from '../../core/page-models/monitoring/incident-views.ts';
import type { CheckView, MonitorModel } from '../../core/page-models/monitoring/monitor.ts';
import { formatDurationToMinute } from '../../core/parsing/format/numbers.ts';
import { codeBlock, dash, nameValueList, section } from '../components/elements.ts';
import { statusMark } from '../components/icons.ts';
import { column, dataTable, scrollableTable } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import {
  count,
  counted,
  formatTimeOfDay,
  shortTime,
  span,
  timeElement,
  untrustedText,
} from '../formatters.ts';
import type { PageContext } from '../page-context.ts';
import {
  commaSeparated,
  incidentMark,
  isScheduled,
  linkKindNames,
  linkTo,
  monitorStateNames,
  receivesCheckIns,
  shortUntrustedText,
} from './labels.ts';
import { untilText } from './monitors.ts';

export function checksSection(model: MonitorModel, context: PageContext): VNode {
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
      column('Duration', 'r', 'r nowrap', ({ duration_ms: ms }) => (ms === null ? dash() : span(ms))),
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

export function monitorIncidentsSection({ incidents: all, name }: MonitorModel, context: PageContext): VNode {
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

export function alertChannelsSection(
  { notified: channels, components }: MonitorModel,
  context: PageContext,
): VNode {
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
