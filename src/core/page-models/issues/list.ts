import { normalizedEvent } from '../../../../schemas/event.ts';
import { locateEvent } from '../../events/title.ts';
import { listAssignees, viewAssignees } from '../../issues/assignees.ts';
import { findUndoableAction } from '../../issues/bulk-undo.ts';
import { viewIssue } from '../../issues/views.ts';
import { roleIncludes } from '../../members/permissions.ts';
import { getLastHours, hourMs, startOfHour } from '../../parsing/durations.ts';
import { sum } from '../../parsing/format/numbers.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { ownerIdOf } from '../../saved-views/saved-views.ts';
import { readSearch } from '../../search/search.ts';
import type { IssueListFilter, LevelHour } from '../../store/issue-queries.ts';
import type { Issue } from '../../store/issues.ts';
import type { IntervalRange } from '../../store/page-queries.ts';
import { buildLevelBars, countEvents } from '../level-bars.ts';
import { enumParam, viewedProjectIds } from '../list-params.ts';
import type { RequestContext } from '../request-context.ts';
import { decodeCursor, encodeCursor, type IssueFilters, readIssueFilters } from './filters.ts';
import { resolveRange, type TimeRange } from './range.ts';
import { listIssueViews } from './views.ts';

const issuesAPage = 50;
const hoursShown = 24;
const trendBars = 24;
const markersMax = 6;

export type ListedIssueView = Awaited<ReturnType<typeof viewIssueRows>>[number];

export type IssuesModel = Awaited<ReturnType<typeof issuesModel>>;

export async function issuesModel(context: RequestContext) {
  const { deps, query, nowMs, settings } = context;
  const { store } = deps;
  const views = await listIssueViews(context);
  const { filters, typed } = readIssueFilters(context, views);
  const projectIds = viewedProjectIds(context);
  const { range, base, search, filter } = await readListFilter(context, filters);
  const [found, counts, names, bulk] = await Promise.all([
    findMatchingIssues(context, filters, filter, range),
    countViews(context, base),
    store.listFilterNames(projectIds),
    viewBulkOptions(context),
  ]);
  const nameOf = (projectId: number): string =>
    context.projects.find(({ id }) => id === projectId)?.name ?? String(projectId);
  const cursor = (position: typeof found.listed.newer): string | null =>
    position === null ? null : encodeCursor(filters.sort, position);
  const markers = names.releases.map(({ projectId, version, createdAtMs }) => ({
    project: nameOf(projectId),
    version,
    atMs: createdAtMs,
  }));
  return {
    filters,
    search: search.shown,
    typed_range: typed,
    range_ends: [formatTime(range.sinceMs), formatTime(Math.min(range.toMs, nowMs))],
    time_zone: settings.timeZone,
    views,
    counts,
    total: found.total,
    first_row: found.listed.newer === null ? 1 : readPosition(query.get('at'), found.total),
    issues: await viewIssueRows(context, found.listed.rows, nameOf, trendOf(range)),
    newer: cursor(found.listed.newer),
    older: cursor(found.listed.older),
    histogram: histogramOf(range, found.hours, markers, nowMs),
    environments: names.environments,
    bulk,
    /** Of the selected project. */
    newest_release: context.project === null ? null : (names.releases[0]?.version ?? null),
    has_events: found.total > 0 || (await store.arrivals(projectIds)).hasEvents,
  };
}

/** What the page lists: issues with events in the range that match the search. */
export async function readListFilter(context: RequestContext, filters: IssueFilters) {
  const range = resolveRange(filters.range, context.nowMs);
  const base: IssueListFilter = {
    projectIds: viewedProjectIds(context),
    fromMs: range.sinceMs,
    toMs: range.isOpen ? null : range.toMs,
    environment: filters.environment ?? undefined,
  };
  const search = await readIssueSearch(context, filters.query);
  return { range, base, search, filter: { ...base, ...search.filter } };
}

/** The number of the first row, which links to other pages carry; null if it cannot be right. */
function readPosition(text: string | null, total: number): number | null {
  const position = /^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : 0;
  return position > 1 && position <= total ? position : null;
}

/** Slices of whole hours, at most 24. */
function trendOf({ fromMs, toMs }: TimeRange): IntervalRange {
  return { fromMs, toMs, sliceMs: Math.ceil((toMs - fromMs) / hourMs / trendBars) * hourMs };
}

