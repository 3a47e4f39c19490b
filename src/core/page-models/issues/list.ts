import { type IssueView, viewIssue } from '../../issues/views.ts';
import { getLastHours, hourMs, startOfHour } from '../../parsing/durations.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { type ReadSearch, readSearch } from '../../search/search.ts';
import type { IssueListFilter, IssueListWindow, IssueTab, LevelHour } from '../../store/issue-queries.ts';
import type { Issue } from '../../store/issues.ts';
import { findWordsWithoutIssues } from '../ignored-filters.ts';
import { type RequestContext, viewedProjects } from '../request-context.ts';
import {
  decodeCursor,
  encodeCursor,
  type IssueFilters,
  listedProjectIds,
  readIssueFilters,
  resolveRange,
  type TimeRange,
  toStoreFilter,
} from './filters.ts';
import { splitCulprit, splitTitle } from './titles.ts';

const issuesAPage = 20;
const hoursShown = 24;
const markersMax = 6;

export interface ListedIssueView extends IssueView {
  readonly project: { readonly project_id: number; readonly name: string };
  /** `type` is null if the title has no exception type. */
  readonly type: string | null;
  readonly message: string;
  readonly place: {
    readonly function: string | null;
    readonly file: string | null;
    readonly text: string | null;
  };
  readonly assigned_to: { readonly member_id: number; readonly name: string | null } | null;
  /** The release in which it regressed; null if unknown. */
  readonly regressed_in: string | null;
  /** Events per hour in the last 24 hours, the current hour last. */
  readonly hours: readonly number[];
}

interface LevelBar {
  readonly from: string;
  readonly to: string;
  readonly fatal: number;
  readonly error: number;
  readonly warning: number;
  readonly info: number;
  readonly debug: number;
}

export interface IssuesModel {
  readonly asked: IssueFilters;
  /** Of `asked.query`; terms with mistakes are left out of the list. */
  readonly search: Pick<ReadSearch, 'mistakes' | 'tokens'>;
  readonly counts: Counts;
  readonly total: number;
  readonly issues: readonly ListedIssueView[];
  readonly newer: string | null;
  readonly older: string | null;
  readonly histogram: {
    /** Events of the matching issues, or all events. */
    readonly of: 'found' | 'all';
    readonly events: number;
    /** In a period of the same length before. */
    readonly events_before: number;
    readonly bars: readonly LevelBar[];
    readonly releases: ReadonlyArray<{
      readonly project: string;
      readonly version: string;
      readonly at: string;
    }>;
  };
  readonly choices: {
    readonly environments: readonly string[];
    readonly releases: ReadonlyArray<{ readonly project: string; readonly version: string }>;
    readonly members: ReadonlyArray<{
      readonly member_id: number;
      readonly name: string;
      readonly is_you: boolean;
    }>;
  };
  readonly has_events: boolean;
  /** Search words and tags that no issue has; filled if nothing was found. */
  readonly unknown_words: readonly string[];
}

export async function issuesModel(visit: RequestContext): Promise<IssuesModel> {
  const { deps, query, nowMs } = visit;
  const { store } = deps;
  const asked = readIssueFilters(query);
  const projectIds = listedProjectIds(visit);
  const searched = await readQuery(visit, asked, projectIds);
  const filter = { ...toStoreFilter(visit, asked), terms: searched.resolved };
  const before = decodeCursor(asked.sort, query.get('before'));
  const window = {
    tab: asked.state,
    sort: asked.sort,
    limit: issuesAPage,
    before,
    after: before === null ? decodeCursor(asked.sort, query.get('after')) : null,
    trendToMs: getLastHours(nowMs, hoursShown).toMs,
  };
  const [{ counts, listed, hours }, names, members] = await Promise.all([
    findMatchingIssues(visit, asked, filter, window),
    store.listFilterNames(projectIds),
    store.listMembers(nowMs),
  ]);
  const memberNames = new Map(members.map(({ id, name }) => [id, name]));
  const nameOf = (projectId: number): string =>
    visit.projects.find(({ id }) => id === projectId)?.name ?? String(projectId);
  const cursor = (place: typeof listed.newer): string | null =>
    place === null ? null : encodeCursor(asked.sort, place);
  const markers = names.releases.map(({ projectId, version, createdAtMs }) => ({
    project: nameOf(projectId),
    version,
    atMs: createdAtMs,
  }));
  return {
    asked,
    search: { mistakes: searched.mistakes, tokens: searched.tokens },
    counts,
    total: counts[asked.state],
    issues: await viewIssueRows(visit, listed.rows, memberNames, nameOf),
    newer: cursor(listed.newer),
    older: cursor(listed.older),
    histogram: histogramOf(visit, asked, hours, markers),
    choices: {
      environments: names.environments,
      releases: markers.slice(0, 20).map(({ project, version }) => ({ project, version })),
      members: members.map(({ id, name }) => ({
        member_id: id,
        name,
        is_you: id === visit.visitor.memberId,
      })),
    },
    has_events: counts.all > 0 || (await store.arrivals(projectIds)).hasEvents,
    unknown_words:
      counts.all > 0 ? [] : await findWordsWithoutIssues(store, projectIds, [asked.q ?? '', ...asked.tag]),
  };
}

function readQuery(
  { deps, visitor }: RequestContext,
  { query }: IssueFilters,
  projectIds: readonly number[],
) {
  return readSearch(deps, query ?? '', { projectIds, of: 'issues', memberId: visitor.memberId });
}

