// Search over all kinds of objects: exact matches first, then text matches by kind.
import { foldCase } from '../parsing/fold-text.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { IssueListStore } from '../store/issue-queries.ts';
import {
  type ExactMatch,
  type SearchResult,
  type SearchResultKind,
  type SearchStore,
  searchResultKinds,
} from '../store/page-queries.ts';
import { findWordsWithoutIssues } from './ignored-filters.ts';
import { enumParam, textParam, viewedProjectIds } from './list-params.ts';
import type { RequestContext } from './request-context.ts';

export type SearchHit = ReturnType<typeof viewHit>;

export type SearchGroup = SearchModel['groups'][number];

export type SearchModel = Awaited<ReturnType<typeof searchModel>>;

const exactMax = 10;
const shownOfEach = 3;
const shownOfOne = 50;
const countedMax = 100;

export async function searchModel(context: RequestContext) {
  const { deps, projects } = context;
  const q = textParam(context, 'q') ?? '';
  const type = enumParam(context, 'type', searchResultKinds);
  if (q === '') return { q, type, exact: [], groups: [], unknown_words: [] };
  const ids = viewedProjectIds(context);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const nameOf = (projectId: number): string => names.get(projectId) ?? '';
  const groups = await Promise.all(
    searchResultKinds.map(async (kind) => {
      const { results, total } = await findObjects(deps.store, kind, ids, q);
      const shown = type === null ? shownOfEach : type === kind ? shownOfOne : 0;
      return {
        kind,
        hits: results.slice(0, shown).map((result) => viewHit(result, nameOf, pathOf(result))),
        total: Math.min(total, countedMax),
        more: total > countedMax,
      };
    }),
  );
  const exact = type === null ? await findExactMatches(deps.store, ids, q, nameOf) : [];
  const found = groups.filter(({ total }) => total > 0);
  const isNothing = found.length + exact.length === 0;
  return {
    q,
    type,
    exact,
    groups: found,
    /** Words that no issue has; filled if nothing was found. */
    unknown_words: isNothing ? await findWordsWithoutIssues(deps.store, ids, [q]) : [],
  };
}

/** The sender of feedback is not searched: a match would reveal who wrote it. */
async function findObjects(
  store: SearchStore & IssueListStore,
  kind: SearchResultKind,
  projectIds: readonly number[],
  q: string,
): Promise<{ readonly results: readonly SearchResult[]; readonly total: number }> {
  if (kind === 'issues') return findIssues(store, projectIds, q);
  const found = await store.findThings(kind, projectIds, q, countedMax + 1);
  const words = foldCase(q);
  const results =
    kind !== 'feedback'
      ? found
      : found.filter(({ title, place }) => [title, place].some((text) => foldCase(text).includes(words)));
  return { results, total: results.length };
}

async function findIssues(store: IssueListStore, projectIds: readonly number[], q: string) {
  const filter = { projectIds, fromMs: 0, toMs: null, search: q };
  const window = { tab: 'all', sort: 'last_seen', limit: shownOfOne, trendToMs: 0 } as const;
  // The search is expensive, so it runs once.
  const { counts, ids } = await store.findWorkspaceIssues(filter);
  const { rows } = await store.listWorkspaceIssues({ ...filter, among: ids }, window);
  const results = rows.map(
    (issue): SearchResult => ({
      kind: 'issues',
      id: issue.id,
      projectId: issue.projectId,
      title: issue.title,
      place: issue.culprit,
      state: issue.level,
      atMs: issue.lastSeenMs,
    }),
  );
  return { results, total: counts.all };
}

async function findExactMatches(
  store: SearchStore,
  projectIds: readonly number[],
  q: string,
  nameOf: (projectId: number) => string,
): Promise<SearchHit[]> {
  const found = await Promise.all(
    parseIdentifiers(q).map((name) => store.findNamed(projectIds, name, exactMax)),
  );
  const results = new Map(found.flat().map((result) => [`${result.kind} ${result.id}`, result]));
  const eventId = /^[0-9a-f]{32}$/i.test(q.replaceAll('-', '')) ? q.replaceAll('-', '').toLowerCase() : null;
  const events = eventId === null ? [] : await store.findEventsNamed(projectIds, eventId, exactMax);
  return [
    ...events.map(({ eventId: id, issueId, projectId, title, receivedAtMs: atMs }) => {
      const event = { kind: 'events', id, projectId, title, place: '', state: '', atMs } as const;
      return viewHit(event, nameOf, `/issues/${issueId}/events/${id}`);
    }),
    ...[...results.values()].map((result) => viewHit(result, nameOf, pathOf(result))),
  ].slice(0, exactMax);
}

function parseIdentifiers(q: string): ExactMatch[] {
  const names: ExactMatch[] = [{ by: 'version', value: q }];
  const number = /^#?([1-9]\d{0,14})$/.exec(q)?.[1];
  if (number !== undefined) names.push({ by: 'number', value: Number(number) });
  const hex = q.toLowerCase();
  if (/^[0-9a-f]{40}$/.test(hex)) names.push({ by: 'commit', value: hex });
  if (/^[0-9a-f]{64}$/.test(hex)) names.push({ by: 'sha256', value: hex });
  if (/^[^\s/]+$/.test(q)) names.push({ by: 'host', value: hex });
  return names;
}

type FoundEvent = Omit<SearchResult, 'kind' | 'id'> & { readonly kind: 'events'; readonly id: string };

function viewHit(result: SearchResult | FoundEvent, nameOf: (projectId: number) => string, path: string) {
  return {
    kind: result.kind,
    id: result.id,
    project_id: result.projectId,
    project: nameOf(result.projectId),
    path,
    title: result.title,
    place: result.place,
    state: result.state,
    at: formatTime(result.atMs),
  };
}

function pathOf({ kind, id }: SearchResult): string {
  switch (kind) {
    case 'domains':
      return '/domains';
    case 'deploys':
      return '/deploys';
    case 'test_runs':
      return `/test-runs/${id}`;
    default:
      return `/${kind}/${id}`;
  }
}