async function countViews(context: RequestContext, base: IssueListFilter): Promise<Record<string, number>> {
  const { store } = context.deps;
  const { memberId } = context.currentUser;
  const [all, mine] = await Promise.all([
    store.countWorkspaceIssues(base),
    // Issues cannot be assigned to the workspace token.
    memberId === null ? null : store.countWorkspaceIssues({ ...base, assignedTo: memberId }),
  ]);
  return { unresolved: all.open, review: all.new, regressed: all.regressed, mine: mine?.open ?? 0 };
}

async function findMatchingIssues(
  context: RequestContext,
  filters: IssueFilters,
  filter: IssueListFilter,
  range: TimeRange,
) {
  const { query, nowMs, deps } = context;
  // The search may be expensive, so it runs once.
  const { counts, ids, areAll } = await deps.store.findWorkspaceIssues(filter);
  const narrowed = areAll ? { ...filter, among: ids } : filter;
  const before = decodeCursor(filters.sort, query.get('before'));
  const [listed, hours] = await Promise.all([
    deps.store.listWorkspaceIssues(narrowed, {
      tab: 'all',
      sort: filters.sort,
      limit: issuesAPage,
      before,
      after: before === null ? decodeCursor(filters.sort, query.get('after')) : null,
      trendToMs: getLastHours(nowMs, hoursShown).toMs,
    }),
    hoursOf(context, range, hasNoFilter(filters) ? null : narrowed),
  ]);
  return { total: counts.all, listed, hours };
}

/** Without a range: the trend of the last 24 hours, and all events. */
export async function viewIssueRows(
  { deps, nowMs }: RequestContext,
  issues: readonly Issue[],
  nameOf: (projectId: number) => string,
  range: IntervalRange | null = null,
) {
  const shown = range ?? { ...getLastHours(nowMs, hoursShown), sliceMs: hourMs };
  const bars = Math.ceil((shown.toMs - shown.fromMs) / shown.sliceMs);
  const trends = new Map<number, number[]>(issues.map(({ id }) => [id, new Array<number>(bars).fill(0)]));
  const ids = [...trends.keys()];
  const regressed = issues.filter(({ state }) => state.substatus === 'regressed').map(({ id }) => id);
  const [sliced, regressedIn, payloads, assignees] = await Promise.all([
    deps.store.listIssueEventIntervals(ids, shown),
    deps.store.listRegressedIn(regressed),
    deps.store.listNewestPayloads(ids),
    viewAssignees(deps, issues, nowMs),
  ]);
  for (const { issueId, slice, events } of sliced) {
    const trend = trends.get(issueId);
    if (trend?.[slice] !== undefined) trend[slice] = events;
  }
  return issues.map((issue) => {
    const trend = trends.get(issue.id) ?? [];
    return {
      ...viewIssue(issue),
      project: { project_id: issue.projectId, name: nameOf(issue.projectId) },
      ...splitTitle(issue.title),
      /** In-app function and file of the newest event, and its transaction; `text` where only the culprit is known. */
      place: locationOf(issue, payloads.get(issue.id)),
      assigned_to: assignees.get(issue.id) ?? null,
      regressed_in: regressedIn.get(issue.id) ?? null,
      trend,
      trend_step_hours: shown.sliceMs / hourMs,
      events_in_range: range === null ? issue.eventsCount : sum(trend),
    };
  });
}

/** The issue's culprit stands in for an event that is not stored any more. */
function locationOf(issue: Issue, payload: string | undefined) {
  const event = payload === undefined ? undefined : normalizedEvent.safeParse(JSON.parse(payload)).data;
  const location = event === undefined || issue.isOverflow ? null : locateEvent(event);
  if (location !== null && (location.function ?? location.file) !== null) return { ...location, text: null };
  const { text, ...culprit } = splitCulprit(issue.culprit);
  const transaction = location?.transaction ?? null;
  return { ...culprit, transaction, text: transaction === text ? null : text };
}

type NamedRelease = { readonly project: string; readonly version: string; readonly atMs: number };

/** Without a search, all events count, also in the period before. */
function hasNoFilter({ query, environment }: IssueFilters): boolean {
  return query === '' && environment === null;
}

function hoursOf(
  context: RequestContext,
  { fromMs, toMs }: TimeRange,
  filter: IssueListFilter | null,
): Promise<LevelHour[]> {
  const ids = viewedProjectIds(context);
  const passedMs = Math.min(toMs, startOfHour(context.nowMs) + hourMs) - fromMs;
  return context.deps.store.listLevelHours(ids, fromMs - Math.max(passedMs, 0), toMs, filter);
}