type Counts = Readonly<Record<IssueTab, number>>;

async function findMatchingIssues(
  visit: RequestContext,
  asked: IssueFilters,
  filter: IssueListFilter,
  window: IssueListWindow,
) {
  const { store } = visit.deps;
  const read = async (narrowed: IssueListFilter, counting: Counts | Promise<Counts>) => {
    const [counts, listed, hours] = await Promise.all([
      counting,
      store.listWorkspaceIssues(narrowed, window),
      hoursOf(visit, asked, narrowed),
    ]);
    return { counts, listed, hours };
  };
  if (!hasIssueFilters(asked)) return read(filter, store.countWorkspaceIssues(filter));
  // The search is expensive, so it runs once.
  const { counts, ids, areAll } = await store.findWorkspaceIssues(filter);
  return read(areAll ? { ...filter, among: ids } : filter, counts);
}

/** Whether it has filters other than the level. */
function hasIssueFilters({ query, q, environment, release, tag, user, who }: IssueFilters): boolean {
  return [query, q, environment, release, user, who].some((each) => each !== null) || tag.length > 0;
}

export async function viewIssueRows(
  { deps, nowMs }: RequestContext,
  issues: readonly Issue[],
  members: ReadonlyMap<number, string>,
  nameOf: (projectId: number) => string,
): Promise<ListedIssueView[]> {
  const hours = new Map<number, number[]>(
    issues.map(({ id }) => [id, new Array<number>(hoursShown).fill(0)]),
  );
  const regressed = issues.filter(({ state }) => state.substatus === 'regressed').map(({ id }) => id);
  const [sliced, regressedIn] = await Promise.all([
    deps.store.sliceIssueEvents([...hours.keys()], { ...getLastHours(nowMs, hoursShown), sliceMs: hourMs }),
    deps.store.listRegressedIn(regressed),
  ]);
  for (const { issueId, slice, events } of sliced) {
    const bars = hours.get(issueId);
    if (bars?.[slice] !== undefined) bars[slice] = events;
  }
  return issues.map((issue) => ({
    ...viewIssue(issue),
    project: { project_id: issue.projectId, name: nameOf(issue.projectId) },
    ...splitTitle(issue.title),
    place: splitCulprit(issue.culprit),
    assigned_to:
      issue.assignedTo === null
        ? null
        : { member_id: issue.assignedTo, name: members.get(issue.assignedTo) ?? null },
    regressed_in: regressedIn.get(issue.id) ?? null,
    hours: hours.get(issue.id) ?? [],
  }));
}

type NamedRelease = { readonly project: string; readonly version: string; readonly atMs: number };

function hoursOf(visit: RequestContext, asked: IssueFilters, filter: IssueListFilter): Promise<LevelHour[]> {
  const { fromMs, toMs } = resolveRange(asked.range, visit.nowMs);
  const ids = viewedProjects(visit).length === 0 ? [] : filter.projectIds;
  const passedMs = Math.min(toMs, startOfHour(visit.nowMs) + hourMs) - fromMs;
  return visit.deps.store.listLevelHours(
    ids,
    fromMs - Math.max(passedMs, 0),
    toMs,
    hasIssueFilters(asked) ? filter : null,
  );
}

/** Without other filters, the level alone narrows the chart. */
function histogramOf(
  visit: RequestContext,
  asked: IssueFilters,
  hours: readonly LevelHour[],
  releases: readonly NamedRelease[],
): IssuesModel['histogram'] {
  const range = resolveRange(asked.range, visit.nowMs);
  const shown = asked.level === null ? hours : hours.map((hour) => onlyOf(hour, asked.level ?? 'error'));
  const now = shown.filter(({ atMs }) => atMs >= range.fromMs);
  return {
    of: hasIssueFilters(asked) ? 'found' : 'all',
    events: sumOf(now),
    events_before: sumOf(shown.filter(({ atMs }) => atMs < range.fromMs)),
    bars: barsOf(now, range),
    releases: releases
      .filter(({ atMs }) => atMs >= range.fromMs && atMs <= Math.min(range.toMs, visit.nowMs))
      .slice(0, markersMax)
      .map(({ project, version, atMs }) => ({ project, version, at: formatTime(atMs) })),
  };
}

const nothing = { fatal: 0, error: 0, warning: 0, info: 0, debug: 0 };
type LevelName = keyof typeof nothing;
const levelNames = Object.keys(nothing) as LevelName[];

function onlyOf(hour: LevelHour, level: LevelName): LevelHour {
  return { atMs: hour.atMs, ...nothing, [level]: hour[level] };
}

function sumOf(hours: readonly LevelHour[]): number {
  return hours.reduce((sum, hour) => sum + levelNames.reduce((own, level) => own + hour[level], 0), 0);
}

function barsOf(hours: readonly LevelHour[], { fromMs, toMs, stepMs }: TimeRange): LevelBar[] {
  const bars = Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, () => ({ ...nothing }));
  for (const hour of hours) {
    const bar = bars[Math.floor((hour.atMs - fromMs) / stepMs)];
    if (bar === undefined) continue;
    for (const level of levelNames) bar[level] += hour[level];
  }
  return bars.map((bar, at) => ({
    from: formatTime(fromMs + at * stepMs),
    to: formatTime(fromMs + (at + 1) * stepMs),
    ...bar,
  }));
}
