// A page with a tail as live.js knows it: a row as a template, a figure, a pause. Only what the script needs.
import { h, type VNode } from 'preact';
import { hiddenCaption, visuallyHidden } from '../../../src/web/components/elements.ts';
import { el } from '../../../src/web/el.ts';
import type { PageContent } from '../../../src/web/page-context.ts';

export function livePage(): PageContent {
  const pause = el(
    'button',
    { class: 'btn js', type: 'button', id: 'pause', 'aria-pressed': 'false' },
    'Pause',
  );
  return {
    title: 'Live',
    main: [
      el('h1', null, 'Live'),
      el(
        'p',
        null,
        el('span', { 'data-when': 'open' }, 'Connected'),
        el('span', { 'data-when': 'paused' }, 'Paused'),
      ),
      el('p', null, 'Refused: ', el('b', { 'data-figure': 'refused' }, '0'), ' ', pause),
      el(
        'table',
        { class: 't tail' },
        hiddenCaption('Events as they arrive'),
        el(
          'thead',
          null,
          el('tr', null, el('th', { scope: 'col' }, 'Time'), el('th', { scope: 'col' }, 'Event')),
        ),
        el('tbody', { 'data-stream': '/stream' }),
      ),
      template('error', 'an error'),
      template('fatal', 'fatal'),
    ],
  };
}

function template(level: string, word: string): VNode {
  const link = h('a', { class: 'cell', 'data-href': 'path' }, el('bdi', { 'data-field': 'title' }));
  return el(
    'template',
    { 'data-row': level },
    el(
      'tr',
      null,
      el('td', null, el('time', { 'data-field': 'at' })),
      el('th', { scope: 'row' }, link, visuallyHidden(word)),
    ),
  );
}
