import type { VNode } from 'preact';
import type { IssuesModel } from '../../core/page-models/issues/list.ts';
import { histogram, severityStacks } from '../charts/histogram.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { emptyState, unknownWordsNote } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { listPage } from '../components/list.ts';
import type { Column } from '../components/table.ts';
import { type Content, html } from '../el.ts';
import { count, counted, formatDifference } from '../formatters/numbers.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { issueColumns } from './columns.ts';
import { filterChips, issueFilters, rangeText, stateTabs } from './filters.ts';
import { issuesQueryParams } from './query.ts';

const path = '/issues';

export function issuesPage(model: IssuesModel, context: PageContext): PageContent {
  const { asked, issues, newer, older, total } = model;
  const canAct = context.visitor?.canAct === true;
  const holder = { class: 'sec picks' };
  return listPage(context, {
    path,
    title: 'Issues',
    tabs: stateTabs(model),
    filters: issueFilters(context, model),
    plot: [filterChips(context, model), model.has_events ? plotOf(context, model) : null],
    nothing: emptyList(context, model),
    around: (table) =>
      canAct
        ? actionForm(context, '/issues/bulk', holder, table, bulkBar())
        : html`<div ...${holder}>${table}</div>`,
    caption: `Issues, ${sortWords[asked.sort]}`,
    columns: columns(context, model, canAct),
    rows: issues,
    pages: {
      query: issuesQueryParams(asked),
      newer,
      older,
      all: total,
      noun: [noun(model, 'issue'), noun(model, 'issues')],
    },
  });
}

function plotOf(frame: PageContext, { asked, histogram: plot }: IssuesModel): VNode {
  const stacks =
    asked.level === null ? severityStacks : severityStacks.filter(({ key }) => key === shownAs(asked.level));
  return histogram(frame, {
    bars: plot.bars.map(({ from, to, debug, info, ...counts }) => ({
      fromMs: Date.parse(from),
      toMs: Date.parse(to),
      // Debug events are rare and are drawn as info.
      counts: { ...counts, info: info + debug },
    })),
    stacks,
    markers: plot.releases.map(({ project, version, at }) => ({
      atMs: Date.parse(at),
      name: frame.project === null ? `${project} ${version}` : version,
    })),
    nowMs: frame.nowMs,
    noun: ['event', 'events'],
    finding: finding(asked.range, plot),
    barLink: ({ fromMs, toMs }) => ({
      path,
      query: issuesQueryParams(asked, { range: `${minuteText(fromMs)}..${minuteText(toMs)}` }),
    }),
    stackLink: ({ key }) => ({
      path,
      query: issuesQueryParams(asked, { level: asked.level === null ? (key as 'error') : null }),
    }),
  });
}

function shownAs(level: string | null): string | null {
  return level === 'debug' ? 'info' : level;
}

function minuteText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}Z`;
}

function finding(range: string, { events, events_before: before, of }: IssuesModel['histogram']): Content {
  const { last, word } = rangeText(range);
  const whose = of === 'found' ? ' of these issues' : '';
  const than = last ? `the ${word.split(' ')[0]} before` : 'the previous period';
  const more = formatDifference(events, before, than);
  return [
    html`<b>${counted(events, 'event')}</b>`,
    `${whose} ${last ? 'in' : 'from'} ${word}${more === null ? '' : `, ${more}`}`,
  ];
}

const sortWords: Readonly<Record<IssuesModel['asked']['sort'], string>> = {
  last_seen: 'last seen first',
  first_seen: 'newest first',
  events: 'most events first',
  users: 'most users first',
  trend: 'fastest growing first',
};

function noun({ asked }: IssuesModel, word: string): string {
  return asked.state === 'all' ? word : `${asked.state} ${word}`;
}

function columns(
  frame: PageContext,
  { asked }: IssuesModel,
  canAct: boolean,
): Array<Column<IssuesModel['issues'][number]> | null> {
  const of = issueColumns(frame, canAct);
  const by = (sort: typeof asked.sort) => ({
    sort: { path, query: issuesQueryParams(asked, { sort }), isCurrent: asked.sort === sort },
  });
  // First seen and last seen share a column; the head offers the other order.
  const byTime = asked.sort === 'first_seen' ? { name: 'First seen', ...by('first_seen') } : by('last_seen');
  return [
    canAct ? of.pick : null,
    of.level,
    of.issue,
    { ...of.hours, ...by('trend') },
    { ...of.events, ...by('events') },
    { ...of.users, ...by('users') },
    { ...of.seen, ...byTime },
    of.state,
  ];
}

function bulkBar(): VNode {
  const button = (value: string, word: string): VNode => submitButton(word, { name: 'do', value });
  return html`<div class="bulk">
    <span class="soft">Selected issues</span>${button('resolve', 'Resolve')}
    ${button('ignore', 'Ignore')}${button('merge', 'Merge')}
  </div>`;
}

function emptyList(frame: PageContext, { asked, counts, ...model }: IssuesModel): VNode {
  const { last, word } = rangeText(asked.range);
  const within = last ? `in the last ${word}` : `from ${word}`;
  if (!model.has_events) {
    return emptyState(
      'No events yet',
      'The first event of an error creates an issue.',
      pageLink(frame, { path: '/' }, null, 'Send your first event'),
    );
  }
  const isFiltered = ['q', 'level', 'environment', 'release', 'user', 'who'].some(
    (name) => asked[name as 'q'] !== null,
  );
  if (counts.all === 0 && (isFiltered || asked.tag.length > 0)) {
    const query = issuesQueryParams({ ...asked, ...noFilters });
    return emptyState(
      'No issue matches',
      [`No issue with events ${within} matches all of these filters.`, unknownWordsNote(model.unknown_words)],
      pageLink(frame, { path, query }, null, 'Clear filters'),
    );
  }
  const wider = asked.range === '90d' || counts.all > 0 ? { state: 'all' as const } : { range: '90d' };
  const way = 'range' in wider ? 'Search the last 90 days' : `See all ${count(counts.all)}`;
  return emptyState(
    asked.state === 'all' ? 'No issues' : `No ${asked.state} issues`,
    `No issue had an event ${within}${isFiltered ? ' that matches the filters' : ''}.`,
    pageLink(frame, { path, query: issuesQueryParams(asked, wider) }, null, way),
  );
}

const noFilters = { q: null, level: null, environment: null, release: null, tag: [], user: null, who: null };
