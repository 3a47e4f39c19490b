// One answer about a release, for a build server that asks whether to go on (docs/releases.md, "Verdict").
import type {
  ReleaseVerdictView,
  Verdict,
  VerdictCaseView,
  VerdictThresholds,
} from '../../../schemas/releases.ts';
import type { Deps } from '../deps.ts';
import { formatCount, formatCountWithNoun, formatPercent, sum } from '../parsing/format/numbers.ts';
import type { Release } from '../store/releases.ts';
import type { CaseRunResult, TestRun } from '../store/test-runs.ts';

type Checks = ReleaseVerdictView['checks'];

const runsMax = 100;
const issuesMax = 1_000;
const casesMax = 1_000;
const issuesShown = 20;
const casesShown = 25;
const monitorsShown = 50;
/** So many results of a case are looked through for one from elsewhere. */
const earlierResultsMax = 20;

export async function getReleaseVerdict(
  deps: Deps,
  release: Release,
  thresholds: VerdictThresholds,
): Promise<ReleaseVerdictView> {
  const stats = await deps.store.releaseFigures(release);
  const ids = await deps.store.releaseIssueIds(release, issuesMax);
  const sums = await deps.store.releaseSums([release], deps.now());
  const hasRun = stats.sessions > 0 || (sums.get(release.id)?.events ?? 0) > 0;
  const issues = { deps, release, hasRun };
  const checks: Checks = {
    tests: await checkTests(deps, release),
    new_issues: await checkIssues(issues, ids.new, thresholds.new_issues_max, 'new'),
    regressed_issues: await checkIssues(issues, ids.regressed, thresholds.regressed_issues_max, 'regressed'),
    crash_free: checkSessions(stats.sessions, stats.crashedSessions, thresholds),
    monitors: await checkMonitors(deps, release.projectId, thresholds.monitors_down_max),
  };
  const verdict = joinVerdicts(checks);
  return {
    release_id: release.id,
    version: release.version,
    verdict,
    reasons: Object.values(checks).flatMap((check) => (check.verdict === verdict ? check.reason : [])),
    checks,
  };
}

/** Monitors that are up say nothing about the release. */
function joinVerdicts({ monitors, ...ofRelease }: Checks): Verdict {
  const all = Object.values(ofRelease).map((check) => check.verdict);
  if (monitors.verdict === 'fail' || all.includes('fail')) return 'fail';
  return all.includes('pass') ? 'pass' : 'unknown';
}

async function checkTests(deps: Deps, release: Release): Promise<Checks['tests']> {
  const { store } = deps;
  const listed = await store.listTestRuns(release.projectId, {
    release: release.version,
    orderBy: 'created_at',
    descending: true,
    limit: runsMax,
    offset: 0,
  });
  const runs = listed.rows.filter(
    ({ suite }, index, all) => all.findIndex((run) => run.suite === suite) === index,
  );
  const runIds = runs.map(({ id }) => id);
  const cases = await store.listUnstableCases(runIds, casesMax);
  const caseIds = cases.map(({ caseId }) => caseId);
  const ends = await store.caseEnds(release.projectId, caseIds, runIds);
  const caseOf = new Map(cases.map((one) => [one.caseId, one]));
  const runOf = new Map(runs.map((run) => [run.id, run]));
  const view = ({ caseId, runId }: CaseRunResult): VerdictCaseView => ({
    case_id: caseId,
    name: caseOf.get(caseId)?.name ?? caseId,
    file: caseOf.get(caseId)?.file ?? null,
    run_suite: runOf.get(runId)?.suite ?? null,
    test_run_id: runId,
  });
  const quarantinedRuns = await listQuarantined(deps, release.projectId, ends);
  const judged = ends.filter((end) => !quarantinedRuns.includes(end));
  const failedCases = firstOfEachCase(judged, 'failed').slice(0, casesShown);
  const counted = runs.map((run) => ({
    run,
    quarantined: quarantinedRuns.filter(({ runId }) => runId === run.id).length,
  }));
  return {
    ...describeTests(counted),
    failed: sum(counted.map(({ run, quarantined }) => run.failed - quarantined)),
    quarantined: quarantinedRuns.length,
    runs: counted.map(({ run: { id, suite, status, tests, failed, flaky }, quarantined }) => ({
      ...{ test_run_id: id, suite, status, tests, failed, quarantined, flaky },
    })),
    failed_cases: await Promise.all(
      failedCases.map(async (end) => ({
        ...view(end),
        is_new: await isNewFailure(deps, end.caseId, runOf.get(end.runId)),
      })),
    ),
    flaky_cases: firstOfEachCase(judged, 'flaky').slice(0, casesShown).map(view),
  };
}

async function listQuarantined({ store, now }: Deps, projectId: number, ends: readonly CaseRunResult[]) {
  const quarantined = new Set(
    (await store.listQuarantinedCases(projectId, now())).map(({ caseId }) => caseId),
  );
  return ends.filter(({ caseId, result }) => result === 'failed' && quarantined.has(caseId));
}

