import type { LiveModel } from '../../core/page-models/live.ts';
import { liveLevels } from '../../core/page-models/live-tail-reader.ts';
import { sparkline } from '../charts/sparkline.ts';
import { facts, hiddenCaption, noResults, pageHead } from '../components/elements.ts';
import { capitalize, iconMark, statusMark } from '../components/icons.ts';
import { filterForm } from '../components/list.ts';
import { columnHeader, headerRow } from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { count, formatDateTime } from '../formatters.ts';
import { type PageContent, type PageContext, pageUrl } from '../page-context.ts';
import { hourFigures, type LiveCells, toLiveCells } from './cells.ts';

export function livePage(model: LiveModel, context: PageContext): PageContent {
  return {
    title: 'Live tail',
    main: [
      pageHead({ title: 'Live tail', actions: headActions(model, context) }),
      liveFacts(model, context),
      filters(model, context),
      html`<p class="note" data-figure="missed" hidden></p>`,
      tail(model, context),
      ...liveLevels.map(
        (level) =>
          html`<template data-row=${level}>${row(context, { ...noCells, level }, 'template')}</template>`,
      ),
      html`<p class="pager">
        <span class="dim">
          At most 200 rows are shown here. Older events are in${' '}
          ${pageLink(context, '/issues', null, 'Issues')}.
        </span>
      </p>`,
    ],
  };
}

function headActions({ level, q }: LiveModel, context: PageContext): Content[] {
  const state = (when: string, shape: VNode): VNode =>
    html`<span class="js" data-when=${when} hidden>${shape}</span>`;
  return [
    state('open', statusMark('up', 'Connected')),
    state('lost', statusMark('pending', 'Connecting')),
    state('paused', statusMark('paused', 'Paused')),
    ' ',
    html`<button class="btn small js" type="button" id="pause" aria-pressed="false">
      Pause <kbd>space</kbd>
    </button>`,
    ' ',
    pageLink(context, { path: '/live', query: { level, q } }, { class: 'btn small' }, 'Refresh'),
  ];
}

function liveFacts(
  { this_hour: now, hour_before: before, last_minute: seconds, after }: LiveModel,
  context: PageContext,
): VNode {
  const hour = hourFigures(now);
  const inMinute = seconds.reduce((sum, each) => sum + each, 0);
  const name = `Events a second over a minute: ${count(inMinute)} in all, at most ${count(Math.max(...seconds))} in one`;
  return facts([
    [
      'Stored, this hour',
      html`<span data-figure="accepted">${hour.accepted}</span>`,
      `${count(before.accepted)} the hour before`,
    ],
    [
      'Discarded, this hour',
      html`<span data-figure="refused">${hour.refused}</span>`,
      html`<span data-figure="reasons">${hour.reasons}</span>`,
    ],
    [
      'Events a second, the minute before',
      html`<span data-minute=${seconds.join(' ')} data-now=${context.nowMs} data-after=${after}>
        ${sparkline({ values: seconds, name, stepPx: 6, heightPx: 36 })}
      </span>`,
    ],
  ]);
}

function filters({ level, q }: LiveModel, context: PageContext): VNode {
  const choices = liveLevels.map((each) => ({ value: each, name: capitalize(each) }));
  return filterForm(context, '/live', {
    label: 'Filter events',
    search: { id: 'words', label: 'Title contains', hint: 'Title contains', value: q },
    choices: [{ name: 'level', label: 'Level', any: 'Any level', choices, chosen: level }],
  });
}

function tail(model: LiveModel, context: PageContext): VNode {
  const { level, q, after, events } = model;
  const stream = pageUrl(context, '/live/stream', { level, q, after });
  const rows = events.map((each) => row(context, toLiveCells(each), 'shown'));
  const head = headerRow(
    columnHeader('Time, UTC'),
    html`<td class="lv"></td>`,
    columnHeader('Event'),
    columnHeader('Project', 'd2'),
    columnHeader('ID', 'd1'),
  );
  const caption = hiddenCaption('Events as they arrive, newest first');
  const table = html`<table class="t tail">
    ${caption}${head}
    <tbody data-stream=${stream}>${rows}</tbody>
  </table>`;
  if (events.length > 0) return table;
  const description = 'None of the latest events matches. New events appear here.';
  return html`<div>${table}${noResults(context, 'No events yet', description)}</div>`;
}

/** Placeholder in a template; the link must have a text. */
const noCells = {
  at: '',
  type: '',
  message: '…',
  project: '',
  event: '',
  path: '/live',
};

function row(context: PageContext, cells: LiveCells, kind: 'shown' | 'template'): VNode {
  const field = (name: keyof LiveCells) => (kind === 'template' ? { 'data-field': name } : null);
  const link = kind === 'template' ? { class: 'cell', 'data-href': 'path' } : { class: 'cell' };
  const title = html`<bdi>
    ${el('strong', field('type'), cells.type)} ${el('span', field('message'), cells.message)}
  </bdi>`;
  return html`<tr>
    <td class="mono">${time(cells.at, field('at'))}</td><td class="lv">${iconMark(cells.level)}</td>
    <th scope="row">
      ${pageLink(context, cells.path, link, html`<span class="ttl">${title}</span>`)}
      <span class="fold"><span class="f2">${el('bdi', field('project'), cells.project)}</span></span>
    </th>
    <td class="d2 soft">${el('bdi', field('project'), cells.project)}</td>
    <td class="d1 mono dim" ...${field('event')}>${cells.event}</td>
  </tr>`;
}

function time(at: string, field: { 'data-field': string } | null): VNode {
  if (field !== null) return html`<time datetime="1970-01-01T00:00:00Z" ...${field}></time>`;
  return html`<time datetime=${at} title=${formatDateTime(Date.parse(at))}>${at.slice(11, 19)}</time>`;
}
