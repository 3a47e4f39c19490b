import type { TestRunView } from '../../../../schemas/test-runs.ts';
import { momentText } from '../../reading/moments.ts';
import { dayMs } from '../../reading/spans.ts';
import type { Near, Slice, Sliced } from '../../store/page.ts';
import { type RunResult, type RunSketch, runResults, type TestRun } from '../../store/test-runs.ts';
import { viewTestRun } from '../../test-runs/views.ts';
import type { Snippet } from '../snippets.ts';
import type { Visit } from '../visit.ts';
import {
  askedSlice,
  askedText,
  askedWord,
  type Neighbours,
  neighboursOf,
  type ProjectName,
  projectIdsOf,
  projectOf,
} from './lists.ts';
import { sendLines } from './send-lines.ts';

export interface ListedRun extends TestRunView {
  readonly project: ProjectName;
  readonly result: RunResult;
}

export interface StreakView {
  readonly project: ProjectName;
  readonly suite: string | null;
  readonly branch: string | null;
  /** Failed runs since the last one that passed. */
  readonly runs: number;
  readonly since: string;
  readonly newest_test_run_id: number;
  readonly last_good: { readonly test_run_id: number; readonly release: string | null } | null;
}

interface RunPoint {
  readonly test_run_id: number;
  readonly created_at: string;
  /** Share of the cases that ran, 0 to 1; null if none ran. */
  readonly failed_share: number | null;
  readonly flaky_share: number | null;
}

export interface TestRunsModel extends Neighbours {
  readonly asked: {
    readonly result: RunResult | null;
    readonly branch: string | null;
    readonly q: string | null;
  };
  readonly counts: Readonly<Record<RunResult, number>>;
  readonly runs: readonly ListedRun[];
  readonly branches: readonly string[];
  readonly streaks: readonly StreakView[];
  /** Oldest first. The pass rates are of these runs, and of as many before them. */
  readonly points: readonly RunPoint[];
  readonly passed_share: number | null;
  readonly passed_share_before: number | null;
  readonly how_to_send: readonly Snippet[] | null;
}

const runsAPage = 30;
const pointsMax = 40;
const recentMax = 1_000;
const branchesMax = 50;
const exportedMax = 50_000;
const exportSlice = 1_000;
/** Branches without runs for this long are not listed as failing. */
const streakAgeMs = 14 * dayMs;

export async function testRunsModel(visit: Visit): Promise<TestRunsModel> {
  const { store } = visit.deps;
  const ids = projectIdsOf(visit);
  const { asked, filter } = askedOf(visit);
  const [sliced, counts, recent] = await Promise.all([
    store.sliceTestRuns(ids, filter, askedSlice(visit, runsAPage)),
    store.countTestRuns(ids, filter),
    store.recentTestRuns(ids, recentMax),
  ]);
  const name = (id: number): ProjectName => projectOf(visit, id, 'A project with this number');
  const branches = [...new Set(recent.flatMap(({ branch }) => branch ?? []))];
  return {
    asked,
    counts,
    runs: sliced.rows.map((run) => listedRun(run, name(run.projectId))),
    ...neighboursOf(sliced, ({ createdAtMs, id }) => ({ atMs: createdAtMs, id })),
    branches: branches.slice(0, branchesMax).sort(),
    streaks: streakViews(recent, visit.nowMs, name),
    points: recent.slice(0, pointsMax).reverse().map(pointOf),
    passed_share: shareOf(recent.slice(0, pointsMax)),
    passed_share_before: shareOf(recent.slice(pointsMax, 2 * pointsMax)),
    how_to_send: recent.length === 0 ? sendLines('test-runs', visit.apiUrl) : null,
  };
}

function askedOf(visit: Visit) {
  const asked = {
    result: askedWord(visit, 'result', runResults),
    branch: askedText(visit, 'branch'),
    q: askedText(visit, 'q'),
  };
  return { asked, filter: { result: asked.result, branch: asked.branch, search: asked.q } };
}