function firstOfEachCase(ends: readonly CaseRunResult[], result: CaseRunResult['result']): CaseRunResult[] {
  const found = ends.filter((end) => end.result === result);
  return [...new Map(found.map((end) => [end.caseId, end])).values()];
}

interface CountedRun {
  readonly run: TestRun;
  readonly quarantined: number;
}

function describeTests(runs: readonly CountedRun[]): { verdict: Verdict; reason: string } {
  const counted = runs.filter(({ run }) => run.status !== 'empty');
  if (counted.length === 0) return { verdict: 'unknown', reason: 'No test of this release was reported.' };
  const all = formatCountWithNoun(sum(counted.map(({ run }) => run.tests)), 'test');
  const quarantinedCount = sum(counted.map(({ quarantined }) => quarantined));
  const failed = sum(counted.map(({ run }) => run.failed)) - quarantinedCount;
  const suffix = quarantinedCount === 0 ? '' : `, without ${formatCount(quarantinedCount)} in quarantine`;
  if (failed > 0) return { verdict: 'fail', reason: `${formatCount(failed)} of ${all} failed${suffix}.` };
  // The exit code of a run whose failures are all of quarantined tests is about those tests.
  const broken = counted.filter(({ run }) => run.status !== 'passed' && run.failed === 0).length;
  if (broken > 0) {
    return { verdict: 'fail', reason: `${formatCountWithNoun(broken, 'test run')} ended with an error.` };
  }
  return { verdict: 'pass', reason: `${all} ran, and none failed${suffix}.` };
}

/** A failure that goes on over several runs of a branch is new for that branch until another branch has it. */
async function isNewFailure(deps: Deps, caseId: string, run: TestRun | undefined): Promise<boolean> {
  if (run === undefined) return true;
  const page = await deps.store.listCaseRuns(run.projectId, caseId, {
    descending: true,
    limit: earlierResultsMax,
    offset: 0,
  });
  const isElsewhere = (other: TestRun): boolean =>
    run.branch === null ? other.id < run.id : other.branch !== run.branch;
  const elsewhere = page.rows.find((row) => isElsewhere(row.run) && row.result.status !== 'skipped');
  return elsewhere?.result.status !== 'failed';
}

async function checkIssues(
  { deps, release, hasRun }: { readonly deps: Deps; readonly release: Release; readonly hasRun: boolean },
  ids: readonly number[],
  max: number,
  kind: 'new' | 'regressed',
): Promise<Checks['new_issues']> {
  const found = await deps.store.issuesOf(release.projectId, ids);
  const unresolved = found.filter(({ state }) => state.status === 'unresolved');
  const count = unresolved.length;
  const issues = unresolved.slice(0, issuesShown).map(({ id, title }) => ({ issue_id: id, title }));
  const verb = count === 1 ? 'was' : 'were';
  const happened = kind === 'new' ? `${verb} first seen` : 'regressed';
  const sentence = `${formatCountWithNoun(count, 'unresolved issue')} ${happened} in this release`;
  const verdict = count > max ? 'fail' : hasRun ? 'pass' : 'unknown';
  const counted =
    count > 0 ? `${sentence}; the maximum is ${max}.` : `No unresolved issue is ${kind} in this release.`;
  const reason = verdict === 'unknown' ? 'No event and no session of this release has arrived.' : counted;
  return { verdict, reason, count, max, issues };
}

function checkSessions(
  sessions: number,
  crashed: number,
  { crash_free_min: min, sessions_min: sessionsMin }: VerdictThresholds,
): Checks['crash_free'] {
  const share = sessions === 0 ? null : (sessions - crashed) / sessions;
  const facts = { share, min, sessions, sessions_min: sessionsMin };
  if (share === null || sessions < sessionsMin) {
    const counted = formatCountWithNoun(sessions, 'session');
    return {
      verdict: 'unknown',
      reason: `${counted} arrived; at least ${sessionsMin} are needed.`,
      ...facts,
    };
  }
  const sentence = `${formatPercent(sessions - crashed, sessions, 2)} of ${formatCountWithNoun(sessions, 'session')}`;
  const reason = `${sentence} were crash-free; the minimum is ${formatPercent(min, 1, 2)}.`;
  return { verdict: share < min ? 'fail' : 'pass', reason, ...facts };
}

async function checkMonitors(deps: Deps, projectId: number, max: number): Promise<Checks['monitors']> {
  const monitors = await deps.store.listMonitors(projectId);
  const down = monitors.filter(({ state }) => state === 'down');
  const listed = down.slice(0, monitorsShown).map(({ id, name }) => ({ monitor_id: id, name }));
  const verdict = monitors.length === 0 ? 'unknown' : down.length > max ? 'fail' : 'pass';
  const names = down.slice(0, 3).map(({ name }) => name);
  const others = down.length > names.length ? ' and others' : '';
  const count = `${formatCountWithNoun(down.length, 'monitor')} ${down.length === 1 ? 'is' : 'are'} down`;
  const reason =
    monitors.length === 0
      ? 'The project has no monitors.'
      : down.length === 0
        ? 'No monitor of the project is down.'
        : `${count}: ${names.join(', ')}${others}; the maximum is ${max}.`;
  return { verdict, reason, max, down: listed };
}
