import { dayMs } from '../../parsing/durations.ts';
import { sum } from '../../parsing/format/numbers.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { CursorPage, CursorWindow, TimeCursor } from '../../store/pagination.ts';
import { type RunResult, type RunSummary, runResults, type TestRun } from '../../store/test-runs.ts';
import { viewTestRun } from '../../test-runs/views.ts';
import {
  enumParam,
  type ProjectRef,
  pageCursors,
  requireViewedProject,
  sliceParam,
  textParam,
  viewedProjectIds,
} from '../list-params.ts';
import type { RequestContext } from '../request-context.ts';
import { ciSnippets } from './ci-snippets.ts';

export type ListedRun = ReturnType<typeof viewListedRun>;

export type StreakView = ReturnType<typeof streakViews>[number];

export type TestRunsModel = Awaited<ReturnType<typeof testRunsModel>>;

const runsAPage = 30;
const pointsMax = 40;
const recentMax = 1_000;
const branchesMax = 50;
const exportedMax = 50_000;
const exportSlice = 1_000;
/** Branches without runs for this long are not listed as failing. */
const streakAgeMs = 14 * dayMs;

export async function testRunsModel(context: RequestContext) {
  const { store } = context.deps;
  const ids = viewedProjectIds(context);
  const { applied, filter } = appliedFilters(context);
  const [sliced, counts, recent] = await Promise.all([
    store.listTestRunPage(ids, filter, sliceParam(context, runsAPage)),
    store.countTestRuns(ids, filter),
    store.recentTestRuns(ids, recentMax),
  ]);
  const name = (id: number): ProjectRef => requireViewedProject(context, id, 'A project with this number');
  const branches = [...new Set(recent.flatMap(({ branch }) => branch ?? []))];
  return {
    filters: applied,
    counts,
    runs: sliced.rows.map((run) => viewListedRun(run, name(run.projectId))),
    ...pageCursors(sliced, ({ createdAtMs, id }) => ({ atMs: createdAtMs, id })),
    branches: branches.slice(0, branchesMax).sort(),
    streaks: streakViews(recent, context.nowMs, name),
    /** Oldest first. The pass rates are of these runs, and of as many before them. */
    points: recent.slice(0, pointsMax).reverse().map(pointOf),
    passed_share: shareOf(recent.slice(0, pointsMax)),
    passed_share_before: shareOf(recent.slice(pointsMax, 2 * pointsMax)),
    how_to_send: recent.length === 0 ? ciSnippets('test-runs', context.apiUrl) : null,
  };
}

function appliedFilters(context: RequestContext) {
  const filters = {
    result: enumParam(context, 'result', runResults),
    branch: textParam(context, 'branch'),
    q: textParam(context, 'q'),
  };
  return { applied: filters, filter: { result: filters.result, branch: filters.branch, search: filters.q } };
}

/** Streams matching runs, newest first, 50,000 at most. */
export async function* exportTestRuns(context: RequestContext): AsyncGenerator<ListedRun> {
  const ids = viewedProjectIds(context);
  const { filter } = appliedFilters(context);
  let after: TimeCursor | null = null;
  for (let written = 0; written < exportedMax; written += exportSlice) {
    const slice: CursorWindow = { after, before: null, limit: exportSlice };
    const { rows, hasOlder }: CursorPage<TestRun> = await context.deps.store.listTestRunPage(
      ids,
      filter,
      slice,
    );
    yield* rows.map((run) =>
      viewListedRun(run, requireViewedProject(context, run.projectId, 'A project with this number')),
    );
    const last = rows.at(-1);
    if (!hasOlder || last === undefined) return;
    after = { atMs: last.createdAtMs, id: last.id };
  }
}

export function viewListedRun(run: TestRun, project: ProjectRef) {
  return { ...viewTestRun(run), project, result: runResult(run) };
}

export function runResult({ status, flaky }: Pick<TestRun, 'status' | 'flaky'>): RunResult {
  if (status === 'empty') return 'empty';
  if (status !== 'passed') return 'failed';
  return flaky > 0 ? 'flaky' : 'passed';
}

function streakViews(recent: readonly RunSummary[], nowMs: number, name: (id: number) => ProjectRef) {
  return findFailureStreaks(recent)
    .filter(({ newest }) => nowMs - newest.createdAtMs < streakAgeMs)
    .map(({ projectId, suite, branch, runs, first, newest, lastGood }) => ({
      project: name(projectId),
      suite,
      branch,
      /** Failed runs since the last one that passed. */
      runs,
      since: formatTime(first.createdAtMs),
      newest_test_run_id: newest.id,
      last_good: lastGood === null ? null : { test_run_id: lastGood.id, release: lastGood.release },
    }));
}

function pointOf(run: RunSummary) {
  const ran = run.passed + run.failed;
  return {
    test_run_id: run.id,
    created_at: formatTime(run.createdAtMs),
    failed_share: ran === 0 ? null : run.failed / ran,
    flaky_share: ran === 0 ? null : Math.min(1, run.flaky / ran),
  };
}

function shareOf(runs: readonly RunSummary[]): number | null {
  const passed = sum(runs.map((run) => run.passed));
  const ran = passed + sum(runs.map((run) => run.failed));
  return ran === 0 ? null : passed / ran;
}

/** Branches that fail now, longest first. `runs` must be newest first; empty runs are ignored. */
export function findFailureStreaks(runs: readonly RunSummary[]) {
  const lines = Map.groupBy(
    runs.filter(({ status }) => status !== 'empty'),
    ({ projectId, suite, branch }) => JSON.stringify([projectId, suite, branch]),
  );
  return [...lines.values()]
    .flatMap((line) => streakOf(line) ?? [])
    .sort((one, other) => other.runs - one.runs || other.newest.createdAtMs - one.newest.createdAtMs);
}

function streakOf(line: readonly RunSummary[]) {
  const good = line.findIndex(({ status }) => status === 'passed');
  const red = good === -1 ? line : line.slice(0, good);
  const [newest, first] = [red.at(0), red.at(-1)];
  if (newest === undefined || first === undefined) return null;
  // A single run is no streak: the branch never passed.
  if (line.length === 1) return null;
  const { projectId, suite, branch } = newest;
  return { projectId, suite, branch, runs: red.length, first, newest, lastGood: line[good] ?? null };
}