function histogramOf(
  range: TimeRange,
  hours: readonly LevelHour[],
  releases: readonly NamedRelease[],
  nowMs: number,
) {
  const now = hours.filter(({ atMs }) => atMs >= range.fromMs);
  return {
    events: countEvents(now),
    events_before: countEvents(hours.filter(({ atMs }) => atMs < range.fromMs)),
    bars: barsOf(now, range),
    releases: releases
      .filter(({ atMs }) => atMs >= range.fromMs && atMs <= Math.min(range.toMs, nowMs))
      .slice(0, markersMax)
      .map(({ project, version, atMs }) => ({ project, version, at: formatTime(atMs) })),
  };
}

function barsOf(hours: readonly LevelHour[], { fromMs, toMs, stepMs }: TimeRange) {
  return buildLevelBars(hours, fromMs, toMs, stepMs).map((bar, at) => ({
    from: formatTime(fromMs + at * stepMs),
    to: formatTime(fromMs + (at + 1) * stepMs),
    ...bar,
  }));
}

export type IssueSearchView = NonNullable<IssuesModel['search']>;

/** Free text is no token: it is not painted. */
async function readIssueSearch(context: RequestContext, text: string) {
  const { deps, currentUser } = context;
  const scope = {
    projectIds: viewedProjectIds(context),
    of: 'issues',
    memberId: currentUser.memberId,
  } as const;
  const { resolved, tokens, mistakes } = await readSearch(deps, text, scope);
  return {
    filter: { terms: resolved },
    shown: {
      text,
      tokens: tokens
        .filter(({ key, isWrong }) => key !== null || isWrong)
        .map(({ start, end, isWrong }) => ({ start, end, is_wrong: isWrong })),
      mistakes: mistakes.map(({ message, start, end, suggestion = null }) => ({
        message,
        start,
        end,
        suggestion,
      })),
    },
  };
}

/** `TypeError: x is not a function` into type and message. */
export function splitTitle(title: string): { readonly type: string | null; readonly message: string } {
  const match = /^(\S+?(?: \S+?){0,2}?): (\S.*)$/su.exec(title);
  if (match !== null) return { type: match[1] ?? null, message: match[2] ?? '' };
  return /^[\p{Lu}][\w.$\\]*$/u.test(title) ? { type: title, message: '' } : { type: null, message: title };
}

/** `total (FILE)` into function and file. */
export function splitCulprit(culprit: string): {
  readonly function: string | null;
  readonly file: string | null;
  readonly text: string | null;
} {
  const named = /^(?:.{0,140} · )?(\S{1,150}) \((\S+)\)$/su.exec(culprit);
  if (named !== null) return { function: named[1] ?? null, file: named[2] ?? null, text: null };
  const inCode = /^(.{0,140} · )(\S+) in (\S+)$/su.exec(culprit);
  if (inCode !== null) return { function: inCode[2] ?? null, file: inCode[3] ?? null, text: null };
  return { function: null, file: null, text: culprit === '' ? null : culprit };
}

const assigneesMax = 100;

export type BulkOptionsView = Awaited<ReturnType<typeof viewBulkOptions>>;

/** Empty for viewers, who cannot act. */
async function viewBulkOptions(context: RequestContext) {
  const { deps, currentUser, nowMs } = context;
  if (!roleIncludes(currentUser.role, 'member'))
    return { selected: null, members: [], teams: [], undo: null };
  const [{ members, teams }, undo] = await Promise.all([
    listAssignees(deps, viewedProjectIds(context), nowMs),
    findUndoableAction(deps, ownerIdOf(currentUser)),
  ]);
  const self = members.filter(({ id }) => id === currentUser.memberId);
  const others = members.filter(({ id }) => id !== currentUser.memberId);
  return {
    /** From `?selected=`: the rows of this page, or all that match; null for none. */
    selected: enumParam(context, 'selected', ['page', 'all']),
    members: [...self, ...others]
      .slice(0, assigneesMax)
      .map(({ id, name }) => ({ member_id: id, name, is_you: id === currentUser.memberId })),
    teams: teams.slice(0, assigneesMax).map(({ id, name }) => ({ team_id: id, name: `#${name}` })),
    undo:
      undo === null
        ? null
        : {
            bulk_id: undo.id,
            action: undo.action,
            issues: undo.issues,
            until: formatTime(undo.untilMs),
          },
  };
}
