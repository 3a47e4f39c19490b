import type { VNode } from 'preact';
import type { IncidentView } from '../../core/workspace/uptime/incident-views.ts';
import type { CheckView, MonitorModel } from '../../core/workspace/uptime/monitor.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { dash, hiddenCaption, pairs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { cell, columnHead, headRow, wide } from '../parts/table.ts';
import { moment, shortTime } from '../parts/time.ts';
import { count, counted } from '../words/numbers.ts';
import { span, timeOfDay } from '../words/times.ts';
import { untilEnd } from './monitors.ts';
import {
  incidentMark,
  isCalled,
  isToCome,
  lengthText,
  linkKinds,
  listed,
  monitorWords,
  told,
  wholly,
} from './words.ts';

export function checks(model: MonitorModel, frame: Frame): VNode {
  const { checks: shown, checks_kept: kept, slug } = model;
  const path = `/monitors/${encodeURIComponent(slug)}`;
  const more =
    kept > shown.length
      ? pageLink(
          frame,
          { path, query: { checks: 'all', range: model.range === '24h' ? null : model.range } },
          { class: 'small' },
          `${count(shown.length)} of the last ${count(kept)}`,
        )
      : null;
  const hasMessage = shown.some(({ message, body }) => message !== '' || body !== undefined);
  const heads = [
    columnHead('Time'),
    columnHead('Result'),
    columnHead('Code', 'r'),
    columnHead('Duration', 'r'),
    columnHead('From'),
    hasMessage ? columnHead(isCalled(model) ? 'Message' : 'Problem') : null,
  ];
  const table = html`<table class="t">
    ${hiddenCaption('Last checks, newest first')}${headRow(...heads)}
    <tbody>${shown.map((each) => checkRow(each, hasMessage))}</tbody>
  </table>`;
  return el(
    'section',
    { 'aria-labelledby': 'm-checks' },
    html`<div class="top"><h2 id="m-checks">${isCalled(model) ? 'Calls' : 'Checks'}</h2>${more}</div>`,
    shown.length === 0
      ? html`<p class="ruled soft">It has not been ${isCalled(model) ? 'called' : 'checked'} yet.</p>`
      : wide('Last checks', table),
  );
}

function checkRow(
  { at, result, code, duration_ms: took, from, message, body }: CheckView,
  hasMessage: boolean,
): VNode {
  return html`<tr>
    ${cell(moment(at, at.slice(11, 19), false))}
    ${cell(callMarks[code] ?? mark(result, monitorWords[result]), 'nowrap')}
    ${cell(code === '' ? dash() : told(code), 'r')}${cell(took === null ? dash() : span(took), 'r nowrap')}
    ${cell(told(from), 'dim nowrap')}
    ${hasMessage ? cell([told(message), body === undefined ? null : brought(body)], 'soft') : null}
  </tr>`;
}

/** Push requests that do not change the state. */
const callMarks: Readonly<Record<string, Content>> = {
  start: mark('pending', 'Started'),
  log: mark('pending', 'Log'),
};

function brought(body: string): VNode {
  const place = { class: 'src', tabindex: 0, role: 'group', 'aria-label': 'Request body' };
  const summary = html`<summary>${counted(body.length, 'character')}</summary>`;
  return html`<details>${summary}<pre ...${place}><code>${wholly(body)}</code></pre></details>`;
}

export function incidents({ incidents: all, name }: MonitorModel, frame: Frame): VNode {
  const more =
    all.length === 0
      ? null
      : pageLink(
          frame,
          { path: '/incidents', query: { q: name } },
          { class: 'small' },
          `${count(all.length)} in 90 days`,
        );
  return el(
    'section',
    { 'aria-labelledby': 'm-incidents' },
    html`<div class="top"><h2 id="m-incidents">Incidents</h2>${more}</div>`,
    all.length === 0
      ? html`<p class="ruled soft">No incidents in 90 days.</p>`
      : html`<ol class="log">${all.slice(0, 6).map((each) => line(each, frame))}</ol>`,
  );
}

function line(incident: IncidentView, frame: Frame): VNode {
  const { incident_id: id, title, state, severity, started_at: at, cause, linked } = incident;
  const length = lengthText(incident.lasted_ms);
  const links = linked.map((kind) => linkKinds[kind].toLowerCase());
  const small: Content[] = [
    incident.is_over
      ? length
      : isToCome(incident, frame.nowMs)
        ? `from ${timeOfDay(Date.parse(at))}${untilEnd(incident.planned_end_at)}`
        : `${length} so far`,
    cause === '' ? null : [', cause: ', told(cause)],
    links.length === 0
      ? null
      : `. Linked to ${links.length === 1 ? `one ${links[0]}` : counted(links.length, 'thing')}`,
  ];
  return html`<li>
    ${shortTime(at, frame.nowMs)}
    <div>
      <p>
        ${incidentMark(state, severity)} ${pageLink(frame, { path: `/incidents/${id}` }, null, told(title))}
      </p>
      <p class="small dim">${small}</p>
    </div>
  </li>`;
}

export function tellings({ told: channels, components }: MonitorModel, frame: Frame): VNode {
  const rows = channels.map(
    ({ channel_id: id, name, is_paused: isPaused, rules }) =>
      [
        pageLink(frame, { path: `/alert-channels/${id}` }, null, told(name)),
        ['rule ', ...listed(rules.map((each) => told(each))), isPaused ? ', paused now' : null],
      ] as const,
  );
  const pages = components.map(
    ({ name, slug, page }) =>
      [
        'Status page',
        [
          told(name),
          ' on ',
          pageLink(
            frame,
            { path: `/status/${encodeURIComponent(slug)}`, query: { project: null } },
            null,
            told(page),
          ),
        ],
      ] as const,
  );
  return el(
    'section',
    { class: 'sec', 'aria-labelledby': 'm-told' },
    html`<h2 id="m-told">Notifications</h2>`,
    rows.length + pages.length === 0
      ? html`<p class="ruled soft">None: no alert rule matches this monitor, and no status page shows it.</p>`
      : pairs([...rows, ...pages]),
  );
}
