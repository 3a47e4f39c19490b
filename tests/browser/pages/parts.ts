// A page of all parts and plots with the hardest data they may meet: the first that the checks look at, and
// where the style sheet is seen whole. No route leads here.
import { type Content, el } from '../../../src/pages/el.ts';
import type { Frame, PageContent } from '../../../src/pages/frame.ts';
import { type Asking, askingDialog, opener } from '../../../src/pages/parts/asking.ts';
import {
  actForm,
  askForm,
  copyButton,
  field,
  menu,
  searchField,
  select,
  submit,
} from '../../../src/pages/parts/controls.ts';
import type { Shape } from '../../../src/pages/parts/icons.ts';
import {
  empty,
  facts,
  hiddenCaption,
  outside,
  pageHead,
  pager,
  pairs,
  section,
  tabs,
} from '../../../src/pages/parts/layout.ts';
import { pageLink } from '../../../src/pages/parts/link.ts';
import { changeOfState, mark, shapeMark } from '../../../src/pages/parts/mark.ts';
import { cell, tableOf, titleCell } from '../../../src/pages/parts/table.ts';
import { ago, shortTime } from '../../../src/pages/parts/time.ts';
import { spark } from '../../../src/pages/plots/spark.ts';
import { frames, runs, source } from './parts-code.ts';
import { plots } from './parts-plots.ts';

/** The moment of the page. */
export const partsNowMs = Date.UTC(2026, 10, 21, 14, 35);

const messages = [
  ['fatal', 'PaymentCaptureError', 'gateway answered 502 after 3 attempts', 'regressed'],
  ['error', 'TypeError', '<img src=x onerror=alert(document.domain)> is not a function', 'new'],
  ['warning', 'Error', 'تعذر تحميل سلة التسوق: انتهت المهلة', 'ongoing'],
  ['info', 'QuotaExceededError', `${'unbroken'.repeat(60)}`, 'ignored'],
  ['debug', 'Error', '‮ detrevni si txet', 'resolved'],
] as const;

/** The whole page. */
export function partsPage(frame: Frame): PageContent {
  return {
    title: 'Parts',
    crumbs: [
      { name: 'Issues', path: '/issues' },
      { name: 'shop-web', path: '/projects/1' },
      { name: '#1043', path: null },
    ],
    main: [
      head(frame),
      el(
        'p',
        { class: 'note' },
        mark('regressed'),
        ' 2 h ago by ',
        el('bdi', null, '4.18.0'),
        '. Ines had resolved it.',
      ),
      bulletinAndFacts(),
      ...plots(frame, partsNowMs),
      tabs(frame, 'State', [
        { name: 'Open', path: '/issues', count: '36', isCurrent: true },
        { name: 'Regressed', path: '/issues', query: { state: 'regressed' }, count: '5', isCurrent: false },
        { name: 'Resolved', path: '/issues', query: { state: 'resolved' }, count: '1,118', isCurrent: false },
      ]),
      filters(frame),
      list(frame),
      marks(),
      el('div', { class: 'cols even' }, el('div', null, forms(frame)), el('div', null, once())),
      event(),
      empties(frame),
    ],
  };
}

const merging: Asking = {
  id: 'd-merge',
  path: '/issues/1/merge',
  title: 'Merge into #1043',
  why: 'Its events count there from now on. It can be undone.',
  act: '/issues/1/merge',
  fields: [field({ id: 'into', label: 'Number of the issue' }, { name: 'into', inputmode: 'numeric' })],
  verb: 'Merge',
};

const ignoring: Asking = {
  id: 'd-ignore',
  path: '/issues/1/ignore',
  title: 'Ignore #1043 until',
  act: '/issues/1/ignore',
  fields: [field({ id: 'events', label: 'Events' }, { name: 'count', inputmode: 'numeric' })],
  verb: 'Ignore',
};

function head(frame: Frame): Content {
  const resolve = actForm(
    frame,
    '/issues/1/resolve',
    { class: 'joined' },
    submit('Resolve', { class: 'btn primary' }),
  );
  return [
    pageHead({
      above: [mark('error', 'Error'), ' in shop-web, production'],
      title: [
        'TypeError ',
        el('bdi', { class: 'msg' }, 'Cannot read properties of undefined (reading ‘total’)'),
      ],
      below: [el('code', null, 'renderTotals'), ' in ', el('code', null, 'src/cart/summary.ts')],
      acts: [
        resolve,
        ...menu(
          { id: 'm-ignore', word: 'Ignore' },
          actForm(
            frame,
            '/issues/1/ignore',
            null,
            el('button', { type: 'submit' }, 'For ever'),
            el(
              'button',
              { type: 'submit' },
              'For 24 hours',
              el('span', { class: 'dim' }, 'until 22 Nov, 14:35'),
            ),
            ...opener(frame, ignoring, { word: 'Until…' }),
          ),
        ),
        opener(frame, merging, { word: 'Merge…', class: 'btn' }),
        askingDialog(frame, merging),
        askingDialog(frame, ignoring),
      ],
    }),
  ];
}

