import type { VNode } from 'preact';
import type { LiveModel } from '../../core/workspace/live.ts';
import { liveLevels } from '../../core/workspace/tail-filter.ts';
import { type Content, el, html } from '../el.ts';
import { addressOf, type Frame, type PageContent } from '../frame.ts';
import { facts, hiddenCaption, nothingFits, pageHead } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { filterForm } from '../parts/list.ts';
import { capitalized, mark, shapeMark } from '../parts/mark.ts';
import { columnHead, headRow } from '../parts/table.ts';
import { spark } from '../plots/spark.ts';
import { count } from '../words/numbers.ts';
import { fullMoment } from '../words/times.ts';
import { cellsOf, figuresOf, type LiveCells } from './cells.ts';

export function livePage(model: LiveModel, frame: Frame): PageContent {
  return {
    title: 'Live tail',
    main: [
      pageHead({ title: 'Live tail', acts: acts(model, frame) }),
      figures(model, frame),
      filters(model, frame),
      html`<p class="note" data-figure="missed" hidden></p>`,
      tail(model, frame),
      ...liveLevels.map(
        (level) =>
          html`<template data-row=${level}>${row(frame, { ...noCells, level }, 'template')}</template>`,
      ),
      el(
        'p',
        { class: 'pager' },
        el(
          'span',
          { class: 'dim' },
          'At most 200 rows are shown here. Older events are in ',
          pageLink(frame, { path: '/issues' }, null, 'Issues'),
          '.',
        ),
      ),
    ],
  };
}

function acts({ level, q }: LiveModel, frame: Frame): Content[] {
  const state = (when: string, shape: VNode): VNode =>
    html`<span class="js" data-when=${when} hidden>${shape}</span>`;
  return [
    state('open', mark('up', 'Connected')),
    state('lost', mark('pending', 'Connecting')),
    state('paused', mark('paused', 'Paused')),
    ' ',
    html`<button class="btn small js" type="button" id="pause" aria-pressed="false">
      Pause <kbd>space</kbd>
    </button>`,
    ' ',
    pageLink(frame, { path: '/live', query: { level, q } }, { class: 'btn small' }, 'Refresh'),
  ];
}

function figures(
  { this_hour: now, hour_before: before, last_minute: seconds, after }: LiveModel,
  frame: Frame,
): VNode {
  const figure = figuresOf(now);
  const inMinute = seconds.reduce((sum, each) => sum + each, 0);
  const name = `Events a second over a minute: ${count(inMinute)} in all, at most ${count(Math.max(...seconds))} in one`;
  return facts([
    {
      label: 'Stored, this hour',
      figure: html`<span data-figure="kept">${figure.kept}</span>`,
      small: `${count(before.kept)} the hour before`,
    },
    {
      label: 'Discarded, this hour',
      figure: html`<span data-figure="refused">${figure.refused}</span>`,
      small: html`<span data-figure="reasons">${figure.reasons}</span>`,
    },
    {
      label: 'Events a second, the minute before',
      // Start values for live.js: counts per second, the time, and the last counted row.
      figure: html`<span data-minute=${seconds.join(' ')} data-now=${frame.nowMs} data-after=${after}>
        ${spark({ values: seconds, name, stepPx: 6, heightPx: 36 })}
      </span>`,
    },
  ]);
}

function filters({ level, q }: LiveModel, frame: Frame): VNode {
  const choices = liveLevels.map((each) => ({ value: each, name: capitalized(each) }));
  return filterForm(frame, '/live', {
    label: 'Filter events',
    search: { id: 'words', label: 'Title contains', hint: 'Title contains', value: q },
    choices: [{ name: 'level', label: 'Level', any: 'Any level', choices, chosen: level }],
  });
}

function tail(model: LiveModel, frame: Frame): VNode {
  const { level, q, after, events } = model;
  const stream = addressOf(frame, '/live/stream', { level, q, after });
  const rows = events.map((each) =>
    row(
      frame,
      cellsOf(each, (path) => path),
      'shown',
    ),
  );
  const head = headRow(
    columnHead('Time, UTC'),
    html`<td class="lv"></td>`,
    columnHead('Event'),
    columnHead('Project', 'd2'),
    columnHead('ID', 'd1'),
  );
  const caption = hiddenCaption('Events as they arrive, newest first');
  const table = html`<table class="t tail">
    ${caption}${head}
    <tbody data-stream=${stream}>${rows}</tbody>
  </table>`;
  if (events.length > 0) return table;
  const why = 'None of the latest events matches. New events appear here.';
  return html`<div>${table}${nothingFits(frame, 'No events yet', why)}</div>`;
}

/** Placeholder in a template; the link must have a text. */
const noCells: LiveCells = {
  level: '',
  at: '',
  type: '',
  message: '…',
  project: '',
  event: '',
  path: '/live',
};

function row(frame: Frame, cells: LiveCells, kind: 'shown' | 'template'): VNode {
  const field = (name: keyof LiveCells) => (kind === 'template' ? { 'data-field': name } : null);
  const link = kind === 'template' ? { class: 'cell', 'data-href': 'path' } : { class: 'cell' };
  const title = html`<bdi>
    ${el('strong', field('type'), cells.type)} ${el('span', field('message'), cells.message)}
  </bdi>`;
  return html`<tr>
    <td class="mono">${time(cells.at, field('at'))}</td><td class="lv">${shapeMark(levelOfCells(cells))}</td>
    <th scope="row">
      ${pageLink(frame, { path: cells.path }, link, html`<span class="ttl">${title}</span>`)}
      <span class="fold"><span class="f2">${el('bdi', field('project'), cells.project)}</span></span>
    </th>
    <td class="d2 soft">${el('bdi', field('project'), cells.project)}</td>
    <td class="d1 mono dim" ...${field('event')}>${cells.event}</td>
  </tr>`;
}

function levelOfCells({ level }: LiveCells): (typeof liveLevels)[number] {
  return liveLevels.find((each) => each === level) ?? 'error';
}

function time(at: string, field: { 'data-field': string } | null): VNode {
  if (field !== null) return html`<time datetime="1970-01-01T00:00:00Z" ...${field}></time>`;
  return html`<time datetime=${at} title=${fullMoment(Date.parse(at))}>${at.slice(11, 19)}</time>`;
}
