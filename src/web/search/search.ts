import { splitTitle } from '../../core/page-models/issues/list.ts';
import type { SearchGroup, SearchHit, SearchModel } from '../../core/page-models/search.ts';
import { bidiIsolated, emptyState, section, tabs, unknownWordsNote } from '../components/elements.ts';
import { type IconName, iconMark } from '../components/icons.ts';
import { filterForm } from '../components/list.ts';
import { miniTable, rowHeader } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, counted, timeAgo } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';

const kindNames: Readonly<Record<SearchGroup['kind'], string>> = {
  issues: 'Issues',
  feedback: 'Feedback',
  domains: 'Domains',
  releases: 'Releases',
  deploys: 'Deploys',
  test_runs: 'Test runs',
  artifacts: 'Artifacts',
};

const hitNames: Readonly<Record<SearchHit['kind'], string>> = {
  events: 'Event',
  issues: 'Issue',
  feedback: 'Feedback',
  domains: 'Domain',
  releases: 'Release',
  deploys: 'Deploy',
  test_runs: 'Test run',
  artifacts: 'Artifact',
};

export function searchPage(model: SearchModel, context: PageContext): PageContent {
  const { q, exact, groups } = model;
  const found = exact.length + groups.length > 0;
  return {
    title: q === '' ? 'Search' : `${q} · Search`,
    main: html`<div class="narrow2">
      <div class="top"><h1>Search</h1></div>
      ${filterForm(context, '/search', {
        label: 'Everything, again',
        search: { label: 'Search everything', hint: 'Title, number, ID, version, commit or host', value: q },
        verb: 'Search',
      })}
      ${q === '' ? tips() : found ? results(model, context) : noResultsSection(model, context)}
    </div>`,
  };
}

function results(model: SearchModel, context: PageContext): Content[] {
  const { q, type, exact, groups } = model;
  return [
    groups.length === 0 ? null : kindTabs(model, context),
    exact.length === 0 ? null : exactMatches(exact, context, q),
    ...groups.filter(({ hits }) => hits.length > 0).map((each) => group(each, context, q, type === null)),
    html`<p class="small dim sec">
      Exact matches come first: events, issues, versions, commits, checksums, hosts.
    </p>`,
  ];
}

function kindTabs({ q, type, groups }: SearchModel, context: PageContext): VNode {
  const tab = { path: '/search' };
  return tabs(context, 'Type', [
    { ...tab, name: 'All', query: { q }, isCurrent: type === null },
    ...groups.map(({ kind, total, more }) => ({
      ...tab,
      name: kindNames[kind],
      query: { q, type: kind },
      count: `${count(total)}${more ? '+' : ''}`,
      isCurrent: type === kind,
    })),
  ]);
}

function exactMatches(hits: readonly SearchHit[], context: PageContext, q: string): VNode {
  return section(
    { id: 'exactly', title: 'Exact match', class: 'sec exact' },
    hitTable('Exact matches', hits, context, q, ({ kind }) => `${hitNames[kind]} `),
  );
}

function group({ kind, hits, total, more }: SearchGroup, context: PageContext, q: string, isOfMany: boolean) {
  const name = kindNames[kind];
  const totalText = `${count(total)}${more ? '+' : ''}`;
  const all = pageLink(
    context,
    { path: '/search', query: { q, type: kind } },
    { class: 'small' },
    `All ${totalText}`,
  );
  return section(
    {
      id: `found-${kind}`,
      title: [name, ' ', html`<span class="dim n">${totalText}</span>`],
      aside: isOfMany && total > hits.length ? all : null,
    },
    hitTable(name, hits, context, q, () => null),
    !isOfMany && (more || total > hits.length)
      ? html`<p class="small dim">
        The latest ${counted(hits.length, 'result')} of ${totalText}. Add words to narrow the search.
      </p>`
      : null,
  );
}

function hitTable(
  caption: string,
  hits: readonly SearchHit[],
  context: PageContext,
  q: string,
  kindOf: (hit: SearchHit) => string | null,
): VNode {
  const title = (hit: SearchHit): VNode =>
    html`<span class="ttl">${kindOf(hit)}<bdi>${titleOf(hit, q)}</bdi></span>`;
  return miniTable(
    caption,
    hits,
    { class: 'lv', cell: markOf },
    {
      row: (hit) => rowHeader(pageLink(context, hit.path, { class: 'cell' }, title(hit)), subtitleOf(hit, q)),
    },
    { class: 'r k soft', cell: ({ at }) => timeAgo(at, context.nowMs) },
  );
}

function titleOf({ kind, title, id }: SearchHit, q: string): Content[] {
  if (kind !== 'issues' && kind !== 'events') return [marked(title === '' ? `number ${id}` : title, q)];
  const { type, message } = splitTitle(title);
  return type === null
    ? [marked(message, q)]
    : [html`<strong>${marked(type, q)}</strong>`, ' ', marked(message, q)];
}

function subtitleOf({ kind, id, project, place: location }: SearchHit, q: string): Content[] {
  const number = kind === 'issues' || kind === 'test_runs' ? [marked(`#${id}`, q), ' '] : [];
  const locationText = location === '' ? [] : [' ', bidiIsolated(marked(location, q))];
  return [...number, bidiIsolated(project), ...locationText];
}

/** Marks the first match, ignoring case if lower-casing does not change the length. */
function marked(text: string, q: string): Content {
  const low = text.toLowerCase();
  const at = low.length === text.length ? low.indexOf(q.toLowerCase()) : text.indexOf(q);
  if (at === -1) return text;
  const end = at + q.length;
  return [text.slice(0, at), html`<mark>${text.slice(at, end)}</mark>`, text.slice(end)];
}

const shapes: Readonly<Record<string, IconName>> = {
  fatal: 'fatal',
  error: 'error',
  warning: 'warning',
  info: 'info',
  debug: 'debug',
  passed: 'passed',
  failed: 'failed',
  success: 'passed',
  failure: 'failed',
  skipped: 'skipped',
};

function markOf({ kind, state }: SearchHit): VNode | null {
  const shape = kind === 'test_runs' && state === 'error' ? 'failed' : shapes[state];
  return shape === undefined ? null : iconMark(shape);
}

function noResultsSection({ q, unknown_words: words }: SearchModel, context: PageContext): VNode {
  const projectText = context.project === null ? 'any project' : html`<bdi>${context.project.name}</bdi>`;
  const link =
    context.project === null
      ? null
      : pageLink(context, { path: '/search', query: { project: null, q } }, null, 'Search all projects');
  return emptyState(
    'No results',
    [
      'No title, message, version, name or host in ',
      projectText,
      ' holds ',
      html`<q>${bidiIsolated(q)}</q>`,
      '. Try fewer words.',
      unknownWordsNote(words),
    ],
    link,
  );
}

function tips(): VNode {
  const tip = (description: string, example: string): VNode =>
    html`<li>${description}: <code>${example}</code></li>`;
  return section(
    { id: 'tips', title: 'What can be searched' },
    html`<p>Words in titles, messages and names, in any script; case does not matter.</p>`,
    html`<ul>
      ${tip('An issue or a test run by its number', '#1043')}
      ${tip('An event by its ID', '363397a3c2f54a0fb1e62a4c6d3f9b11')}
      ${tip('A release by its version', 'shop@4.18.0')}${tip('A full commit hash', 'c41f0be2…, 40 characters')}
      ${tip('An artifact by its sha256', '64 characters')}${tip('A domain by its host', 'shop.example')}
    </ul>`,
  );
}
