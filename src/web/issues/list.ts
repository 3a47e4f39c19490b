import type { IssuesModel } from '../../core/page-models/issues/list.ts';
import { builtInTabs } from '../../core/saved-views/saved-views.ts';
import { histogram, severityStacks } from '../charts/histogram.ts';
import { sparkline } from '../charts/sparkline.ts';
import { actionForm } from '../components/controls.ts';
import { emptyState, pageHead, pager, type Tab, tabs } from '../components/elements.ts';
import { keysDialog } from '../components/keys.ts';
import { type Column, dataTable } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, counted, formatDifference, replaceInvisible } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { bulkBar, bulkFields, isNoticeOf, undoBar, undoForm } from './bulk-bar.ts';
import { issueColumns } from './columns.ts';
import { issuesQueryParams } from './query.ts';
import { saveViewMenu } from './saved-views.ts';
import { issuesToolbar, rangeText, searchBox } from './toolbar.ts';

const path = '/issues';

export function issuesPage(model: IssuesModel, context: PageContext): PageContent {
  const { filters, search } = model;
  const { query: _query, ...params } = issuesQueryParams(filters);
  const saving = saveViewMenu(context, model);
  return {
    title: 'Issues',
    main: [
      pageHead({ title: 'Issues', actions: issuesToolbar(context, model) }),
      viewTabs(context, model),
      searchBox(context, search, params, saving.button),
      saving.below,
      model.issues.length === 0
        ? [emptyList(context, model), undoBar(context, model.bulk.undo)]
        : issueTable(context, model),
      undoForm(context, model.bulk.undo),
      keysDialog(context),
    ],
    showsNotice: isNoticeOf(context.notice, model.bulk.undo),
  };
}

function viewTabs(context: PageContext, { filters, views, counts }: IssuesModel): VNode {
  const shown = views.filter(
    (view) => builtInTabs.includes(view.view) || !view.is_built_in || view.view === filters.view,
  );
  const tab = ({ view, title }: (typeof shown)[number]): Tab => {
    const number = counts[view];
    return {
      name: replaceInvisible(title),
      path,
      query: { ...issuesQueryParams(filters, { view, sort: 'last_seen' }), query: null },
      count: number === undefined ? null : count(number),
      isCurrent: view === filters.view,
    };
  };
  const all: Tab = { name: 'All views', path: '/issues/views', isCurrent: false };
  return tabs(context, 'Views', [...shown.map(tab), all]);
}

function issueTable(context: PageContext, model: IssuesModel): Content {
  const canAct = context.currentUser?.canAct === true;
  const content = [
    chart(context, model),
    dataTable(context, {
      caption: `Issues, ${sortTexts[model.filters.sort]}`,
      class: 't list issues',
      columns: columns(context, model, canAct),
      rows: model.issues,
    }),
    listPager(context, model),
  ];
  const attributes = { class: 'picks' };
  return canAct
    ? actionForm(context, '/issues/bulk', attributes, ...bulkFields(model), content, bulkBar(context, model))
    : html`<div ...${attributes}>${content}</div>`;
}

/** Closed by default; page.js remembers the choice. */
function chart(context: PageContext, model: IssuesModel): VNode {
  const { histogram: plot, total, filters } = model;
  const { isLast, text: periodText } = rangeText(filters.range);
  const before = isLast ? `the ${periodText.slice('Last '.length)} before` : 'the previous period';
  const more = formatDifference(plot.events, plot.events_before, before);
  const sums = plot.bars.map(
    ({ fatal, error, warning, info, debug }) => fatal + error + warning + info + debug,
  );
  return html`<details class="fchart" data-keep="chart">
    <summary>
      <span>
        <b>${counted(plot.events, 'event')}</b> in ${counted(total, 'issue')}
        ${more === null ? null : html`<span class="opt">, ${more}</span>`}
      </span>
      ${sparkline({ values: halveResolution(sums), name: `Events over time, ${periodText.toLowerCase()}` })}
    </summary>
    ${chartOf(context, model)}
  </details>`;
}

/** At most 48 bars, which is the width of the folded line. */
function halveResolution(values: readonly number[]): number[] {
  if (values.length <= 48) return [...values];
  const pairs = Array.from({ length: Math.ceil(values.length / 2) }, (_each, at) => at * 2);
  return halveResolution(pairs.map((at) => (values[at] ?? 0) + (values[at + 1] ?? 0)));
}

