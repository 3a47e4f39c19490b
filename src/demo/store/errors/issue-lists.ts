// Lists of issues over several projects, how many there are, and when their events came.
import { type Level, levels } from '../../../../schemas/event.ts';
import { dayMs, hourMs } from '../../../core/reading/spans.ts';
import { otherName } from '../../../core/store/bounds.ts';
import {
  type IssueListFilter,
  type IssueListStore,
  type IssueListWindow,
  type IssuePlace,
  type IssueTab,
  type IssueTagValue,
  issueTabs,
  type LevelHour,
  type ListedIssues,
} from '../../../core/store/issue-pages.ts';
import type { LoneIssue, WorldIssue } from '../../world/errors/issues.ts';
import { eventsByHour } from '../../world/errors/outcomes.ts';
import type { ErrorsWorld } from '../../world/errors/world.ts';
import { fitting, isUnder } from './fitting.ts';

/** What this file answers. */
export type IssueListReads = Omit<IssueListStore, 'listFilterNames'>;

/** The reads of lists; the names that filters offer belong to the releases. */
export function issueListReads(world: ErrorsWorld): IssueListReads {
  return {
    listWorkspaceIssues: async (filter, window) => listed(world, filter, window),
    async findWorkspaceIssues(filter) {
      const found = fitting(world, filter);
      return { counts: tabsOf(found), ids: found.map(({ issue }) => issue.id), areAll: true };
    },
    countWorkspaceIssues: async (filter) => tabsOf(fitting(world, filter)),
    async listLevelHours(projectIds, fromMs, toMs, filter) {
      const found =
        filter === null
          ? world.issues.filter(
              ({ issue }) => issue.mergedInto === null && projectIds.includes(issue.projectId),
            )
          : fitting(world, filter);
      return levelHours(
        found.flatMap(({ group }) => group),
        fromMs,
        Math.min(toMs, world.nowMs + 1),
      );
    },
    async listRegressedIn(issueIds) {
      return new Map(
        issueIds.flatMap((id): Array<[number, string]> => {
          const last = world.issueById(id)?.acts.findLast(({ kind }) => kind === 'regressed');
          return last?.release == null ? [] : [[id, last.release]];
        }),
      );
    },
    async listIssueTags(projectId, issueId) {
      const found = world.issueById(issueId);
      return found === null || found.projectId !== projectId ? [] : groupTags(world, found);
    },
  };
}

function tabsOf(found: readonly WorldIssue[]): Record<IssueTab, number> {
  const counts = { open: 0, new: 0, regressed: 0, ignored: 0, resolved: 0, all: 0 };
  for (const { issue } of found) {
    for (const tab of issueTabs) if (isUnder(tab, issue)) counts[tab] += 1;
  }
  return counts;
}

interface Placed {
  readonly found: WorldIssue;
  readonly place: IssuePlace;
}

function listed(world: ErrorsWorld, filter: IssueListFilter, window: IssueListWindow): ListedIssues {
  const { before = null, after = null, limit, tab } = window;
  const all = fitting(world, filter)
    .filter(({ issue }) => isUnder(tab, issue))
    .map((found): Placed => ({ found, place: { value: sortedBy(found, window), id: found.issue.id } }))
    .sort((one, other) => inOrder(one.place, other.place));
  // Before a place near the beginning there is less than a page: then the beginning is shown.
  const newer = before === null ? [] : all.filter(({ place }) => inOrder(place, before) < 0);
  const isBackwards = newer.length >= limit;
  const rest = after === null || before !== null ? all : all.filter(({ place }) => inOrder(place, after) > 0);
  const page = isBackwards ? newer.slice(-limit) : rest.slice(0, limit);
  const [first, last] = [page.at(0)?.place ?? null, page.at(-1)?.place ?? null];
  const isAfter = after !== null && before === null;
  const hasNewer = isBackwards ? newer.length > limit : isAfter;
  const hasOlder = isBackwards || rest.length > limit;
  return {
    rows: page.map(({ found }) => found.issue),
    newer: hasNewer ? (first ?? after) : null,
    older: hasOlder ? last : null,
  };
}

/** The most first, and of as many the one with the higher number. */
function inOrder(one: IssuePlace, other: IssuePlace): number {
  return other.value - one.value || other.id - one.id;
}

function sortedBy({ issue, group }: WorldIssue, { sort, trendToMs }: IssueListWindow): number {
  switch (sort) {
    case 'first_seen':
      return issue.firstSeenMs;
    case 'events':
      return issue.eventsCount;
    case 'users':
      return issue.usersCount;
    case 'trend':
      return group.reduce(
        (sum, { series: { before } }) =>
          sum + before(trendToMs) - 2 * before(trendToMs - dayMs) + before(trendToMs - 2 * dayMs),
        0,
      );
    default:
      return issue.lastSeenMs;
  }
}

/** Hours without events are absent. */
function levelHours(issues: readonly LoneIssue[], fromMs: number, toMs: number): LevelHour[] {
  const length = Math.max(0, Math.ceil((toMs - fromMs) / hourMs));
  const sums = new Map<Level, Int32Array>();
  for (const [level, same] of Map.groupBy(issues, ({ bare }) => bare.level)) {
    sums.set(level, eventsByHour(same, fromMs, length));
  }
  const hours: LevelHour[] = [];
  for (let at = 0; at < length; at += 1) {
    const [fatal = 0, error = 0, warning = 0, info = 0, debug = 0] = shown.map(
      (level) => sums.get(level)?.[at] ?? 0,
    );
    if (fatal + error + warning + info + debug === 0) continue;
    hours.push({ atMs: fromMs + at * hourMs, fatal, error, warning, info, debug });
  }
  return hours;
}

/** The worst first. */
const shown = levels.toReversed();

const valuesShown = 100;

/** Tags of an issue and of what was merged into it, the rarest values of each joined. */
function groupTags(world: ErrorsWorld, { group }: WorldIssue): IssueTagValue[] {
  const byTag = Map.groupBy(
    group.flatMap((own) => world.tagsOf(own)),
    ({ tag }) => tag,
  );
  return [...byTag]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([tag, rows]) => {
      const values = [...Map.groupBy(rows, ({ value }) => value)]
        .map(([value, same]) => joined(tag, value, same))
        .sort((one, other) => other.events - one.events || (one.value < other.value ? -1 : 1));
      const rare = values.slice(valuesShown);
      return rare.length === 0 ? values : [...values.slice(0, valuesShown), joined(tag, otherName, rare)];
    });
}

function joined(tag: string, value: string, rows: readonly IssueTagValue[]): IssueTagValue {
  return {
    tag,
    value,
    events: rows.reduce((sum, row) => sum + row.events, 0),
    firstSeenMs: Math.min(...rows.map((row) => row.firstSeenMs)),
    lastSeenMs: Math.max(...rows.map((row) => row.lastSeenMs)),
  };
}