/** Streams matching runs, newest first, 50,000 at most. */
export async function* exportedRuns(visit: Visit): AsyncGenerator<ListedRun> {
  const ids = projectIdsOf(visit);
  const { filter } = askedOf(visit);
  let after: Near | null = null;
  for (let told = 0; told < exportedMax; told += exportSlice) {
    const slice: Slice = { after, before: null, limit: exportSlice };
    const { rows, hasOlder }: Sliced<TestRun> = await visit.deps.store.sliceTestRuns(ids, filter, slice);
    yield* rows.map((run) => listedRun(run, projectOf(visit, run.projectId, 'A project with this number')));
    const last = rows.at(-1);
    if (!hasOlder || last === undefined) return;
    after = { atMs: last.createdAtMs, id: last.id };
  }
}

export function listedRun(run: TestRun, project: ProjectName): ListedRun {
  return { ...viewTestRun(run), project, result: resultOfRun(run) };
}

export function resultOfRun({ status, flaky }: Pick<TestRun, 'status' | 'flaky'>): RunResult {
  if (status === 'empty') return 'empty';
  if (status !== 'passed') return 'failed';
  return flaky > 0 ? 'flaky' : 'passed';
}

function streakViews(
  recent: readonly RunSketch[],
  nowMs: number,
  name: (id: number) => ProjectName,
): StreakView[] {
  return streaksOf(recent)
    .filter(({ newest }) => nowMs - newest.createdAtMs < streakAgeMs)
    .map(({ projectId, suite, branch, runs, first, newest, lastGood }) => ({
      project: name(projectId),
      suite,
      branch,
      runs,
      since: momentText(first.createdAtMs),
      newest_test_run_id: newest.id,
      last_good: lastGood === null ? null : { test_run_id: lastGood.id, release: lastGood.release },
    }));
}

function pointOf(run: RunSketch): RunPoint {
  const ran = run.passed + run.failed;
  return {
    test_run_id: run.id,
    created_at: momentText(run.createdAtMs),
    failed_share: ran === 0 ? null : run.failed / ran,
    flaky_share: ran === 0 ? null : Math.min(1, run.flaky / ran),
  };
}

function shareOf(runs: readonly RunSketch[]): number | null {
  const passed = runs.reduce((sum, run) => sum + run.passed, 0);
  const ran = runs.reduce((sum, run) => sum + run.passed + run.failed, 0);
  return ran === 0 ? null : passed / ran;
}

interface Streak {
  readonly projectId: number;
  readonly suite: string | null;
  readonly branch: string | null;
  readonly runs: number;
  readonly first: RunSketch;
  readonly newest: RunSketch;
  readonly lastGood: RunSketch | null;
}

/** Branches that fail now, longest first. `runs` must be newest first; empty runs are ignored. */
export function streaksOf(runs: readonly RunSketch[]): Streak[] {
  const lines = Map.groupBy(
    runs.filter(({ status }) => status !== 'empty'),
    ({ projectId, suite, branch }) => JSON.stringify([projectId, suite, branch]),
  );
  return [...lines.values()]
    .flatMap((line) => streakOf(line) ?? [])
    .sort((one, other) => other.runs - one.runs || other.newest.createdAtMs - one.newest.createdAtMs);
}

function streakOf(line: readonly RunSketch[]): Streak | null {
  const good = line.findIndex(({ status }) => status === 'passed');
  const red = good === -1 ? line : line.slice(0, good);
  const [newest, first] = [red.at(0), red.at(-1)];
  if (newest === undefined || first === undefined) return null;
  // A single run is no streak: the branch never passed.
  if (line.length === 1) return null;
  const { projectId, suite, branch } = newest;
  return { projectId, suite, branch, runs: red.length, first, newest, lastGood: line[good] ?? null };
}