function chartOf(context: PageContext, { filters, histogram: plot }: IssuesModel): VNode {
  return histogram(context, {
    bars: plot.bars.map(({ from, to, debug, info, ...counts }) => ({
      fromMs: Date.parse(from),
      toMs: Date.parse(to),
      // Debug events are rare and are drawn as info.
      counts: { ...counts, info: info + debug },
    })),
    stacks: severityStacks,
    markers: plot.releases.map(({ project, version, at }) => ({
      atMs: Date.parse(at),
      name: context.project === null ? `${project} ${version}` : version,
    })),
    finding: null,
    height: 104,
    barLink: ({ fromMs, toMs }) => ({
      path,
      query: issuesQueryParams(filters, { range: `${minuteText(fromMs)}..${minuteText(toMs)}` }),
    }),
    stackLink: ({ key }) => ({
      path,
      query: issuesQueryParams(filters, { query: `${filters.query} level:${key}`.trim() }),
    }),
  });
}

function minuteText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}Z`;
}

const sortTexts: Readonly<Record<IssuesModel['filters']['sort'], string>> = {
  last_seen: 'last seen first',
  first_seen: 'newest first',
  events: 'most events first',
  users: 'most users first',
  trend: 'fastest growing first',
};

function columns(
  context: PageContext,
  { filters, bulk }: IssuesModel,
  canAct: boolean,
): Array<Column<IssuesModel['issues'][number]> | null> {
  const of = issueColumns(context, canAct, new Set(), bulk.selected);
  const by = (sort: typeof filters.sort) => ({
    sort: { path, query: issuesQueryParams(filters, { sort }), isCurrent: filters.sort === sort },
  });
  // First seen and last seen share a column; the head offers the other order.
  const byTime =
    filters.sort === 'first_seen' ? { name: 'First seen', ...by('first_seen') } : by('last_seen');
  const { isLast } = rangeText(filters.range);
  return [
    canAct ? of.pick : null,
    of.level,
    of.issue,
    {
      ...of.trend,
      name: isLast ? `Trend, ${filters.range.replace(/[hd]$/, ' $&')}` : 'Trend',
      ...by('trend'),
    },
    { ...of.events, ...by('events') },
    { ...of.users, ...by('users') },
    { ...of.seen, ...byTime },
    of.assignee,
  ];
}

function listPager(
  context: PageContext,
  { filters, issues, newer, older, total, first_row: first }: IssuesModel,
): VNode {
  const query = issuesQueryParams(filters);
  const shown = issues.length;
  const rowsText = first === null ? count(shown) : `${count(first)}–${count(first + shown - 1)}`;
  const at = (row: number | null): number | null => (row === null || row <= 1 ? null : row);
  return pager(context, {
    path,
    summary: `${rowsText} of ${counted(total, 'issue')}`,
    newer: newer === null ? null : { ...query, before: newer, at: at(first === null ? null : first - 50) },
    older: older === null ? null : { ...query, after: older, at: at(first === null ? null : first + shown) },
  });
}

function emptyList(context: PageContext, { filters, views, ...model }: IssuesModel): VNode {
  if (!model.has_events) {
    return emptyState(
      'No events yet',
      'The first event of an error creates an issue.',
      pageLink(context, '/setup', { class: 'btn primary' }, 'Send your first event'),
    );
  }
  const { isLast, text: periodText } = rangeText(filters.range);
  const within = isLast ? `in the ${periodText.toLowerCase()}` : `from ${periodText}`;
  const wider = pageLink(
    context,
    { path, query: issuesQueryParams(filters, { range: '90d' }) },
    null,
    'Search the last 90 days',
  );
  const canWiden = filters.range !== '90d' ? wider : null;
  if (filters.query === 'is:unresolved' && filters.environment === null) {
    return emptyState(`No unresolved issues ${within}.`, 'Nothing needs attention.', canWiden);
  }
  const query = issuesQueryParams(filters, { view: null, query: '', environment: null });
  const clear = pageLink(context, { path, query: { ...query, view: 'all' } }, null, 'Clear search');
  const links = canWiden === null ? clear : [clear, ' · ', canWiden];
  return emptyState('No issues match this search.', `No issue with events ${within} matches it.`, links);
}
