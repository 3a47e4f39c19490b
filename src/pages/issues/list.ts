import type { VNode } from 'preact';
import type { IssuesModel } from '../../core/workspace/issues/list.ts';
import { type Content, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { actForm, submit } from '../parts/controls.ts';
import { empty, unknownWords } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { listPage } from '../parts/list.ts';
import type { Column } from '../parts/table.ts';
import { histogram, levelStacks } from '../plots/histogram.ts';
import { count, counted, difference } from '../words/numbers.ts';
import { chips, filters, rangeWord, stateTabs } from './filters.ts';
import { issuesQuery } from './query.ts';
import { issueColumns } from './row.ts';

const path = '/issues';

export function issuesPage(model: IssuesModel, frame: Frame): PageContent {
  const { asked, issues, newer, older, total } = model;
  const canAct = frame.visitor?.canAct === true;
  const holder = { class: 'sec picks' };
  return listPage(frame, {
    path,
    title: 'Issues',
    tabs: stateTabs(model),
    filters: filters(frame, model),
    plot: [chips(frame, model), model.has_events ? plotOf(frame, model) : null],
    nothing: nothingHere(frame, model),
    around: (table) =>
      canAct
        ? actForm(frame, '/issues/bulk', holder, table, bulkBar())
        : html`<div ...${holder}>${table}</div>`,
    caption: `Issues, ${sortWords[asked.sort]}`,
    columns: columns(frame, model, canAct),
    rows: issues,
    pages: {
      query: issuesQuery(asked),
      newer,
      older,
      all: total,
      noun: [noun(model, 'issue'), noun(model, 'issues')],
    },
  });
}

function plotOf(frame: Frame, { asked, histogram: plot }: IssuesModel): VNode {
  const stacks =
    asked.level === null ? levelStacks : levelStacks.filter(({ key }) => key === shownAs(asked.level));
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
    isCalm: true,
    barLink: ({ fromMs, toMs }) => ({
      path,
      query: issuesQuery(asked, { range: `${minuteText(fromMs)}..${minuteText(toMs)}` }),
    }),
    stackLink: ({ key }) => ({
      path,
      query: issuesQuery(asked, { level: asked.level === null ? (key as 'error') : null }),
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
  const { last, word } = rangeWord(range);
  const whose = of === 'found' ? ' of these issues' : '';
  const than = last ? `the ${word.split(' ')[0]} before` : 'the previous period';
  const more = difference(events, before, than);
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
  frame: Frame,
  { asked }: IssuesModel,
  canAct: boolean,
): Array<Column<IssuesModel['issues'][number]> | null> {
  const of = issueColumns(frame, canAct);
  const by = (sort: typeof asked.sort) => ({
    sort: { path, query: issuesQuery(asked, { sort }), isCurrent: asked.sort === sort },
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
  const button = (value: string, word: string): VNode => submit(word, { name: 'do', value });
  return html`<div class="bulk">
    <span class="soft">Selected issues</span>${button('resolve', 'Resolve')}
    ${button('ignore', 'Ignore')}${button('merge', 'Merge')}
  </div>`;
}

function nothingHere(frame: Frame, { asked, counts, ...model }: IssuesModel): VNode {
  const { last, word } = rangeWord(asked.range);
  const within = last ? `in the last ${word}` : `from ${word}`;
  if (!model.has_events) {
    return empty(
      'No events yet',
      'The first event of an error creates an issue.',
      pageLink(frame, { path: '/' }, null, 'Send your first event'),
    );
  }
  const isFiltered = ['q', 'level', 'environment', 'release', 'user', 'who'].some(
    (name) => asked[name as 'q'] !== null,
  );
  if (counts.all === 0 && (isFiltered || asked.tag.length > 0)) {
    const query = issuesQuery({ ...asked, ...noFilters });
    return empty(
      'No issue matches',
      [`No issue with events ${within} matches all of these filters.`, unknownWords(model.unknown_words)],
      pageLink(frame, { path, query }, null, 'Clear filters'),
    );
  }
  const wider = asked.range === '90d' || counts.all > 0 ? { state: 'all' as const } : { range: '90d' };
  const way = 'range' in wider ? 'Search the last 90 days' : `See all ${count(counts.all)}`;
  return empty(
    asked.state === 'all' ? 'No issues' : `No ${asked.state} issues`,
    `No issue had an event ${within}${isFiltered ? ' that matches the filters' : ''}.`,
    pageLink(frame, { path, query: issuesQuery(asked, wider) }, null, way),
  );
}

const noFilters = { q: null, level: null, environment: null, release: null, tag: [], user: null, who: null };