function bulletinAndFacts(): Content {
  return [
    el(
      'p',
      { class: 'bulletin' },
      'One issue is back since 4.18.0, and nine are new. Everything else is calm.',
    ),
    facts([
      { label: 'Events', figure: '18,402', small: '540 stored' },
      { label: 'Users', figure: '3,911', small: '9% of the last 7 days' },
      { label: 'Last seen', figure: ago('2026-11-21T14:34:48Z', partsNowMs), small: 'in 4.18.0' },
      {
        label: 'First seen',
        figure: shortTime('2026-10-11T09:12:00Z', partsNowMs),
        small: 'in 4.9.1, 41 d old',
      },
    ]),
  ];
}

function filters(frame: Frame): Content {
  return [
    askForm(
      frame,
      { path: '/issues', label: 'Filter issues' },
      searchField('q', 'Search issues', 'Title, file or function', null),
      ...select({ id: 'level', name: 'level', label: 'Level' }, [{ value: '', name: 'Any level' }], null),
      ...select(
        { id: 'env', name: 'env', label: 'Environment' },
        [{ value: '', name: 'Any environment' }],
        null,
      ),
      submit('Apply'),
    ),
    el(
      'p',
      { class: 'chips' },
      pageLink(frame, { path: '/issues' }, null, 'level: error ', el('span', { 'aria-hidden': 'true' }, '×')),
      pageLink(frame, { path: '/issues' }, null, 'Clear all'),
    ),
  ];
}

function list(frame: Frame): Content {
  const sort = { path: '/issues', query: { sort: 'last_seen' }, isCurrent: true };
  type Row = (typeof messages)[number];
  const table = tableOf<Row>(frame, {
    caption: 'Issues, last seen first',
    columns: [
      {
        class: 'pickcol',
        cell: (row) => {
          const index = messages.indexOf(row);
          const named = { name: 'ids', value: index, 'aria-label': `Select issue ${index}` };
          return el('input', { type: 'checkbox', ...named });
        },
      },
      { class: 'lv', cell: ([level]) => shapeMark(level) },
      {
        name: 'Issue',
        row: (row) => {
          const [, type, message, state] = row;
          const index = messages.indexOf(row);
          const code = (text: string) => el('code', null, text);
          return titleCell(frame, {
            path: `/issues/${index}`,
            title: [el('strong', null, type), ` ${message}`],
            place: ['shop-web ', code('renderTotals'), ' in ', code('src/cart/summary.ts')],
            folded: [
              ['f1', mark(state)],
              ['f5', `${index} events`],
            ],
          });
        },
      },
      {
        name: '24 h',
        class: 'd3',
        cell: (row) =>
          spark({ values: [0, 1, 3, messages.indexOf(row), 2, 8], name: `Six hours: most, ${8}, now` }),
      },
      { name: 'Events', class: 'r d5', cell: () => '18,402' },
      { name: 'Users', class: 'r d2', cell: () => '3,911' },
      {
        name: 'Seen',
        class: 'seen d5',
        sort,
        cell: () => [ago('2026-11-21T14:34:48Z', partsNowMs), el('small', null, '41 d old')],
      },
      {
        name: 'State',
        class: 'd1',
        cell: ([, , , state]) => [mark(state), el('small', null, 'since 4.18.0')],
      },
    ],
    rows: messages,
  });
  const bulk = el(
    'div',
    { class: 'bulk' },
    el('span', { class: 'soft' }, 'Selected issues'),
    submit('Resolve'),
  );
  return [
    actForm(frame, '/issues/bulk', { class: 'sec picks' }, table, bulk),
    pager(frame, { path: '/issues', said: '5 of 36 open issues', newer: null, older: { after: 'x' } }),
  ];
}

const all: ReadonlyArray<readonly [string, readonly Shape[]]> = [
  ['Level', ['fatal', 'error', 'warning', 'info', 'debug']],
  ['Issue', ['new', 'regressed', 'ongoing', 'ignored', 'resolved']],
  ['Test', ['passed', 'flaky', 'failed', 'skipped', 'pending']],
  ['Other', ['paused', 'back', 'out', 'team']],
];

