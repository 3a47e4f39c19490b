import { dayMs, getLastSlots, hourMs, startOfHour } from '../../parsing/durations.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { NewestRun } from '../../store/page-queries.ts';
import { viewAuditEntry } from '../audit.ts';
import { buildLevelBars, countEvents } from '../level-bars.ts';
import { findFailedSuites, groupRunsBySuite, newestRunsMax } from '../navigation-counts.ts';
import { type RequestContext, viewedProjects } from '../request-context.ts';
import { overviewMonitoring } from './monitoring.ts';
import { findIssuesNeedingAttention } from './needs-attention.ts';

export const overviewRanges = ['24h', '7d', '30d'] as const;
export type OverviewRange = (typeof overviewRanges)[number];

const spans: Readonly<Record<OverviewRange, { readonly ms: number; readonly sliceMs: number }>> = {
  '24h': { ms: dayMs, sliceMs: hourMs },
  '7d': { ms: 7 * dayMs, sliceMs: 2 * hourMs },
  '30d': { ms: 30 * dayMs, sliceMs: 8 * hourMs },
};

const projectsMax = 1_000;
const releasesRead = 12;
const suitesShown = 5;
const runsOfSuite = 24;
const reportsShown = 4;
/** More than shown, because sign-ins are filtered out. */
const actsRead = 40;
const actsShown = 5;

interface OfProject {
  readonly project_id: number;
  readonly project: string;
}

export type OverviewRelease = OverviewModel['releases'][number];

export type OverviewRun = OverviewModel['test_runs'][number];

export type OverviewModel = Awaited<ReturnType<typeof overviewModel>>;

export async function overviewModel(context: RequestContext) {
  const { deps, nowMs, project, query } = context;
  const { store } = deps;
  const projects = viewedProjects(context).slice(0, projectsMax);
  const ids = projects.map(({ id }) => id);
  const ofProject = createProjectLabeler(projects);
  const range = overviewRanges.find((each) => each === query.get('range')) ?? '7d';
  const { ms, sliceMs } = spans[range];
  const bars = { ...getLastSlots(nowMs, ms, sliceMs), sliceMs };
  const passedMs = startOfHour(nowMs) + hourMs - bars.fromMs;
  const [issues, byLevel, before, releases, runs, reports, counts, seen, auditEntries, monitoring] =
    await Promise.all([
      store.countOpenIssues(ids, bars.fromMs),
      store.listLevelHours(ids, bars.fromMs, bars.toMs, null),
      store.listLevelHours(ids, bars.fromMs - passedMs, bars.fromMs, null),
      store.newestReleases(ids, releasesRead),
      store.newestTestRuns(ids, newestRunsMax),
      store.newestReports(ids, reportsShown),
      store.placeCounts(ids, bars.fromMs),
      findIssuesNeedingAttention(store, ids, { fromMs: bars.fromMs, toMs: startOfHour(nowMs) + hourMs }),
      store.listAudit({ ...anyAct, projectId: project?.id ?? null }, { limit: actsRead }),
      overviewMonitoring(context),
    ]);
  return {
    waiting: false,
    range,
    from: formatTime(bars.fromMs),
    to: formatTime(bars.toMs),
    issues,
    events: {
      total: countEvents(byLevel),
      before: countEvents(before),
      bar_hours: bars.sliceMs / hourMs,
      bars: buildLevelBars(byLevel, bars.fromMs, bars.toMs, bars.sliceMs).map((bar, at) => ({
        at: formatTime(bars.fromMs + at * bars.sliceMs),
        ...bar,
      })),
    },
    look_at: seen.map((issue) => ({ ...issue, ...ofProject(issue.project_id) })),
    new_reports: counts.newReports,
    reports: reports.map(({ id, message, domain, projectId, createdAtMs }) => ({
      feedback_id: id,
      ...ofProject(projectId),
      message,
      domain,
      date_created: formatTime(createdAtMs),
    })),
    releases: releases.map(({ id, version, projectId, createdAtMs, newIssues, regressedIssues }) => ({
      release_id: id,
      ...ofProject(projectId),
      version,
      date_created: formatTime(createdAtMs),
      new_issues: newIssues,
      regressed_issues: regressedIssues,
    })),
    ...viewSuites(runs, ofProject),
    acts: auditEntries
      .filter(({ action }) => !/^(session|sign_in)\./.test(action))
      .slice(0, actsShown)
      .map((entry) => viewAuditEntry(entry, context.currentUser)),
    ...(monitoring === null ? {} : { watched: monitoring }),
  };
}

const anyAct = {
  actorKind: null,
  actorName: null,
  action: null,
  objectKind: null,
  objectId: null,
  requestId: null,
  fromMs: null,
  toMs: null,
};

function createProjectLabeler(projects: ReadonlyArray<{ readonly id: number; readonly name: string }>) {
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return (projectId: number): OfProject => ({ project_id: projectId, project: names.get(projectId) ?? '' });
}

function viewSuites(runs: readonly NewestRun[], ofProject: (projectId: number) => OfProject) {
  const suites = groupRunsBySuite(runs);
  const failed = findFailedSuites(suites);
  return {
    failed_suites: failed.map(({ id, projectId }) => ({ test_run_id: id, ...ofProject(projectId) })),
    suites: suites.length,
    test_runs: suites.slice(0, suitesShown).map((of) => ({ ...runView(of), ...ofProject(of[0].projectId) })),
  };
}

function runView(runs: readonly [NewestRun, ...NewestRun[]]) {
  const [newest] = runs;
  const shares = runs.slice(0, runsOfSuite).map(({ tests, passed }) => (tests === 0 ? 0 : passed / tests));
  return {
    test_run_id: newest.id,
    suite: newest.suite,
    status: newest.status,
    date_created: formatTime(newest.createdAtMs),
    tests: newest.tests,
    passed: newest.passed,
    failed: newest.failed,
    flaky: newest.flaky,
    /** Share of passed tests in the last runs, newest last. */
    shares: shares.reverse(),
  };
}
