// The page that the script is tried on: rows, dialogs, a menu, a search, a strip, something to copy. No route
// leads here; the pages of the workspace are under every check themselves (looked-at.ts).

import { dayStrip } from '../../../src/web/charts/day-strip.ts';
import {
  actionForm,
  copyButton,
  field,
  menu,
  queryForm,
  searchField,
} from '../../../src/web/components/controls.ts';
import { type DialogForm, dialogButton, formDialog } from '../../../src/web/components/dialog-forms.ts';
import { pageHead } from '../../../src/web/components/elements.ts';
import { dataTable, titleCell } from '../../../src/web/components/table.ts';
import { type Content, el } from '../../../src/web/el.ts';
import type { PageContent, PageContext } from '../../../src/web/page-context.ts';

/** The moment of the page. */
export const partsNowMs = Date.UTC(2026, 10, 21, 14, 35);

const merging: DialogForm = {
  id: 'd-merge',
  path: '/issues/1/merge',
  title: 'Merge into #1043',
  description: 'Its events count there from now on. It can be undone.',
  action: '/issues/1/merge',
  fields: [field({ id: 'into', label: 'Number of the issue' }, { name: 'into', inputmode: 'numeric' })],
  verb: 'Merge',
};

const ignoring: DialogForm = {
  id: 'd-ignore',
  path: '/issues/1/ignore',
  title: 'Ignore #1043 until',
  action: '/issues/1/ignore',
  fields: [field({ id: 'events', label: 'Events' }, { name: 'count', inputmode: 'numeric' })],
  verb: 'Ignore',
};

/** The whole page. */
export function partsPage(frame: PageContext): PageContent {
  const until = dialogButton(frame, ignoring, { word: 'Until…' });
  const days = Array.from({ length: 9 }, (_, nth) => ({
    state: 'none' as const,
    label: `Day ${nth + 1}: none`,
  }));
  return {
    title: 'Parts',
    breadcrumbs: [
      { name: 'Issues', path: '/issues' },
      { name: '#1043', path: null },
    ],
    main: [
      pageHead({
        title: ['TypeError'],
        actions: [
          ...menu({ id: 'm-ignore', word: 'Ignore' }, actionForm(frame, '/issues/1/ignore', null, ...until)),
          dialogButton(frame, merging, { word: 'Merge…', class: 'btn' }),
          formDialog(frame, merging),
          formDialog(frame, ignoring),
        ],
      }),
      queryForm(
        frame,
        { path: '/issues', label: 'Filter issues' },
        searchField('q', 'Search issues', 'Title', null),
      ),
      list(frame),
      el('figure', null, dayStrip(days, 'Proof looked at for 9 days.')),
      el('p', null, el('code', { id: 'key' }, 'ntf_sk_7Lx2mVd4'), ' ', copyButton('key', 'the key')),
    ],
  };
}

function list(frame: PageContext): Content {
  return dataTable<number>(frame, {
    caption: 'Issues, last seen first',
    columns: [
      {
        name: 'Issue',
        row: (nth) => titleCell(frame, { path: `/issues/${nth}`, title: [`Issue ${nth}`], subtitle: [] }),
      },
      { name: 'Events', class: 'r', cell: () => '18,402' },
    ],
    rows: [0, 1, 2],
  });
}