function marks(): Content {
  const rows = all.map(([name, shapes]) =>
    el(
      'tr',
      { 'data-marks': '' },
      el('th', { scope: 'row', class: 'dim' }, name),
      cell(el('span', { class: 'acts wide-gap' }, ...shapes.map((shape) => mark(shape)))),
    ),
  );
  return section(
    { id: 'p-marks', title: 'Marks', beside: el('span', { class: 'small dim' }, 'A shape and a word') },
    el('table', { class: 't' }, hiddenCaption('Marks by meaning'), el('tbody', null, ...rows)),
    el('p', { class: 'note plain' }, changeOfState('Resolved', 'regressed')),
  );
}

function forms(frame: Frame): Content {
  const wrong = 'A host has no https:// in front. Try shop.harbourpine.example.';
  const radio = (value: string, word: string, what: string): Content =>
    el(
      'label',
      null,
      el('input', { type: 'radio', name: 'role', value, checked: value === 'member' }),
      el('span', null, word, ' ', el('small', { class: 'soft' }, what)),
    );
  return section(
    { id: 'p-form', title: 'A form' },
    actForm(
      frame,
      '/projects/1',
      { class: 'stack' },
      field({ id: 'f-name', label: 'Name', hint: 'Lower case.' }, { name: 'name', value: 'shop-web' }),
      field({ id: 'f-host', label: 'Host', wrong }, { name: 'host', value: 'https://shop' }),
      el(
        'fieldset',
        { class: 'choose' },
        el('legend', null, 'Role'),
        radio('member', 'Member', 'works with issues'),
        radio('admin', 'Admin', 'also keys, members, deleting'),
      ),
      el(
        'label',
        { class: 'check' },
        el('input', { type: 'checkbox', name: 'tell', checked: true }),
        ' Tell me of new issues',
      ),
      el(
        'p',
        { class: 'acts' },
        submit('Save', { class: 'btn primary' }),
        submit('Delete…', { class: 'btn danger' }),
      ),
    ),
  );
}

function once(): Content {
  return [
    section(
      { id: 'p-once', title: 'To copy' },
      el(
        'div',
        { class: 'once' },
        el('p', null, mark('new', 'New secret key'), ', shown this once.'),
        el(
          'p',
          { class: 'line' },
          el('code', { id: 'key' }, `ntf_sk_${'7Lx2mVd4'.repeat(6)}`),
          ' ',
          copyButton('key', 'the key'),
        ),
      ),
      pairs([
        ['Address', el('code', null, `https://shop.harbourpine.example/${'basket/'.repeat(30)}`)],
        ['User', 'none'],
      ]),
    ),
    section(
      { id: 'p-log', title: 'Activity' },
      el(
        'ol',
        { class: 'log' },
        el(
          'li',
          null,
          shortTime('2026-11-21T14:16:00Z', partsNowMs),
          el('div', null, el('p', null, el('b', null, 'Ines')), el('p', null, 'I take it.')),
        ),
        el(
          'li',
          null,
          shortTime('2026-11-12T14:16:00Z', partsNowMs),
          el('p', null, 'Ines resolved it ', changeOfState('Ongoing', 'resolved')),
        ),
      ),
    ),
  ];
}

function event(): Content {
  return el(
    'div',
    { class: 'cols event sec' },
    el('div', { class: 'stackpart' }, frames(), source()),
    el(
      'section',
      { class: 'whypart', 'aria-labelledby': 'p-why' },
      el('h2', { id: 'p-why' }, 'Why these events are grouped'),
      el(
        'div',
        { class: 'why' },
        el('p', null, 'Same chain of exceptions.'),
        el('ul', null, el('li', null, '5 library frames left out')),
      ),
    ),
    el('div', { class: 'rest' }, runs()),
    el(
      'aside',
      { class: 'aside', 'aria-label': 'More of this event' },
      section({ id: 'p-user', title: 'User' }, pairs([['Id', outside('u_7c19…e2')]])),
    ),
  );
}

function empties(frame: Frame): Content {
  return section(
    { id: 'p-empty', title: 'Nothing' },
    empty(
      'Nothing matches “rnderTotals”',
      'Titles, files and functions are searched.',
      pageLink(frame, { path: '/issues' }, null, 'Clear the search'),
    ),
    el(
      'blockquote',
      { class: 'quote' },
      el('bdi', null, 'The total is gone as soon as I choose two benches'),
    ),
  );
}
